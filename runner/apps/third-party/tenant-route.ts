import type { Duplex } from 'node:stream'
import { fitsRequest } from '../../contracts/browser/fit-request.ts'
import type { Firing, RequestClient, SeenRequest, TenantOrder } from '../app-house.ts'
import type { Running } from './third-party-app.ts'

/** One tenant as the proxy knows it: where its app listens, what was seen, and the fault that is to happen once. */
export type TenantRoute = {
  base: URL
  /** What the app's server wants to see before it answers anybody. */
  pass: Running['pass']
  /** The first process of the browser that may use it; null = anybody may. */
  browser: number | null
  fault: TenantOrder['fault']
  /** Becomes true with the first request that fits, so that no second one can fire it. */
  isTaken: boolean
  fired: Firing | null
  inject: (() => Promise<string | null>) | null
  seen: SeenRequest[]
  /** Open connections of browsers, ended with the tenant. */
  sockets: Set<Duplex>
}

/** The first requests of a tenant are kept, no more than that. */
const MOST_SEEN = 5000

export function openRoute(
  { base, pass }: Running,
  { fault, browser = null }: Pick<TenantOrder, 'fault' | 'browser'>,
): TenantRoute {
  const rest = { isTaken: false, fired: null, inject: null, seen: [], sockets: new Set<Duplex>() }
  return { base: new URL(base), pass, browser, fault, ...rest }
}

export function noteRequest(
  route: TenantRoute,
  method: string,
  path: string,
  client: RequestClient,
): SeenRequest {
  const request = { at: new Date().toISOString(), method, path, status: null, client }
  if (route.seen.length < MOST_SEEN) route.seen.push(request)
  return request
}

/** The fault that this request fires, taken so that it happens once; null = none. */
export function takeFault(route: TenantRoute, { method, path }: SeenRequest) {
  if (route.fault === null || route.isTaken) return null
  if (!fitsRequest(route.fault.at, method, path)) return null
  route.isTaken = true
  return route.fault.kind
}
