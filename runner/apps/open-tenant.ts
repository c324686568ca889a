import type { Tenant, TenantOrder } from './app-house.ts'
import { AppServerError } from './app-server-error.ts'
import type { AskControl } from './control-client.ts'
import { openedSchema, refusedSchema, tenantSchema } from './read-answers.ts'

/** The browser that may use a tenant, by tenant. */
export type TenantBrowsers = Map<string, number>

/** What the harness does when a tenant's fault point is reached, by tenant. */
export type Injectors = Map<string, () => Promise<string | null>>

/** Opens a tenant at the app server. Rejects with AppServerError when it is refused or the server is gone. */
export async function openTenant(
  order: TenantOrder,
  { ask, injectors, browsers }: { ask: AskControl; injectors: Injectors; browsers: TenantBrowsers },
): Promise<Tenant> {
  if (order.browser) browsers.set(order.tenant, order.browser)
  const { status, body } = await ask('POST', 'tenants', order)
  const opened = openedSchema.safeParse(body)
  if (status !== 200 || !opened.success) {
    browsers.delete(order.tenant)
    const { data } = refusedSchema.safeParse(body)
    throw new AppServerError(`no tenant was opened: ${data?.error ?? `answer ${status}`}`)
  }
  const path = `tenants/${order.tenant}`
  const read = async () => {
    const answer = await ask('GET', path)
    const known = tenantSchema.safeParse(answer.body)
    if (!known.success) throw new AppServerError(`tenant ${order.tenant}: answer ${answer.status}`)
    return known.data
  }
  return {
    origin: opened.data.origin,
    state: async () => (await read()).state,
    requests: async () => (await read()).requests,
    fired: async () => (await read()).firing,
    onPoint: (inject) => void injectors.set(order.tenant, inject),
    close: async () => {
      injectors.delete(order.tenant)
      browsers.delete(order.tenant)
      await ask('DELETE', path)
    },
  }
}

/** Runs the tenant's injector and tells the server that it may answer the request. Never rejects. */
export async function acknowledgePoint(
  { tenant, id }: { tenant: string; id: number },
  injectors: Injectors,
  ask: AskControl,
): Promise<void> {
  const inject = injectors.get(tenant)
  const evidence = inject ? await inject().catch(() => null) : null
  // A server that is gone by now is told by whatever is asked of it next.
  await ask('POST', `points/${id}`, { evidence }).catch(() => null)
}
