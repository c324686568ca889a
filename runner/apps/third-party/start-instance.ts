import { randomBytes } from 'node:crypto'
import { mkdir, mkdtemp } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { appServerError } from '../../runner-error.ts'
import { nodeProgram } from '../../sandbox/process/node-program.ts'
import { RUNNER_ENV } from '../../sandbox/process/own-env.ts'
import { type Service, startService } from '../../sandbox/process/start-service.ts'
import { PROJECT_ROOT } from '../../suites/project-paths.ts'
import type { Running, ThirdPartyApp } from './third-party-app.ts'

/** One server of an app. `isAlive` is false once its process has ended. */
export type Instance = Running & {
  /** Result of `probe` when it was new. */
  fresh: string
  isAlive: () => boolean
  stop: () => Promise<boolean>
}

const PASS_HEADER = 'x-proofboard-front'
/** Loaded before the app: its server then accepts only requests with the secret, so all others must use our proxy. */
const GUARD = join(PROJECT_ROOT, 'runner', 'apps', 'third-party', 'guard-server.cjs')

export type InstanceHome = {
  /** The run's temporary folder: each instance gets its own folder below it. */
  folder: string
  runMark: string
  /** Maximum time until an app listens and responds. */
  startMs: number
}

/** Starts one server of the app and waits until it responds. Throws with its last output if it does not. */
export async function startInstance(
  app: ThirdPartyApp,
  entry: string,
  home: InstanceHome,
): Promise<Instance> {
  await mkdir(home.folder, { recursive: true })
  const folder = await mkdtemp(join(home.folder, `${app.name}-`))
  const { args, env, readPort } = await app.prepare(folder, entry, await findFreePort())
  const secret = randomBytes(32).toString('base64url')
  const words: string[] = []
  let listens: (port: number) => void = () => {}
  const port = new Promise<number>((resolve) => {
    listens = resolve
  })
  const service = startService({
    argv: [nodeProgram().path, '--require', GUARD, ...args],
    cwd: folder,
    env: { HOME: folder, TMPDIR: folder, PATH: RUNNER_ENV.PATH ?? '', ...env },
    runMark: home.runMark,
    onLine: (line) => {
      words.push(line.slice(0, 300))
      if (words.length > 20) words.shift()
      const found = readPort(line)
      if (found !== null) listens(found)
    },
  })
  service.send(secret)
  const base = `http://127.0.0.1:${await portOrStop(app, service, port, words, home.startMs)}`
  let isAlive = true
  void service.ended.then(() => {
    isAlive = false
  })
  try {
    const running = { base, folder, pass: { [PASS_HEADER]: secret } }
    await app.reset(running)
    const fresh = JSON.stringify(await app.probe(running))
    return { ...running, fresh, isAlive: () => isAlive, stop: service.stop }
  } catch (error) {
    await service.stop()
    throw error
  }
}

async function portOrStop(
  { name }: ThirdPartyApp,
  service: Service,
  port: Promise<number>,
  words: readonly string[],
  startMs: number,
) {
  const late = new AbortController()
  const found = await Promise.race([
    port,
    service.ended.then(({ exitCode, error }) => error ?? `it ended with exit code ${exitCode}`),
    sleep(startMs, `it did not listen within ${startMs} ms`, { signal: late.signal, ref: false }),
  ])
  late.abort()
  if (typeof found === 'number') return found
  await service.stop()
  throw appServerError(
    `the app ${name} could not be started: ${found}. ${words.slice(-3).join(' ')}`,
  )
}

/** Finds a port for apps that cannot choose a free one themselves. */
function findFreePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
}

export type InstancePool = {
  /** Leases an instance in its initial state; one user at a time. */
  lease: () => Promise<Instance>
  /** Returns an instance: it is seeded again in the background, and discarded if it then differs from a new one. */
  release: (instance: Instance) => void
  close: () => Promise<void>
}

/** Keeps the servers of one app warm between episodes; as many as were ever used at the same time. */
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
    return false // discarded, whatever is wrong with it
  }
}
