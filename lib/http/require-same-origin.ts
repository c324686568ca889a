import { AppError } from '#lib/errors.ts'

/**
 * Refuses a write that another site's page may have sent: a browser names the page's origin with every write, and it
 * has to be ours. Behind a proxy ours is what the proxy was asked for.
 */
export function requireSameOrigin(headers: Headers): void {
  const origin = headers.get('origin')
  const asked = headers.get('x-forwarded-host')?.split(',')[0]?.trim() || headers.get('host')
  if (origin && asked && URL.canParse(origin) && new URL(origin).host === asked) return
  throw new AppError('forbidden', 'Cross-origin request refused.')
}
