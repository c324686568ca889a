import { once } from 'node:events'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { listAllBoards } from '#lib/db/board-store.ts'
import { closeDatabase, database, migrateDatabase } from '#lib/db/database.ts'
import { env, inDataFolder, otherDataFolder, settleEnv } from '#lib/env.ts'
import { frontPages } from '#lib/server/http/front-pages.ts'
import { CONSOLE } from '#lib/testing/corpora/submit-body.ts'
import { currentExample, type Example, exampleFolder } from './examples.ts'
import { changeExample, sweepExamples } from './make-example.ts'

let dataDir: string
beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'proofboard-example-'))
  vi.stubEnv('PROOFBOARD_DATA_DIR', dataDir)
  settleEnv(process.cwd())
  await migrateDatabase()
})
afterAll(async () => {
  vi.unstubAllEnvs()
  await closeDatabase()
  rmSync(dataDir, { recursive: true, force: true })
})

async function countOwn(): Promise<number[]> {
  const db = database()
  const counts = [db.run.count(), db.episode.count(), db.suite.count(), db.boardSnapshot.count()]
  return Promise.all([...counts, db.ledgerEntry.count(), db.auditEntry.count()])
}

const SHOWN = '%s: a board of its own that touches nothing else, and goes without a trace'
it.each([['ts-bench', [], false]] as const)(SHOWN, showAndRemove, 120_000)
// Made up as the demo of other tests is, whose board they check.
it.each([['simulated', ['demo', 'demo-browser'], true]] as const)(
  SHOWN,
  { tags: 'night', timeout: 120_000 },
  showAndRemove,
)

async function showAndRemove(
  example: Example,
  suites: readonly string[],
  isRanked: boolean,
): Promise<void> {
  const before = await countOwn()
  const shown = await changeExample({ example, do: 'show' }, CONSOLE)
  expect(shown.status).toBe(303)
  const [cookie = ''] = (shown.headers.get('set-cookie') ?? '').split(';')
  const folder = exampleFolder(`a=b; ${cookie}; c=d`)
  expect(folder).toBe(join(dataDir, 'examples', example))
  expect(readdirSync(join(dataDir, 'examples'))).toEqual([example])

  const boards = await inDataFolder(folder ?? '', async () => {
    expect([currentExample(), env().dataDir]).toEqual([example, folder])
    return (await listAllBoards(database())).map(({ board }) => board)
  })
  expect(boards.map(({ suite }) => suite.suiteId)).toEqual(expect.arrayContaining([...suites]))
  const rows = boards.flatMap((board) => board.rows)
  expect(rows.some(({ rank }) => rank !== null)).toBe(isRanked)
  if (example === 'ts-bench') {
    expect(rows).toHaveLength(10)
    const names = rows.map(({ subject: { name, modelRequested } }) => `${name} ${modelRequested}`)
    expect(names).toContain('claude claude-opus-4-6')
    expect(rows.every(({ refusals }) => refusals.length > 0)).toBe(true)
  }

  expect([otherDataFolder(), currentExample()]).toEqual([null, null])
  expect(await countOwn()).toEqual(before)
  // A second click shows what is there.
  await changeExample({ example, do: 'show' }, CONSOLE)
  const gone = await changeExample({ example, do: 'remove' }, CONSOLE)
  expect(gone.headers.get('set-cookie')).toContain('Max-Age=0')
  expect(existsSync(join(dataDir, 'examples', example))).toBe(false)
  expect(exampleFolder(cookie)).toBeNull()
  expect(await countOwn()).toEqual(before)
}

it('half an example of a server that was killed is swept, not one that is being made', async () => {
  const examples = join(dataDir, 'examples')
  const names = ['simulated.killed', 'simulated.under-way', 'ts-bench']
  for (const name of names) mkdirSync(join(examples, name), { recursive: true })
  const before = new Date(Date.now() - 7 * 60 * 60_000)
  for (const name of ['simulated.killed', 'ts-bench'])
    utimesSync(join(examples, name), before, before)
  await sweepExamples()
  expect(readdirSync(examples).sort()).toEqual(['simulated.under-way', 'ts-bench'])
  rmSync(examples, { recursive: true })
})

it('a cookie names one of the examples or none', () => {
  for (const value of ['../..', 'simulated', 'nothing', 'ts-bench%2f..'])
    expect(exampleFolder(`proofboard.example=${value}`)).toBeNull()
})

it('is shown to a browser with its cookie on pages of the board alone, never by the API', async () => {
  const folder = join(dataDir, 'examples', 'ts-bench')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'proofboard.db'), '')
  frontPages({ isKeeping: false })
  const server = createServer(async (_, response) => {
    // As a page that reads something first.
    await new Promise((resolve) => setTimeout(resolve, 5))
    response.end(currentExample() ?? 'own')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  // Not by `fetch`, which follows `..` before it asks.
  const ask = async (path: string, cookie = 'proofboard.example=ts-bench', method = 'GET') => {
    const sent = request({ host: '127.0.0.1', port, path, method, headers: { cookie } })
    const [answer] = await once(sent.end(), 'response')
    return text(answer)
  }
  const shown = ['/', '/?suite=demo', '/runs/run_1', '/episodes/ep_1', '/compare?rows=a', '/ledger']
  for (const path of [...shown, '/api/v1/episodes/ep_1/screenshot'])
    expect([path, await ask(path)]).toEqual([path, 'ts-bench'])
  const own = [
    '/admin',
    '/sign-in',
    '/feed.xml',
    '/api/v1/leaderboard',
    '/api/v1/runs/run_1/export',
  ]
  const ways = ['/agents/../admin', '/runs/%2e%2e/sign-in', '/suites/..\\api/v1/leaderboard']
  for (const path of [...own, ...ways, '/api/v1/ledger', '/api/v1/episodes/ep_1', '/runs.xml'])
    expect([path, await ask(path)]).toEqual([path, 'own'])
  expect(await ask('/', 'proofboard.example=other')).toBe('own')
  expect(await ask('/', 'proofboard.example=ts-bench', 'POST')).toBe('own')
  server.close()
  rmSync(folder, { recursive: true })
})
