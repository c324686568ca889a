import type { Duplex } from 'node:stream'
import { fitsRequest } from '../../verify/browser/judge-assertions.ts'
import type { Firing, RequestClient, SeenRequest, TenantRequest } from '../app-pool.ts'

/**
 * An app's running server: its loopback port, its folder, and the headers that every request needs
 * (`guard-server.cjs`).
 */
export type Running = { base: string; folder: string; pass: Readonly<Record<string, string>> }

type Launch = {
  /** The package's own script and its arguments, for this Node. */
  args: readonly string[]
  env: Readonly<Record<string, string>>
  /** Returns the port if this line of its output reports that it listens; null = not yet. */
  readPort: (line: string) => number | null
}

/**
 * An app by others, installed from npm at an exact version and run unchanged: one file. It needs no sign-in and has no
 * tenants, so a tenant is a process of it, seeded again between two episodes.
 */
export type ThirdPartyApp = {
  name: string
  /** The npm package whose installed version is the app's version. */
  package: string
  /** Initial state of a tenant; covered by the digest of its tasks, as all files of our own apps are. */
  seed: unknown
  /** Increment when its settings or the output of `state` change; covered by the digest of its tasks. */
  adapterVersion: number
  /** Writes its settings and seed into an empty folder. `freePort` is a free port. */
  prepare: (folder: string, entry: string, freePort: number) => Promise<Launch>
  /** The script of the package that starts it, relative to its folder. */
  entry: string
  /** Restores the seed through the app's own API. */
  reset: (running: Running) => Promise<void>
  /** Everything that an episode could have changed, as JSON: a reset server has to respond as a new one does. */
  probe: (running: Running) => Promise<unknown>
  /** The state that success criteria are evaluated on, from the app's own API. */
  state: (running: Running) => Promise<unknown>
}

/** Calls an app's API on loopback: throws without a successful response within 5 s. */
export async function callApp(
  { base, pass }: Pick<Running, 'base' | 'pass'>,
  path: string,
  { headers = {}, ...init }: RequestInit & { headers?: Record<string, string> } = {},
): Promise<Response> {
  const signal = AbortSignal.timeout(5000)
  const response = await fetch(`${base}${path}`, {
    ...init,
    headers: { ...headers, ...pass },
    signal,
  })
  if (!response.ok)
    throw new Error(`${init.method ?? 'GET'} ${path} was answered with ${response.status}`)
  return response
}

/** State of one tenant in the proxy: where its app listens, what was seen, and the fault to inject once. */
export type TenantRoute = {
  base: URL
  /** Headers that the app's server requires. */
  pass: Running['pass']
  /** The first process of the browser that may use it; null = no restriction. */
  browser: number | null
  fault: TenantRequest['fault']
  /** Set by the first matching request, so that no second one fires it. */
  isTaken: boolean
  fired: Firing | null
  inject: (() => Promise<string | null>) | null
  seen: SeenRequest[]
  /** Open connections of browsers, closed with the tenant. */
  sockets: Set<Duplex>
}

/** Maximum number of stored requests of a tenant. */
const MAX_SEEN = 5000

export function openRoute(
  { base, pass }: Running,
  { fault, browser = null }: Pick<TenantRequest, 'fault' | 'browser'>,
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
  if (route.seen.length < MAX_SEEN) route.seen.push(request)
  return request
}

/** Returns the fault that this request fires, and marks it as taken; null = none. */
export function takeFault(route: TenantRoute, { method, path }: SeenRequest) {
  if (route.fault === null || route.isTaken) return null
  if (!fitsRequest(route.fault.at, method, path)) return null
  route.isTaken = true
  return route.fault.kind
}
