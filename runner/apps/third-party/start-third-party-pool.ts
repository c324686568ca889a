import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { appServerError } from '../../runner-error.ts'
import type { AppPool, Tenant, TenantRequest } from '../app-pool.ts'
import { createClientFinder, type FindClient } from '../clients/find-client.ts'
import { nodeRed } from './node-red.ts'
import { dropSockets, type Front, openFront } from './open-front.ts'
import {
  type Instance,
  type InstanceHome,
  type InstancePool,
  openPool,
  startInstance,
} from './start-instance.ts'
import type { ThirdPartyApp } from './third-party-app.ts'
import { openRoute, type TenantRoute } from './third-party-app.ts'
import { tiddlywiki } from './tiddlywiki.ts'

/** Generous, because an app that starts slowly on a busy machine is not broken. */
const START_WITHIN_MS = 60_000

/** The run's mark, and its temporary folder; absent = a new one, removed when the pool is closed. */
type Home = { runMark: string; folder?: string }

/**
 * Manages the third-party apps of one run, behind one proxy. Apps are started on demand; a tenant has a server of its
 * app to itself, new or seeded again. `root` is where packages are searched.
 */
export function startThirdPartyPool(
  root: string,
  { runMark, folder }: Home,
  findClient: FindClient = createClientFinder(),
): AppPool {
  const pools = new Map<string, InstancePool>()
  const own = folder === undefined ? join(tmpdir(), `proofboard-apps-${randomUUID()}`) : null
  const home = { runMark, folder: folder ?? own ?? '', startMs: START_WITHIN_MS }
  let front: Promise<Front> | null = null
  return {
    open: async (order) => {
      const { kind, pool } = poolOf(pools, order, root, home)
      // After a failure, the next tenant tries again.
      front ??= openFront(findClient).catch((error: Error) => {
        front = null
        throw error
      })
      const opened = await front
      if (opened.routes.has(order.tenant))
        throw appServerError(`the tenant ${order.tenant} is open already`)
      const instance = await pool.lease()
      const route = openRoute(instance, order)
      opened.routes.set(order.tenant, route)
      return makeTenant(`http://${order.tenant}.localhost:${opened.port}`, {
        app: kind,
        instance,
        route,
        close: async () => {
          dropSockets(route)
          if (opened.routes.delete(order.tenant)) pool.release(instance)
        },
      })
    },
    close: async () => {
      await (await front)?.close()
      await Promise.all([...pools.values()].map((pool) => pool.close()))
      if (own !== null) await rm(own, { recursive: true, force: true })
    },
  }
}

function poolOf(
  pools: Map<string, InstancePool>,
  { app: name }: TenantRequest,
  root: string,
  home: InstanceHome,
) {
  const kind = findThirdParty(name)
  if (kind === null) throw appServerError(`There is no app called ${name}.`)
  const known = pools.get(name)
  if (known !== undefined) return { kind, pool: known }
  const entry = findEntry(kind, root)
  if (entry === null)
    throw appServerError(
      `the app ${name} is the npm package ${kind.package}, which is not installed: run npm ci, then try again.`,
    )
  const pool = openPool(kind, () => startInstance(kind, entry, home))
  pools.set(name, pool)
  return { kind, pool }
}

type Held = {
  app: ThirdPartyApp
  instance: Instance
  route: TenantRoute
  close: () => Promise<void>
}

function makeTenant(origin: string, { app, instance, route, close }: Held): Tenant {
  return {
    origin,
    read: async () => ({
      state: await app.state(instance),
      requests: [...route.seen],
      firing: route.fired,
    }),
    state: () => app.state(instance),
    requests: async () => [...route.seen],
    fired: async () => route.fired,
    onPoint: (inject) => {
      route.inject = inject
    },
    close,
  }
}

const APPS: readonly ThirdPartyApp[] = [nodeRed, tiddlywiki]

/** Returns the third-party app of that name; null = none, so it is one of ours. */
export function findThirdParty(name: string): ThirdPartyApp | null {
  return APPS.find((app) => app.name === name) ?? null
}

/** Finds the app's start script below the project or above it; null = the package is not installed. */
function findEntry(app: ThirdPartyApp, from: string): string | null {
  const path = join(from, 'node_modules', app.package, app.entry)
  if (existsSync(path)) return path
  const above = dirname(from)
  return above === from ? null : findEntry(app, above)
}
