/** Path and query as the agent asked them, below the provider's base; a key in the query (Gemini) is taken out. */
export function upstreamUrl(baseUrl: string, path: string, query: URLSearchParams): URL {
  const url = new URL(baseUrl)
  url.pathname = `${url.pathname.replace(/\/+$/, '')}${path}`
  const kept = new URLSearchParams(query)
  kept.delete('key')
  kept.delete('access_token')
  for (const [name, value] of kept) url.searchParams.append(name, value)
  return url
}
