/** What the harness asks for: one episode's own copy of an app. */
export type TenantOrder = {
  app: string
  tenant: string
  seed: number
  /** The first process of the browser that may use it; null = anybody may. */
  browser: number | null
  fault: { kind: string; at: string } | null
}

const TENANT = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/

/** Reads an order of the harness; null = it is none. */
export function readTenantOrder(body: Record<string, unknown>): TenantOrder | null {
  const { app, tenant, seed, fault } = body
  if (typeof app !== 'string' || typeof tenant !== 'string' || !TENANT.test(tenant)) return null
  if (typeof seed !== 'number' || !Number.isSafeInteger(seed) || seed < 0) return null
  const browser = typeof body.browser === 'number' ? body.browser : null
  if (fault === null) return { app, tenant, seed, browser, fault }
  if (typeof fault !== 'object' || !('kind' in fault) || !('at' in fault)) return null
  const { kind, at } = fault
  if (typeof kind !== 'string' || typeof at !== 'string') return null
  return { app, tenant, seed, browser, fault: { kind, at } }
}
