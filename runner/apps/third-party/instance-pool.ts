import type { Instance } from './start-instance.ts'
import type { ThirdPartyApp } from './third-party-app.ts'

export type InstancePool = {
  /** An instance that nobody else uses and that is as it was when it was new. */
  lease: () => Promise<Instance>
  /** Given back: it is seeded again meanwhile, and thrown away when it then differs from a new one. */
  release: (instance: Instance) => void
  close: () => Promise<void>
}

/** Keeps the servers of one app warm from episode to episode; it holds as many as were ever used at one time. */
export function openPool(app: ThirdPartyApp, start: () => Promise<Instance>): InstancePool {
  const resting = new Set<Promise<Instance | null>>()
  const running = new Set<Instance>()
  const stop = async (instance: Instance) => {
    await instance.stop()
    running.delete(instance)
  }
  return {
    lease: async () => {
      for (const rested of resting) {
        resting.delete(rested)
        const instance = await rested
        if (instance?.isAlive()) return instance
        if (instance !== null) await stop(instance)
      }
      const instance = await start()
      running.add(instance)
      return instance
    },
    release: (instance) => {
      resting.add(
        isAsNew(app, instance).then(async (isNew) => {
          if (isNew) return instance
          await stop(instance)
          return null
        }),
      )
    },
    close: async () => {
      await Promise.all(resting)
      await Promise.all([...running].map(stop))
    },
  }
}

async function isAsNew(app: ThirdPartyApp, instance: Instance) {
  try {
    await app.reset(instance)
    return JSON.stringify(await app.probe(instance)) === instance.fresh
  } catch {
    return false // whatever is wrong with it, a new one is not
  }
}
