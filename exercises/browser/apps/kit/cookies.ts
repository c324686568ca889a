/** The cookies of a request; the first of a name counts. */
export function parseCookies(header: string | undefined): Record<string, string> {
  const cookies: Record<string, string> = {}
  for (const pair of (header ?? '').split(';').slice(0, 50)) {
    const at = pair.indexOf('=')
    const name = pair.slice(0, at).trim()
    if (at > 0 && !Object.hasOwn(cookies, name)) cookies[name] = pair.slice(at + 1).trim()
  }
  return cookies
}

/** A `set-cookie` header that scripts cannot read; gone with the browser's session. */
export function setCookie(name: string, value: string): { 'set-cookie': string } {
  return { 'set-cookie': `${name}=${value}; Path=/; HttpOnly; SameSite=Lax` }
}
