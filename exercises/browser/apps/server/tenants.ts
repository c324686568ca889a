import type { AppTools } from '../app.ts'
import { createDraw } from '../kit/draw.ts'
import { APPS, type RunningApp } from '../registry.ts'
import { createFault, type Fault } from './fault.ts'
import { createPageStreams, type PageStreams } from './page-streams.ts'
import type { TenantOrder } from './tenant-order.ts'

const MOST_TENANTS = 200
const MOST_LOGGED = 10_000
const CLOCK_STARTS_AT = Date.UTC(2026, 2, 2, 9)

/**
 * A request as the server saw it; `status` is null while it is unanswered, and when its answer was lost; `client` is null
 * where nobody can tell.
 */
export type SeenRequest = {
  at: string
  method: string
  path: string
  status: number | null
  client: 'browser' | 'other' | 'gone' | 'another-browser' | null
}

/** One episode's own copy of an app. */
export type Tenant = {
  name: string
  appName: string
  app: RunningApp
  tools: AppTools
  streams: PageStreams
  fault: Fault | null
  /** An effect that the next page has to carry: its file in `kit/client/`. */
  effect: string | null
  /** The first process of the browser that may use it; null = anybody may. */
  browser: number | null
  requests: SeenRequest[]
  see: (method: string, path: string, client: SeenRequest['client']) => SeenRequest
}

export type Tenants = {
  find: (name: string) => Tenant | undefined
  /** The tenants that this browser may use. */
  ofBrowser: (browser: number) => Tenant[]
  /** Opens one, or answers in one sentence why not. */
  open: (order: TenantOrder, port: number) => Tenant | string
  close: (name: string) => boolean
}

export function createTenants(): Tenants {
  const tenants = new Map<string, Tenant>()
  return {
    find: (name) => tenants.get(name),
    ofBrowser: (browser) => [...tenants.values()].filter((one) => one.browser === browser),
    open: (order, port) => {
      if (tenants.has(order.tenant)) return `the tenant ${order.tenant} is open already`
      if (tenants.size >= MOST_TENANTS) return `${MOST_TENANTS} tenants are open: close some first`
      const tenant = createTenant(order, port)
      if (!tenant) return `there is no app ${order.app}`
      tenants.set(order.tenant, tenant)
      return tenant
    },
    close: (name) => {
      tenants.get(name)?.streams.close()
      return tenants.delete(name)
    },
  }
}

function createTenant(order: TenantOrder, port: number): Tenant | null {
  const known = APPS.find(({ name }) => name === order.app)
  if (!known) return null
  const streams = createPageStreams()
  const openedAt = performance.now()
  const requests: SeenRequest[] = []
  return {
    name: order.tenant,
    appName: known.name,
    app: known.start(createDraw(order.seed)),
    tools: {
      now: () => new Date(CLOCK_STARTS_AT + Math.floor(performance.now() - openedAt)),
      draw: createDraw(order.seed + 1),
      origin: `http://${order.tenant}.localhost:${port}`,
      announce: streams.send,
    },
    streams,
    fault: order.fault && createFault(order.fault),
    effect: null,
    browser: order.browser,
    requests,
    see: (method, path, client) => {
      const at = new Date().toISOString()
      const seen: SeenRequest = { at, method, path: path.slice(0, 500), status: null, client }
      if (requests.length < MOST_LOGGED) requests.push(seen)
      return seen
    },
  }
}
