import type { Duplex } from 'node:stream'
import { fitsRequest } from '../../verify/browser/judge-assertions.ts'
import type { Firing, RequestClient, SeenRequest, TenantRequest } from '../app-pool.ts'

/**
 * An app's server that runs on this machine: a loopback port and a folder of its own, and the headers without which it
 * answers no request (`guard-server.cjs`).
 */
export type Running = { base: string; folder: string; pass: Readonly<Record<string, string>> }

type Launch = {
  /** The package's own script and its arguments, for this Node. */
  args: readonly string[]
  env: Readonly<Record<string, string>>
  /** Answers the port when this line of its output says that it listens; null = not yet. */
  readPort: (line: string) => number | null
}

/**
 * An app that others wrote, installed from npm at an exact version and run as it is: one file. It needs no sign-in and
 * knows no tenants, so a tenant is a process of it, seeded again between two episodes.
 */
export type ThirdPartyApp = {
  name: string
  /** The npm package whose installed version is the app's version. */
  package: string
  /** What a tenant begins with; covered by the digest of its tasks, as all files of an app of ours are. */
  seed: unknown
  /** Raised whenever its settings or what `state` says change; covered by the digest of its tasks. */
  adapterVersion: number
  /** Writes its settings and seed into an empty folder. `freePort` is a free port. */
  prepare: (folder: string, entry: string, freePort: number) => Promise<Launch>
  /** The script of the package that starts it, relative to its folder. */
  entry: string
  /** Puts the seed back through the app's own API. */
  reset: (running: Running) => Promise<void>
  /** All that an episode could have changed, as JSON: a server that was reset has to answer as it did when it was new. */
  probe: (running: Running) => Promise<unknown>
  /** What contracts are judged by, through the app's own API. */
  state: (running: Running) => Promise<unknown>
}

/** A loopback call of an app's API: throws when it is not answered with success within 5 s. */
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

/** One tenant as the proxy knows it: where its app listens, what was seen, and the fault that is to happen once. */
export type TenantRoute = {
  base: URL
  /** What the app's server requires before it answers. */
  pass: Running['pass']
  /** The first process of the browser that may use it; null = no restriction. */
  browser: number | null
  fault: TenantRequest['fault']
  /** Becomes true with the first request that fits, so that no second one can fire it. */
  isTaken: boolean
  fired: Firing | null
  inject: (() => Promise<string | null>) | null
  seen: SeenRequest[]
  /** Open connections of browsers, ended with the tenant. */
  sockets: Set<Duplex>
}

/** The first requests of a tenant are stored, no more than that. */
const MOST_SEEN = 5000

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
