import { spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { listProcesses } from '../sandbox/process/list-processes.ts'
import type { AppPool, Tenant } from './app-pool.ts'
import { startAppPool } from './start-app-pool.ts'

const RUN = 'run_leased0-1'
const APPS = ['admin', 'tiddlywiki'] as const
let folder: string
let pool: AppPool
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'pb-'))
  pool = await startAppPool({ runMark: RUN, folder })
})
afterAll(async () => {
  sleeper.kill('SIGKILL')
  await pool.close()
  rmSync(folder, { recursive: true, force: true })
})

type Asked = { origin: string; method: string; path: string; port?: number }

function ask({ origin, method, path, port }: Asked): Promise<number | null> {
  const { host, port: own } = new URL(origin)
  return new Promise((resolve) => {
    const sent = request(
      { host: '127.0.0.1', port: port ?? own, method, path, headers: { host }, agent: false },
      (response) => {
        response.resume()
        response.on('end', () => resolve(response.statusCode ?? null))
      },
    )
    sent.on('error', () => resolve(null))
    sent.end()
  })
}

const seenOf = async (tenant: Tenant) =>
  (await tenant.requests()).map(({ method, path, status, client }) => [
    method,
    path,
    status,
    client,
  ])

/** In these tests this process is one browser, and a sleeping process is another episode's browser. */
const sleeper = spawn('sleep', ['600'])
const NOT_US = sleeper.pid as number

describe.each(APPS)('an app of an episode: %s', { tags: 'linux' }, (app) => {
  const open = (tenant: string, browser: number | null) =>
    pool.open({ app, tenant: `${tenant}-${app}`, seed: 7, browser, fault: null })

  it('answers its browser', async () => {
    const tenant = await open('own', process.pid)
    expect(await ask({ origin: tenant.origin, method: 'GET', path: '/' })).toBeLessThan(400)
    expect((await seenOf(tenant))[0]).toMatchObject(['GET', '/', expect.any(Number), 'browser'])
    await tenant.close()
  })

  it('refuses everybody else, and says so', async () => {
    const tenant = await open('strange', NOT_US)
    const before = JSON.stringify(await tenant.state())
    const paths = ['/api/customers/C-1031/notes', '/.control/tenants', '/events']
    for (const path of paths)
      expect(await ask({ origin: tenant.origin, method: 'POST', path })).toBe(403)
    expect(await seenOf(tenant)).toEqual(paths.map((path) => ['POST', path, 403, 'other']))
    expect(JSON.stringify(await tenant.state())).toBe(before)
    await tenant.close()
  })

  it('tells a browser of another episode, at both', async () => {
    const [own, other] = [await open('mine', process.pid), await open('theirs', NOT_US)]
    expect(await ask({ origin: other.origin, method: 'POST', path: '/x' })).toBe(403)
    expect(await seenOf(other)).toEqual([['POST', '/x', 403, 'another-browser']])
    const host = `//theirs-${app}.localhost/x`
    expect(await seenOf(own)).toEqual([['POST', host, 403, 'browser']])
    await Promise.all([own.close(), other.close()])
  })
})

it('a third-party app responds only to the proxy, not to direct connections', async () => {
  const order = { app: 'tiddlywiki', tenant: 'past', seed: 1, browser: null, fault: null }
  const tenant = await pool.open(order)
  const ports = listProcesses()
    .filter(({ environment }) => environment.includes(`PROOFBOARD_RUN=${RUN}`))
    .flatMap(({ pid }) => portsOf(pid))
    .filter((port) => String(port) !== new URL(tenant.origin).port)
  expect(ports.length).toBeGreaterThan(0)
  const path = '/recipes/default/tiddlers.json'
  for (const port of ports) {
    const result = await ask({ origin: tenant.origin, method: 'GET', path, port })
    expect(result === null || result === 404).toBe(true) // the server of our own apps responds with 404
  }
  expect(await ask({ origin: tenant.origin, method: 'GET', path })).toBe(200)
  await tenant.close()
})

/** Returns the ports that a process listens on. */
function portsOf(pid: number): number[] {
  const folder = `/proc/${pid}/fd`
  const own = new Set(readdirSync(folder).map((name) => readLink(`${folder}/${name}`)))
  const lines = readFileSync('/proc/net/tcp', 'latin1').trim().split('\n').slice(1)
  return lines.flatMap((line) => {
    const [, local = '', , state, , , , , , inode] = line.trim().split(/\s+/)
    const isOwn = state === '0A' && own.has(`socket:[${inode}]`)
    return isOwn ? [Number.parseInt(local.split(':')[1] ?? '', 16)] : []
  })
}

function readLink(path: string): string {
  try {
    return readlinkSync(path)
  } catch {
    return ''
  }
}
