import { findBoard } from '../../db/board-store.ts'
import type { Db, DbOrTx } from '../../db/db.ts'
import { countSuiteEpisodes } from '../../db/episode-store.ts'
import { readBoardInput } from '../../db/refresh-board.ts'
import { findRun } from '../../db/run-store.ts'
import { findSuiteVersion } from '../../db/suite-store.ts'
import { canCommit, type UploadEffect, type UploadPreview } from '../../domain/api/index.ts'
import {
  type Board,
  type BuildBoardInput,
  buildBoard,
  compareBoards,
} from '../../domain/board/index.ts'
import type { Digest } from '../../domain/digest/index.ts'
import { countOf } from '../../domain/text/index.ts'
import { commitResults } from './commit-results.ts'

/** A larger upload would hold the database's write lock, and block this process, for too long. */
const MAX_UPLOADED = 5000
const MAX_ON_BOARD = 20_000

type Options = Omit<Parameters<typeof commitResults>[1], 'alsoWrite' | 'expected'>

/**
 * Computes what committing an upload would do to the boards. Commits it inside a transaction that is rolled back once
 * the boards' input was read, so that it cannot differ from the real commit. Null = a commit would add no episode.
 */
export async function foreseeEffect(
  db: Db,
  options: Options,
  preview: UploadPreview,
): Promise<UploadEffect | null> {
  if (!canCommit(preview) || preview.counts.new === 0) return null
  if (preview.counts.new > MAX_UPLOADED) {
    const left = `More than ${countOf(MAX_UPLOADED, 'new episode')}: what they do to the entries is shown on the leaderboard after the commit.`
    return { boards: [], left: [left] }
  }
  const touched = await rehearse(db, { ...options, expected: preview.digest })
  const found = touched.map(foreseeBoard)
  return {
    boards: found.flatMap(({ board }) => board ?? []),
    left: found.flatMap(({ left }) => left ?? []),
  }
}

/**
 * Returns whether the boards are still those that an effect was computed from; `written` = after its episodes were
 * stored.
 */
export async function hasSameBase(
  db: DbOrTx,
  { boards }: UploadEffect,
  { written = false } = {},
): Promise<boolean> {
  for (const { suiteDigest, base, added } of boards)
    if ((await describeBase(db, suiteDigest, written ? added : 0)) !== base) return false
  return true
}

/**
 * Describes the stored board, and how many episodes it is or will soon be built from; `fresh` of them do not count yet.
 */
async function describeBase(db: DbOrTx, suiteDigest: Digest, fresh = 0): Promise<string> {
  const record = await findBoard(db, suiteDigest)
  return `${record?.digest ?? 'none'}/${(await countSuiteEpisodes(db, suiteDigest)) - fresh}`
}

type Touched = {
  suiteId: string
  suiteDigest: Digest
  base: string
  added: number
  before: Board | null
  /** Null = the board is too large to be built here. */
  input: BuildBoardInput | null
}

/** Rolls a transaction back. */
class RolledBack extends Error {}

async function rehearse(
  db: Db,
  options: Parameters<typeof commitResults>[1],
): Promise<readonly Touched[]> {
  const touched: Touched[] = []
  const alsoWrite = async (tx: DbOrTx, { runs }: UploadPreview) => {
    touched.length = 0 // of a transaction that is retried
    for (const [suiteDigest, fresh] of await countFresh(tx, runs)) {
      const one = await readTouched(tx, suiteDigest, fresh)
      if (one) touched.push(one)
    }
    throw new RolledBack()
  }
  try {
    await commitResults(db, { ...options, alsoWrite })
  } catch (error) {
    if (!(error instanceof RolledBack)) throw error
  }
  return touched
}

/** Counts new episodes per suite version. */
async function countFresh(tx: DbOrTx, runs: UploadPreview['runs']): Promise<Map<Digest, number>> {
  const fresh = new Map<Digest, number>()
  for (const { runId, counts } of runs) {
    const run = counts.new > 0 ? await findRun(tx, runId) : null
    if (run === null) continue
    const { suiteDigest } = run.plan
    fresh.set(suiteDigest, (fresh.get(suiteDigest) ?? 0) + counts.new)
  }
  return fresh
}

/** Null = this suite version is not known here, so no board shows it. */
async function readTouched(
  tx: DbOrTx,
  suiteDigest: Digest,
  fresh: number,
): Promise<Touched | null> {
  const suite = await findSuiteVersion(tx, suiteDigest)
  if (suite === null) return null
  const isSmall = (await countSuiteEpisodes(tx, suiteDigest)) <= MAX_ON_BOARD
  return {
    suiteId: suite.suiteId,
    suiteDigest,
    base: await describeBase(tx, suiteDigest, fresh),
    added: fresh,
    before: (await findBoard(tx, suiteDigest))?.board ?? null,
    input: isSmall ? (await readBoardInput(tx, suite)).input : null,
  }
}

function foreseeBoard({ before, input, ...of }: Touched) {
  if (input !== null) {
    const changes = compareBoards(before, buildBoard(input))
    return { board: { ...of, ...changes }, left: null }
  }
  const left = `The board of ${of.suiteId} has more than ${countOf(MAX_ON_BOARD, 'episode')}: what happens to its entries is shown there after the commit.`
  return { board: null, left }
}
