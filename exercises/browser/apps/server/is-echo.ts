import type { Tenant } from './tenants.ts'

const ECHO_WITHIN_MS = 1500

/**
 * Whether this is the request whose answer was lost, once more: a browser sends a request again by itself when a
 * connection that it had used before closes without an answer. No user asked for that, so it is lost unseen by the app.
 */
export function isEcho({ fault, requests }: Tenant, method: string, path: string): boolean {
  const firing = fault?.kind === 'lost-response' ? fault.fired() : null
  if (!firing || Date.now() - Date.parse(firing.at) > ECHO_WITHIN_MS) return false
  const before = requests.at(-2) // the last one is this one
  return before?.method === method && before.path === path && before.status === null
}
