import type { AppHouse, Tenant, TenantOrder } from '../app-house.ts'
import { findEntry, findThirdParty } from './find-third-party.ts'
import { type InstancePool, openPool } from './instance-pool.ts'
import { dropSockets, type Front, openFront } from './open-front.ts'
import { type Instance, type InstanceHome, startInstance } from './start-instance.ts'
import { openRoute, type TenantRoute } from './tenant-route.ts'
import type { ThirdPartyApp } from './third-party-app.ts'

/**
 * The third-party apps of one run, behind one proxy. Nothing is started before a tenant asks for it; a tenant has a
 * server of its app to itself, new or seeded again. `root` is where packages are looked for.
 */
export function startThirdPartyHouse(root: string, home: InstanceHome): AppHouse {
  const pools = new Map<string, InstancePool>()
  let front: Promise<Front> | null = null
  return {
    open: async (order) => {
      const pool = poolOf(pools, order, root, home)
      front ??= openFront()
      const [instance, door] = await Promise.all([pool.app.lease(), front])
      const route = openRoute(instance.base, order.fault)
      door.routes.set(order.tenant, route)
      return makeTenant(`http://${order.tenant}.localhost:${door.port}`, {
        app: pool.kind,
        instance,
        route,
        close: async () => {
          dropSockets(route)
          if (door.routes.delete(order.tenant)) pool.app.release(instance)
        },
      })
    },
    close: async () => {
      await (await front)?.close()
      await Promise.all([...pools.values()].map((pool) => pool.close()))
    },
  }
}

function poolOf(
  pools: Map<string, InstancePool>,
  { app: name }: TenantOrder,
  root: string,
  home: InstanceHome,
) {
  const kind = findThirdParty(name)
  if (kind === null) throw new Error(`There is no app called ${name}.`)
  const known = pools.get(name)
  if (known !== undefined) return { kind, app: known }
  const entry = findEntry(kind, root)
  if (entry === null)
    throw new Error(
      `The app ${name} is the npm package ${kind.package}, which is not installed: run npm ci, then try again.`,
    )
  const app = openPool(kind, () => startInstance(kind, entry, home))
  pools.set(name, app)
  return { kind, app }
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
    state: () => app.state(instance),
    requests: async () => [...route.seen],
    fired: async () => route.fired,
    onPoint: (inject) => {
      route.inject = inject
    },
    close,
  }
}
