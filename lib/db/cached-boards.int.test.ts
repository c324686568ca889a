import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildBoard, digestBoard, serializeBoard, splitBoard } from '../domain/board/index.ts'
import type { LedgerAction } from '../domain/ledger/index.ts'
import { type EpisodeBody, freezePlan, type Plan } from '../domain/record/index.ts'
import type { Suite } from '../domain/tasks/index.ts'
import { demoSuite } from '../testing/factories/demo/demo-suites.ts'
import { plantDemo } from '../testing/factories/demo/plant-demo.ts'
import { sampleEpisode, samplePlan, sampleSuite } from '../testing/factories/samples.ts'
import { findBoard } from './board-store.ts'
import { findBoardTexts } from './board-text-store.ts'
import { CachedBoards } from './cached-boards.ts'
import { closeDatabase, database } from './database.ts'
import { appendLedger } from './ledger-store.ts'
import { readBoardInput } from './refresh-board.ts'
import { saveRun } from './run-store.ts'
import { saveEpisode } from './save-episode.ts'
import { saveSuite } from './suite-store.ts'
import { inTransaction } from './transaction.ts'

const dir = mkdtempSync(join(tmpdir(), 'proofboard-kept-'))
const NOW = new Date('2026-12-01T00:00:00.000Z')

beforeAll(async () => {
  process.env.PROOFBOARD_DATA_DIR = dir
  await plantDemo(dir, { isSmall: true })
})
afterAll(async () => {
  await closeDatabase()
  rmSync(dir, { recursive: true, force: true })
})

/** Expects the stored board after a refresh to equal a full rebuild, byte for byte. */
async function expectSame(boards: CachedBoards, suite: Suite): Promise<void> {
  const db = database()
  const board = serializeBoard(await boards.refresh(db, suite, NOW))
  const { input, ledgerSequence } = await readBoardInput(db, suite)
  const rebuilt = buildBoard(input)
  expect(board).toBe(serializeBoard(rebuilt))
  const stored = await findBoardTexts(db, suite.digest)
  const digest = digestBoard(splitBoard(rebuilt))
  expect(stored).toMatchObject({ text: board, digest, ledgerSequence })
  // Rows that the board no longer shows are removed.
  expect(await db.boardRow.count({ where: { suiteDigest: suite.digest } })).toBe(
    JSON.parse(board).rows.length,
  )
}

const correct = (action: LedgerAction) =>
  inTransaction(database(), (tx) =>
    appendLedger(tx, { author: 'a', reason: 'a test', action }, NOW),
  )

describe('kept boards', () => {
  it('follow every kind of correction, and an old database whose facts were never copied', async () => {
    const db = database()
    const boards = new CachedBoards()
    const suite = demoSuite()
    await expectSame(boards, suite)
    const record = await findBoard(db, suite.digest)
    const ranked = record?.board.rows.filter(({ rank }) => rank !== null) ?? []
    const [first, second] = ranked
    const { episodeId, status } = await db.episode.findFirstOrThrow({
      where: { runId: first?.runIds[0] ?? '', status: 'unsolved' },
    })
    const runId = second?.runIds[0] ?? ''
    const include = await db.ledgerEntry.findFirstOrThrow({
      where: { target: runId, kind: 'include' },
    })
    const actions: LedgerAction[] = [
      { kind: 'invalidate', target: episodeId },
      { kind: 'reinstate', target: episodeId },
      {
        kind: 'rescore',
        target: episodeId,
        from: status as 'unsolved',
        to: 'solved',
        verdict: 'pass',
      },
      { kind: 'invalidate', target: first?.rowId ?? '' },
      { kind: 'remove', target: runId },
      JSON.parse(include.action),
    ]
    for (const action of actions) {
      await correct(action)
      await expectSame(boards, suite)
    }
    await db.$executeRaw`DELETE FROM "Fact"`
    await db.$executeRaw`DELETE FROM "FactMark"`
    await db.$executeRaw`INSERT INTO "PendingFact" SELECT "episodeId" FROM "Episode"`
    await expectSame(new CachedBoards(), suite)
  })

  it('equal those of the envelopes after an upgrade: facts of an earlier version are derived again', async () => {
    const db = database()
    const suite = demoSuite()
    const now = serializeBoard(await new CachedBoards().refresh(db, suite, NOW))
    const stored = await db.episode.findMany({ select: { episodeId: true, fact: true } })
    for (const { episodeId, fact } of stored) {
      const { agentExit: _, origin: __, ...earlier } = JSON.parse(fact)
      const where = { episodeId }
      await db.episode.update({ where, data: { fact: JSON.stringify(earlier) } })
    }
    expect(JSON.stringify(await readBoardInput(db, suite))).not.toContain('agentExit')
    expect(serializeBoard(await new CachedBoards().refresh(db, suite, NOW))).toBe(now)
    expect(await db.episode.findMany({ select: { episodeId: true, fact: true } })).toEqual(stored)
  })

  it('take in one episode after another, and only what is new is read', async () => {
    const db = database()
    const boards = new CachedBoards()
    const suite = sampleSuite()
    await saveSuite(db, suite, NOW)
    const { planDigest: _, frozenAt: __, schemaVersion: ___, ...draft } = samplePlan()
    const others = freezePlan(
      { ...draft, suiteDigest: suite.digest, subject: { ...draft.subject, name: 'nop' } },
      { now: '2026-01-01T00:00:00.000Z' },
    )
    const own = samplePlan({ suiteDigest: suite.digest })
    const save = async (plan: Plan, runId: string, changes: Partial<EpisodeBody>) => {
      await saveRun(db, { runId, plan, provenance: 'local', jobId: null }, NOW)
      const episode = sampleEpisode({ runId, ...changes }, plan)
      const receipt = { provenance: 'local', directory: null, receivedAt: NOW } as const
      await saveEpisode(db, JSON.stringify(episode), receipt)
    }
    for (const [plan, runId] of [
      [own, 'run_kept0001'],
      [others, 'run_kept0002'],
      [own, 'run_kept0003'],
    ] as const)
      for (const repetition of [1, 2]) {
        await save(plan, runId, { repetition })
        await expectSame(boards, suite)
      }
    expect(await db.pendingFact.count()).toBe(0)
    expect(await db.fact.count({ where: { suiteDigest: suite.digest } })).toBe(6)
  })
})
