import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { nodeProgram } from '../process/node-program.ts'
import { type Service, startService } from '../process/start-service.ts'
import { PROJECT_ROOT } from '../suites/project-paths.ts'
import type { AppHouse } from './app-house.ts'
import { AppServerError } from './app-server-error.ts'
import { createClientFinder, type Ends } from './clients/find-client.ts'
import { type AskControl, createControlClient } from './control-client.ts'
import { acknowledgePoint, type Injectors, openTenant } from './open-tenant.ts'
import { serverLineSchema } from './read-answers.ts'
import { findThirdParty } from './third-party/find-third-party.ts'
import { startThirdPartyHouse } from './third-party/start-third-party-house.ts'

const START_WITHIN_MS = 30_000
const KEPT_LINES = 20

/**
 * Starts the server of the browser exercises' apps, one process for all tenants. Rejects with AppServerError when it
 * does not come up; later calls reject with it when the server has died. `runMark` is the run it belongs to. Apps of
 * others are started below `folder` once a tenant asks for one; absent = a temporary folder that goes when it is closed.
 */
export async function startAppHouse(home: { runMark: string; folder?: string }): Promise<AppHouse> {
  const { runMark } = home
  const secret = randomBytes(32).toString('base64url')
  const injectors: Injectors = new Map()
  const browsers = new Map<string, number>()
  const findClient = createClientFinder()
  const control: { ask: AskControl | null } = { ask: null }
  const started = await startServer(runMark, {
    point: ({ tenant, id }) => {
      if (control.ask) void acknowledgePoint({ tenant, id }, injectors, control.ask)
    },
    connection: ({ id, ...ends }) => {
      void findClient(ends, new Set(browsers.values()))
        .catch(() => 'gone' as const)
        .then((client) => service.send(JSON.stringify({ connection: id, client })))
    },
  })
  const { service, listening, gone } = started
  service.send(JSON.stringify({ secret }))
  try {
    const plain = createControlClient(await listening, secret)
    const ask: AskControl = (...request) =>
      plain(...request).catch(async (error: unknown) => {
        // The connection breaks a moment before the process is known to have ended.
        await Promise.race([gone, sleep(200)])
        throw error
      })
    control.ask = ask
    const others = startThirdPartyHouse(PROJECT_ROOT, home, findClient)
    return {
      open: (order) =>
        findThirdParty(order.app)
          ? others.open(order)
          : openTenant(order, { ask, injectors, browsers }),
      close: async () => {
        await others.close()
        await service.stop()
      },
    }
  } catch (error) {
    await service.stop()
    throw error
  }
}

type Hear = {
  point: (point: { tenant: string; id: number }) => void
  /** A client's connection whose requests wait until the server is told who it is. */
  connection: (connection: Ends & { id: number }) => void
}

async function startServer(runMark: string, onLine: Hear) {
  const complaints: string[] = []
  let listen: (port: number) => void = () => {}
  const announced = new Promise<number>((resolve) => {
    listen = resolve
  })
  const service = startService({
    argv: [nodeProgram().path, '--enable-source-maps', await bundleServer()],
    cwd: PROJECT_ROOT,
    env: {},
    runMark,
    onLine: (line, from) => {
      if (from === 'stderr') keep(complaints, line)
      else hear(line, listen, onLine)
    },
  })
  const gone = rejectWhenGone(service, complaints)
  gone.catch(() => {}) // told to whoever asks next
  const tooLate = sleep(START_WITHIN_MS, undefined, { ref: false }).then(() => {
    throw new AppServerError(`the server of the apps was not up within ${START_WITHIN_MS / 1000} s`)
  })
  tooLate.catch(() => {})
  return { service, gone, listening: Promise.race([announced, gone, tooLate]) }
}

async function rejectWhenGone({ ended }: Service, complaints: readonly string[]): Promise<never> {
  const { exitCode, signal, error } = await ended
  const how = error ?? (signal === null ? `code ${exitCode}` : `signal ${signal}`)
  const said = complaints.slice(-3).join(' | ')
  throw new AppServerError(`the server of the apps has ended (${how})${said && `: ${said}`}`)
}

function keep(lines: string[], line: string): void {
  if (lines.length >= KEPT_LINES) lines.shift()
  lines.push(line.slice(0, 500))
}

function hear(line: string, listen: (port: number) => void, on: Hear): void {
  const said = serverLineSchema.safeParse(parse(line))
  if (!said.success) return
  if ('listening' in said.data) listen(said.data.listening)
  else if ('point' in said.data) on.point(said.data.point)
  else on.connection(said.data.connection)
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return null
  }
}

/** The bundler finds its own folder, so it is imported from where it lies, also by a bundle of ours. */
async function bundleServer(): Promise<string> {
  const bundler = pathToFileURL(join(PROJECT_ROOT, 'lib', 'setup', 'bundle.mjs')).href
  const { bundleEntry } = (await import(bundler)) as typeof import('../../lib/setup/bundle.mjs')
  return bundleEntry(join('exercises', 'browser', 'apps', 'main.ts'))
}
