import { randomBytes } from 'node:crypto'
import { request } from 'node:http'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { z } from 'zod'
import { browserFaultKindSchema } from '#lib/domain/record/index.ts'
import { parseJson } from '#lib/domain/text/index.ts'
import { appServerError } from '../runner-error.ts'
import { nodeProgram } from '../sandbox/process/node-program.ts'
import { type Service, startService } from '../sandbox/process/start-service.ts'
import { PROJECT_ROOT } from '../suites/project-paths.ts'
import type { AppPool, Tenant, TenantRequest } from './app-pool.ts'
import { createClientFinder, type Ends } from './clients/find-client.ts'
import { findThirdParty, startThirdPartyPool } from './third-party/start-third-party-pool.ts'

const START_WITHIN_MS = 30_000
const KEPT_LINES = 20

/**
 * Starts the server of the browser exercises' apps, one process for all tenants. Rejects with a RunnerError if it does
 * not start; later calls reject with one if the server has died. `runMark` identifies the run. Third-party apps are
 * started below `folder` once a tenant needs one; absent = a temporary folder that is removed on close.
 */
export async function startAppPool(home: { runMark: string; folder?: string }): Promise<AppPool> {
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
        // The connection breaks shortly before the process is known to have ended.
        await Promise.race([gone, sleep(200)])
        throw error
      })
    control.ask = ask
    const others = startThirdPartyPool(PROJECT_ROOT, home, findClient)
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
  /** A client's connection whose requests wait until the server knows the client. */
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
      else readLine(line, listen, onLine)
    },
  })
  const gone = rejectWhenGone(service, complaints)
  gone.catch(() => {}) // reported to the next caller
  const tooLate = sleep(START_WITHIN_MS, undefined, { ref: false }).then(() => {
    throw appServerError(`the server of the apps was not up within ${START_WITHIN_MS / 1000} s`)
  })
  tooLate.catch(() => {})
  return { service, gone, listening: Promise.race([announced, gone, tooLate]) }
}

async function rejectWhenGone({ ended }: Service, complaints: readonly string[]): Promise<never> {
  const { exitCode, signal, error } = await ended
  const how = error ?? (signal === null ? `code ${exitCode}` : `signal ${signal}`)
  const message = complaints.slice(-3).join(' | ')
  throw appServerError(`the server of the apps has ended (${how})${message && `: ${message}`}`)
}

function keep(lines: string[], line: string): void {
  if (lines.length >= KEPT_LINES) lines.shift()
  lines.push(line.slice(0, 500))
}

function readLine(line: string, listen: (port: number) => void, on: Hear): void {
  const message = serverLineSchema.safeParse(parseJson(line))
  if (!message.success) return
  if ('listening' in message.data) listen(message.data.listening)
  else if ('point' in message.data) on.point(message.data.point)
  else on.connection(message.data.connection)
}

/** The bundler locates its own folder, so it is imported from its own path, also from a bundle. */
async function bundleServer(): Promise<string> {
  const bundler = pathToFileURL(join(PROJECT_ROOT, 'lib', 'setup', 'bundle.mjs')).href
  const { bundleEntry } = (await import(bundler)) as typeof import('#lib/setup/bundle.mjs')
  return bundleEntry(join('exercises', 'browser', 'apps', 'main.ts'))
}

/** The browser that may use a tenant, by tenant. */
type TenantBrowsers = Map<string, number>

/** Injectors to run when a tenant's fault point is reached, by tenant. */
type Injectors = Map<string, () => Promise<string | null>>

/** Opens a tenant on the app server. Rejects with a RunnerError if it is refused or the server is gone. */
async function openTenant(
  order: TenantRequest,
  { ask, injectors, browsers }: { ask: AskControl; injectors: Injectors; browsers: TenantBrowsers },
): Promise<Tenant> {
  if (order.browser) browsers.set(order.tenant, order.browser)
  const { status, body } = await ask('POST', 'tenants', order).catch((error: Error) => {
    browsers.delete(order.tenant)
    throw error
  })
  const opened = openedSchema.safeParse(body)
  if (status !== 200 || !opened.success) {
    browsers.delete(order.tenant)
    const { data } = refusedSchema.safeParse(body)
    throw appServerError(`no tenant was opened: ${data?.error ?? `answer ${status}`}`)
  }
  const path = `tenants/${order.tenant}`
  const read = async () => {
    const response = await ask('GET', path)
    const known = tenantSchema.safeParse(response.body)
    if (!known.success) throw appServerError(`tenant ${order.tenant}: answer ${response.status}`)
    return known.data
  }
  return {
    origin: opened.data.origin,
    read,
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

/** Runs the tenant's injector and tells the server that it may respond. Never rejects. */
async function acknowledgePoint(
  { tenant, id }: { tenant: string; id: number },
  injectors: Injectors,
  ask: AskControl,
): Promise<void> {
  const inject = injectors.get(tenant)
  const evidence = inject ? await inject().catch(() => null) : null
  // The next call reports a server that is gone.
  await ask('POST', `points/${id}`, { evidence }).catch(() => null)
}

const ANSWER_WITHIN_MS = 10_000

type ControlAnswer = { status: number; body: unknown }

/** Calls the app server's control endpoint at 127.0.0.1. Rejects with a RunnerError for an invalid response. */
type AskControl = (method: string, path: string, body?: object) => Promise<ControlAnswer>

function createControlClient(port: number, secret: string): AskControl {
  return (method, path, body) =>
    new Promise((resolve, reject) => {
      const fail = (why: string) => reject(appServerError(`${method} ${path}: ${why}`))
      const text = body === undefined ? '' : JSON.stringify(body)
      const requested = request(
        {
          host: '127.0.0.1',
          port,
          method,
          path: `/.control/${path}`,
          headers: {
            'x-proofboard-control': secret,
            'content-type': 'application/json',
            'content-length': Buffer.byteLength(text),
          },
          signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
        },
        (response) => {
          const chunks: Buffer[] = []
          response.on('data', (chunk: Buffer) => chunks.push(chunk))
          response.on('error', ({ message }) => fail(message))
          response.on('end', () => {
            const parsed = parseJson(Buffer.concat(chunks).toString('utf8')) ?? null
            resolve({ status: response.statusCode ?? 0, body: parsed })
          })
        },
      )
      requested.on('error', ({ message }) => fail(message))
      requested.end(text)
    })
}

/** Lines that the app server prints on stdout. */
const serverLineSchema = z.union([
  z.object({ listening: z.number().int().positive() }),
  z.object({ point: z.object({ id: z.number().int(), tenant: z.string(), at: z.string() }) }),
  z.object({
    connection: z.object({
      id: z.number().int(),
      address: z.string(),
      port: z.number().int(),
      serverPort: z.number().int(),
    }),
  }),
])

const openedSchema = z.object({ origin: z.string() })
const refusedSchema = z.object({ error: z.string() })

/** Its response to a request for a tenant. */
const tenantSchema = z.object({
  state: z.unknown(),
  requests: z.array(
    z.object({
      at: z.string(),
      method: z.string(),
      path: z.string(),
      status: z.number().int().nullable(),
      client: z.enum(['browser', 'other', 'gone', 'another-browser']).nullable(),
    }),
  ),
  firing: z
    .object({ kind: browserFaultKindSchema, at: z.string(), evidence: z.string() })
    .nullable(),
})
