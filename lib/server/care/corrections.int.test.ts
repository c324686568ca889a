import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { findBoard } from '#lib/db/board-store.ts'
import { cachingBuilder } from '#lib/db/cached-boards.ts'
import { closeDatabase, database } from '#lib/db/database.ts'
import { listLedger } from '#lib/db/ledger-store.ts'
import { findBrokenLink } from '#lib/domain/ledger/index.ts'
import { demoSuite } from '#lib/testing/factories/demo/demo-suites.ts'
import { plantDemo } from '#lib/testing/factories/demo/plant-demo.ts'
import { followLedger } from '#lib/worker/watchers.ts'
import { BoardRefresher } from '#lib/worker/worker-context.ts'
import { correct, listCorrections } from './corrections.ts'
import { getLedger } from './ledger.ts'

const dir = mkdtempSync(join(tmpdir(), 'proofboard-correct-'))
const RUN = 'run_demo000001'
const by = { author: 'tester', reason: ' a reason ' }

beforeAll(async () => {
  process.env.PROOFBOARD_DATA_DIR = dir
  process.env.PROOFBOARD_LOG_LEVEL = 'silent'
  await plantDemo(dir)
})
afterAll(async () => {
  await closeDatabase()
  rmSync(dir, { recursive: true, force: true })
})

const rowsOf = async (runId: string) => {
  const record = await findBoard(database(), demoSuite().digest)
  return record?.board.rows.filter(({ runIds }) => runIds.includes(runId)) ?? []
}

it('a running worker makes the boards follow what another process wrote', async () => {
  const stop = new AbortController()
  const boards = new BoardRefresher(database(), cachingBuilder(database()))
  const following = followLedger({ db: database(), boards, signal: stop.signal })
  expect(await rowsOf(RUN)).toHaveLength(1)
  const entry = await correct({ ...by, action: { kind: 'remove', target: RUN } })
  expect(entry).toMatchObject({ author: 'tester', reason: 'a reason' })
  for (let looks = 0; (await rowsOf(RUN)).length > 0 && looks < 300; looks++) await pause(50)
  expect(await rowsOf(RUN)).toEqual([])
  expect(await listCorrections([RUN])).toMatchObject([{ kind: 'removed', reason: 'a reason' }])
  stop.abort()
  await following
  await boards.settle()
})

it('refuses what makes no sense and writes nothing', async () => {
  const count = () => database().ledgerEntry.count()
  const before = await count()
  for (const request of [
    { ...by, action: { kind: 'remove', target: RUN } },
    { ...by, action: { kind: 'remove', target: 'run_nowhere' } },
    { ...by, action: { kind: 'invalidate', target: `row_${'0'.repeat(24)}` } },
    { ...by, reason: '', action: { kind: 'invalidate', target: RUN } },
    { ...by, reason: 'half a pair \ud800', action: { kind: 'invalidate', target: RUN } },
  ] as const) {
    await expect(correct(request)).rejects.toThrow(/^nothing was written: /)
  }
  expect(await count()).toBe(before)
})

it('two people at once: one remove is written, the chain stays whole', async () => {
  const action = { kind: 'remove', target: 'run_demo000002' } as const
  const answers = await Promise.allSettled([correct({ ...by, action }), correct({ ...by, action })])
  expect(answers.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  expect(findBrokenLink(await listLedger(database()))).toBeNull()
})

it('shows pages of fifty, newest first, filtered, and where the chain breaks', async () => {
  const all = { kind: null, target: '', page: 1 }
  const view = await getLedger(all)
  expect(view).toMatchObject({ holds: true, broken: null, pages: 1, total: view.entries.length })
  expect(view.head?.hash).toBe(view.entries[0]?.hash)
  const removed = await getLedger({ ...all, kind: 'remove' })
  expect(removed.entries.map(({ action }) => action.target)).toEqual(['run_demo000002', RUN])
  const ofOne = await getLedger({ ...all, target: RUN, page: 99 })
  expect(ofOne).toMatchObject({ page: 1, matching: 3 })
  for (let n = 0; n < 40; n++) {
    const kind = n % 2 === 0 ? 'invalidate' : 'reinstate'
    await correct({ ...by, action: { kind, target: 'run_demo000003' } })
  }
  const second = await getLedger({ ...all, page: 2 })
  expect([second.pages, second.entries.at(-1)?.sequence]).toEqual([2, 1])
  await database().ledgerEntry.update({ where: { sequence: 5 }, data: { reason: 'another' } })
  const broken = { holds: false, broken: expect.stringContaining('entry 5 was changed') }
  expect(await getLedger({ ...all, page: 2 })).toMatchObject(broken)
  const later = new Date(Date.now() + 600_000)
  expect(await getLedger(all, later)).toMatchObject(broken)
  await database().ledgerEntry.update({ where: { sequence: 9 }, data: { action: 'x' } })
  expect(await getLedger(all, later)).toMatchObject({ holds: false })
})
