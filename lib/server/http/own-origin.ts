import { env } from '../../env.ts'

/** Location of this board: `publicUrl` is PROOFBOARD_URL; PROOFBOARD_TRUSTED_PROXY declares a trusted proxy. */
export type Site = { publicUrl: string | null; isBehindProxy: boolean }

/** Returns the location of this board from its environment. */
export function currentSite(): Site {
  const { siteUrl: publicUrl, trustedProxy: isBehindProxy } = env()
  return { publicUrl, isBehindProxy }
}

/** Returns the host that a request was sent to; behind a trusted proxy, the one requested from the proxy. */
export function askedHost(headers: Headers, isBehindProxy: boolean): string | null {
  const forwarded = isBehindProxy ? headers.get('x-forwarded-host')?.split(',')[0]?.trim() : null
  return forwarded || headers.get('host')
}

/**
 * Returns whether an address that a browser sent (Origin, Referer) is one of this board. The public address comes
 * first, because a proxy may request this server by another name.
 */
export function isOwnAddress(
  address: string | null,
  headers: Headers,
  { publicUrl, isBehindProxy }: Site,
): address is string {
  if (address === null || !URL.canParse(address)) return false
  const { host, origin } = new URL(address)
  if (publicUrl !== null && origin === new URL(publicUrl).origin) return true
  return host === askedHost(headers, isBehindProxy)
}
