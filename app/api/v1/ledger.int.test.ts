import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { findBoardTexts } from '#lib/db/board-text-store.ts'
import { closeDatabase, database, migrateDatabase } from '#lib/db/database.ts'
import { refreshBoard } from '#lib/db/refresh-board.ts'
import { saveEpisode } from '#lib/db/save-episode.ts'
import { sealRun } from '#lib/db/seal-run.ts'
import { saveSuite } from '#lib/db/suite-store.ts'
import { parseLedger } from '#lib/domain/archive/index.ts'
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
  const answer = await getLedgerFile(ask('ledger.json'), none)
  expect(answer.headers.get('content-disposition')).toContain('ledger.json')
  expect(parseLedger(await answer.text())).toMatchObject({ flaws: [], entries: { length: 3 } })
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

it('serves a board in the bytes that are kept of it', async () => {
  const answer = await getLeaderboard(ask('leaderboard?suite=sample'), none)
  const { suiteDigest } = await database().boardSnapshot.findFirstOrThrow()
  const stored = await findBoardTexts(database(), suiteDigest)
  expect(await answer.text()).toBe(stored?.text)
})
