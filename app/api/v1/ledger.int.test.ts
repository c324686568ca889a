import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findBoardTexts } from '#lib/db/board-text-store.ts'
import { closeDatabase, database, migrateDatabase } from '#lib/db/database.ts'
import { refreshBoard } from '#lib/db/refresh-board.ts'
import { saveEpisode } from '#lib/db/save-episode.ts'
import { sealRun } from '#lib/db/seal-run.ts'
import { saveSuite } from '#lib/db/suite-store.ts'
import { parseLedger, serializeLedger } from '#lib/domain/archive/index.ts'
import { canonicalJson } from '#lib/domain/digest/index.ts'
import { chainEntry, type LedgerEntry } from '#lib/domain/ledger/index.ts'
import {
  SAMPLE_RUN_ID,
  sampleEpisode,
  samplePlan,
  sampleSuite,
} from '#lib/testing/factories/samples.ts'
import { saveSampleRun } from '#lib/testing/factories/temporary-database.ts'
import { GET as getLeaderboard } from './leaderboard/route.ts'
import { GET as getLedger } from './ledger/route.ts'
import { GET as getLedgerFile } from './ledger.json/route.ts'

const dir = mkdtempSync(join(tmpdir(), 'proofboard-ledger-api-'))
const suite = sampleSuite()
const plan = samplePlan({
  suiteDigest: suite.digest,
  tasks: suite.tasks.map(({ taskId, digest, category }) => ({ taskId, digest, category })),
})
const none = { params: Promise.resolve({}) }
const ask = (path: string, headers = {}) =>
  new Request(`http://localhost/api/v1/${path}`, { headers })

beforeAll(async () => {
  process.env.PROOFBOARD_DATA_DIR = dir
  process.env.PROOFBOARD_LOG_LEVEL = 'silent'
  await migrateDatabase()
  const db = database()
  const now = new Date()
  await saveSuite(db, suite, now)
  await saveSampleRun(db, plan)
  const taskDigest = plan.tasks[0]?.digest ?? ''
  const receipt = { provenance: 'local', directory: null, receivedAt: now } as const
  await saveEpisode(db, JSON.stringify(sampleEpisode({ taskDigest }, plan)), receipt)
  await sealRun(db, SAMPLE_RUN_ID, now)
  await refreshBoard(db, suite, now)
})
afterAll(async () => {
  await closeDatabase()
  rmSync(dir, { recursive: true, force: true })
})

it('gives the entries, the head and whether the chain holds, piece by piece', async () => {
  const whole = await (await getLedger(ask('ledger'), none)).json()
  expect(whole).toMatchObject({ holds: true, broken: null })
  expect(whole.entries.map(({ action }: { action: { kind: string } }) => action.kind)).toEqual([
    'task-version',
    'include',
    'seal-run',
  ])
  expect(whole.head).toBe(whole.entries[2].hash)
  const piece = await (await getLedger(ask('ledger?after=1&limit=1'), none)).json()
  expect(piece).toEqual({ ...whole, entries: [whole.entries[1]], next: expect.any(String) })
  const rest = await (await getLedger(new Request(`http://localhost${piece.next}`), none)).json()
  expect(rest).toEqual({ ...whole, entries: [whole.entries[2]], next: null })
  const refused = await getLedger(ask('ledger?after=x'), none)
  expect([refused.status, (await refused.json()).error.message]).toEqual([
    400,
    expect.stringContaining('after'),
  ])
})

it('knows who has the bytes already', async () => {
  const etag = (await getLedger(ask('ledger'), none)).headers.get('etag') ?? ''
  const again = await getLedger(ask('ledger', { 'if-none-match': etag }), none)
  expect([again.status, await again.text()]).toEqual([304, ''])
})

it('hands out the file that verify takes, and refuses to hand out a part of it', async () => {
  const response = await getLedgerFile(ask('ledger.json'), none)
  expect(response.headers.get('content-disposition')).toContain('ledger.json')
  expect(parseLedger(await response.text())).toMatchObject({ flaws: [], entries: { length: 3 } })
  const { action } = await database().ledgerEntry.findFirstOrThrow({ where: { sequence: 2 } })
  await database().ledgerEntry.update({ where: { sequence: 2 }, data: { action: '{' } })
  const damaged = await getLedgerFile(ask('ledger.json'), none)
  const broken = await (await getLedger(ask('ledger'), none)).json()
  await database().ledgerEntry.update({ where: { sequence: 2 }, data: { action } })
  expect([damaged.status, (await damaged.json()).error.message]).toEqual([
    503,
    expect.stringContaining('entry 2'),
  ])
  expect(broken).toMatchObject({ holds: false, entries: [{ sequence: 1 }] })
})

describe('a ledger of more entries than are read at once', () => {
  const MANY = 1200
  const rowsOf = async () => database().ledgerEntry.findMany({ orderBy: { sequence: 'asc' } })
  const spoil = (sequence: number, action: string) =>
    database().ledgerEntry.update({ where: { sequence }, data: { action } })
  let kept: Awaited<ReturnType<typeof rowsOf>>
  beforeAll(async () => {
    const db = database()
    kept = await rowsOf()
    let last = kept.at(-1) as unknown as LedgerEntry
    const data = Array.from({ length: MANY }, (_, at) => {
      const action = { kind: 'remove' as const, target: `run_${String(at).padStart(8, '0')}` }
      const draft = { author: 'tester', reason: 'because', action }
      last = chainEntry(last, draft, { now: '2026-01-01T00:00:00.000Z' })
      return { ...last, ...action, at: new Date(last.at), action: canonicalJson(action) }
    })
    await db.ledgerEntry.createMany({ data })
  })
  afterAll(() => database().ledgerEntry.deleteMany({ where: { sequence: { gt: kept.length } } }))

  it('is the same file, and what cannot be read breaks it off', async () => {
    const whole = await (await getLedgerFile(ask('ledger.json'), none)).text()
    const { entries, flaws } = parseLedger(whole)
    expect([flaws, entries.length]).toEqual([[], kept.length + MANY])
    expect(whole).toBe(serializeLedger(entries))
    const { action } = (await rowsOf())[MANY - 1] as { action: string }
    await spoil(MANY, '{')
    const cut = await getLedgerFile(ask('ledger.json'), none)
    expect(cut.status).toBe(200)
    await expect(cut.text()).rejects.toThrow(`entry ${MANY}`)
    const refused = await getLedgerFile(ask('ledger.json'), none)
    await spoil(MANY, action)
    expect(refused.status).toBe(503)
    expect((await getLedgerFile(ask('ledger.json'), none)).status).toBe(200)
  })

  it('is read as far as it is answered: a page, and nothing for who has the file', async () => {
    const etag = (await getLedgerFile(ask('ledger.json'), none)).headers.get('etag') ?? ''
    await (await getLedger(ask('ledger'), none)).text()
    const { action } = (await rowsOf())[MANY - 1] as { action: string }
    await spoil(MANY, '{')
    const page = await (await getLedger(ask('ledger?after=100&limit=500'), none)).json()
    const known = await getLedgerFile(ask('ledger.json', { 'if-none-match': etag }), none)
    const seen = await (await getLedger(ask(`ledger?after=${MANY - 3}`), none)).json()
    await spoil(MANY, action)
    expect([page.holds, page.entries.length, page.entries[0].sequence]).toEqual([true, 500, 101])
    expect(known.status).toBe(304)
    expect(seen).toMatchObject({ holds: false, broken: expect.stringContaining(`entry ${MANY}`) })
    expect([seen.entries.length, seen.next]).toEqual([2, null])
  })

  it('finds what was changed on the page that it answers', async () => {
    const { action } = (await rowsOf())[700] as { action: string }
    await spoil(701, action.replace('run_0', 'run_1'))
    const page = await (await getLedger(ask('ledger?after=650&limit=100'), none)).json()
    await spoil(701, action)
    expect(page).toMatchObject({
      holds: false,
      broken: 'entry 701 was changed after it was written',
    })
  })
})

it('serves a board in the bytes that are kept of it', async () => {
  const response = await getLeaderboard(ask('leaderboard?suite=sample'), none)
  const { suiteDigest } = await database().boardSnapshot.findFirstOrThrow()
  const stored = await findBoardTexts(database(), suiteDigest)
  expect(await response.text()).toBe(stored?.text)
})
