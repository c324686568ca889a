import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http'

export type Upstream = {
  /** The provider's name for a price: 'anthropic', 'openai' … */
  provider: string
  /** Excludes the protocol's own path: `https://api.anthropic.com`, `https://openrouter.ai/api`. */
  baseUrl: string
  /** Replaces the version in the agent's path, `/v1` or `/v1beta`; absent = unchanged. */
  version?: string
  /** Headers that carry the real key, by lower-case name. */
  headers: Readonly<Record<string, string>>
}

/** Hop-by-hop (RFC 9110, 7.6.1), or set again by the gateway. */
const OURS = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'expect',
  'host',
  'content-length',
  'accept-encoding',
  // Would turn a free GET into another method.
  'x-http-method-override',
])

/** Every header in which a client may send a key or a session; the real one replaces it. */
const KEYS = new Set([
  'authorization',
  'x-api-key',
  'api-key',
  'x-goog-api-key',
  'x-goog-user-project',
  'cookie',
  'openai-organization',
  'openai-project',
])

/**
 * Returns the headers for the provider: the agent's without its dummy key, with the real key, and identity encoding so
 * that the response can be read in parallel. `secrets` are removed from every header.
 */
export function requestHeaders(
  request: IncomingHttpHeaders,
  keyHeaders: Readonly<Record<string, string>>,
  bodyBytes: number | null,
  secrets: readonly string[],
): OutgoingHttpHeaders {
  const named = namedByConnection(request.connection)
  const forwarded = Object.entries(request).filter(
    ([name, value]) =>
      !OURS.has(name) && !KEYS.has(name) && !named.has(name) && !containsSecret(value, secrets),
  )
  return {
    ...Object.fromEntries(forwarded),
    'accept-encoding': 'identity',
    ...keyHeaders,
    ...(bodyBytes === null ? {} : { 'content-length': bodyBytes }),
  }
}

/** `Connection: close, x-mine` makes `x-mine` hop-by-hop too. */
function namedByConnection(connection: string | string[] | undefined): Set<string> {
  const text = Array.isArray(connection) ? connection.join(',') : (connection ?? '')
  return new Set(text.split(',').map((name) => name.trim().toLowerCase()))
}

function containsSecret(value: string | string[] | undefined, secrets: readonly string[]): boolean {
  const text = Array.isArray(value) ? value.join('\n') : (value ?? '')
  return secrets.some((secret) => text.includes(secret))
}

/** Hop-by-hop, or bound to the provider's own host. */
const STAYS = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'set-cookie',
  'alt-svc',
  'strict-transport-security',
])

/**
 * Returns the headers for the agent: the provider's, including encoding and length, because the bytes are passed
 * unchanged.
 */
export function answerHeaders(fields: IncomingHttpHeaders): OutgoingHttpHeaders {
  const named = namedByConnection(fields.connection)
  return Object.fromEntries(
    Object.entries(fields).filter(([name]) => !STAYS.has(name) && !named.has(name)),
  )
}

/** The version at the start of an agent's path; some providers have it elsewhere in theirs. */
const VERSION = /^\/v\d+(?:alpha|beta)?\d*(?=\/|$)/

/**
 * Returns path and query as the agent requested them, below the provider's base and in the provider's version; a key in
 * the query (Gemini) is removed.
 */
export function upstreamUrl(
  { baseUrl, version }: Pick<Upstream, 'baseUrl' | 'version'>,
  path: string,
  query: URLSearchParams,
): URL {
  const url = new URL(baseUrl)
  const own = version === undefined ? path : path.replace(VERSION, version)
  url.pathname = `${url.pathname.replace(/\/+$/, '')}${own}`
  const remaining = new URLSearchParams(query)
  remaining.delete('key')
  remaining.delete('access_token')
  for (const [name, value] of remaining) url.searchParams.append(name, value)
  return url
}
