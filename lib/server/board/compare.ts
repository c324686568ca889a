import { setImmediate as attendToOthers } from 'node:timers/promises'
import { type BoardRecord, listBoards, listBoardsWithRows } from '../../db/board-store.ts'
import { type Db, database } from '../../db/database.ts'
import { listTaskEpisodes } from '../../db/episode-store.ts'
import { listEpisodeEntries } from '../../db/ledger-store.ts'
import { findSuiteVersion, listSuites } from '../../db/suite-store.ts'
import { type Board, type BoardRow, pickRow } from '../../domain/board/index.ts'
import {
  type AgainstBaseline,
  againstBaseline,
  buildComparison,
  type ComparedRow,
  type Comparison,
  type ComparisonInput,
  type ComparisonRefusalCode,
  type ComparisonView,
  type PairView,
  parseRowIds,
  refuseComparison,
  rowTaskCounts,
} from '../../domain/compare/index.ts'
import { digestJson } from '../../domain/digest/index.ts'
import { applyLedger, correctedStatus } from '../../domain/ledger/index.ts'
import type { OutcomeStatus } from '../../domain/record/index.ts'
import {
  COMPARISON_ALPHA,
  compareSteps,
  type RowComparison,
  type RowTaskCounts,
} from '../../domain/statistics/index.ts'
import { AppError, type ErrorCode } from '../../errors.ts'

/** Compares rows of any suite and version by their current boards, or returns why they cannot be compared. */
export async function getComparison(requested: readonly string[]): Promise<Comparison> {
  const db = database()
  const records = await listBoardsWithRows(db, requested)
  const all = records.flatMap(({ board }) => board.rows)
  const rowIds = requested.map((id) => pickRow(all, id)?.rowId ?? id)
  const input = { rowIds, rows: findRows(records, rowIds), suites: await findSuites(db, records) }
  const refusal = refuseComparison(input)
  if (refusal) return refusal
  const key = [...records.map(({ digest }) => digest), ...[...rowIds].sort()].join(' ')
  return buildComparison(input, await comparisonNumbers(key, rowTaskCounts(input)))
}

/** Compares every row of a board with the row `rowId`, corrected over all pairs; empty = no such row. */
export async function compareWithBaseline(
  { rows }: Pick<Board, 'rows'>,
  rowId: string | null,
): Promise<AgainstBaseline> {
  const baseline = rowId === null ? null : pickRow(rows, rowId)
  if (!baseline) return {}
  const scored = rows.filter(({ success }) => success.rate !== null)
  const counts = rowTaskCounts({ rowIds: scored.map((row) => row.rowId), rows, suites: [] })
  const key = `baseline ${baseline.rowId} ${digestJson(counts)}`
  return againstBaseline(rows, baseline, await comparisonNumbers(key, counts, baseline.rowId))
}

function findRows(
  records: readonly BoardRecord[],
  rowIds: readonly string[],
): ComparisonInput['rows'] {
  return records.flatMap(({ board }) => board.rows.filter(({ rowId }) => rowIds.includes(rowId)))
}

async function findSuites(
  db: Db,
  records: readonly BoardRecord[],
): Promise<ComparisonInput['suites']> {
  const suites = records.map(({ board }) => findSuiteVersion(db, board.suite.digest))
  return (await Promise.all(suites)).filter((suite) => suite !== null)
}

const CODES: Record<ComparisonRefusalCode, ErrorCode> = {
  'too-few-rows': 'invalid-request',
  'too-many-rows': 'invalid-request',
  'repeated-row': 'invalid-request',
  'unknown-row': 'not-found',
  'other-suite': 'conflict',
  'other-version': 'conflict',
}

/** Compares the rows `a,b`. Throws an AppError that says why they cannot be compared and what can. */
export async function requireComparison(rows: string): Promise<ComparisonView> {
  const comparison = await getComparison(parseRowIds(rows))
  if (comparison.ok) return comparison
  throw new AppError(CODES[comparison.code], `${comparison.reason} ${comparison.remedy}`)
}

/** Cached results: eight rows of a hundred tasks with unequal repetitions take some seconds. */
const MAX_KEPT = 60

const cached = new Map<string, Promise<RowComparison>>()
let last: Promise<unknown> = Promise.resolve()

/**
 * Returns the numbers of all pairs of these rows, cached under `key`, which must change whenever a count does. Runs one
 * computation at a time and lets other requests pass between two pairs.
 */
function comparisonNumbers(
  key: string,
  rows: readonly RowTaskCounts[],
  baseline?: string,
): Promise<RowComparison> {
  const known = cached.get(key)
  if (known !== undefined) return keep(key, known)
  const work = last.then(() => compute(rows, baseline))
  last = work.catch(() => cached.delete(key))
  return keep(key, work)
}

/** Adds to the cache; evicts the least recently used result. */
function keep(key: string, numbers: Promise<RowComparison>): Promise<RowComparison> {
  cached.delete(key)
  cached.set(key, numbers)
  const [oldest] = cached.keys()
  if (cached.size > MAX_KEPT && oldest !== undefined) cached.delete(oldest)
  return numbers
}

async function compute(
  rows: readonly RowTaskCounts[],
  baseline: string | undefined,
): Promise<RowComparison> {
  const steps = compareSteps(rows, COMPARISON_ALPHA, baseline)
  let step = steps.next()
  while (!step.done) {
    await attendToOthers()
    step = steps.next()
  }
  return step.value
}

/** Rows of one suite version, which can all be compared with each other. */
type ComparableRows = {
  suiteId: string
  title: string
  version: string | null
  digest: string
  isCurrent: boolean
  rows: BoardRow[]
}

/** Lists suite versions with rows; a suite's current version before its earlier ones. */
export async function listComparableRows(): Promise<ComparableRows[]> {
  const db = database()
  const suites = await listSuites(db)
  const boards = suites.map(async ({ suiteId, digest: current }) => {
    const records = await listBoards(db, suiteId)
    const versions = records.map(async ({ board: { suite, rows } }) => {
      const stored = await findSuiteVersion(db, suite.digest)
      const isCurrent = suite.digest === current
      const { title, digest } = suite
      return { suiteId, title, version: stored?.version ?? null, digest, isCurrent, rows }
    })
    return (await Promise.all(versions)).sort((a, b) => Number(b.isCurrent) - Number(a.isCurrent))
  })
  return (await Promise.all(boards)).flat().filter(({ rows }) => rows.length > 0)
}

type FlipEpisode = { episodeId: string; repetition: number; status: OutcomeStatus }

/** The last attempts of a row by task, with ledger corrections applied. */
type EpisodesByTask = Record<string, FlipEpisode[]>

/** Lists the episodes of a pair's flipped tasks on either side, for links to them. */
export async function listFlipEpisodes(
  { flipped }: Pick<PairView, 'flipped'>,
  [a, b]: readonly [ComparedRow, ComparedRow],
): Promise<{ a: EpisodesByTask; b: EpisodesByTask }> {
  const taskIds = flipped.map(({ taskId }) => taskId)
  const [left, right] = await Promise.all([
    listLastAttempts(a, taskIds),
    listLastAttempts(b, taskIds),
  ])
  return { a: left, b: right }
}

async function listLastAttempts(
  { runIds, subject }: ComparedRow,
  taskIds: readonly string[],
): Promise<EpisodesByTask> {
  if (taskIds.length === 0) return {}
  const [all, entries] = await Promise.all([
    listTaskEpisodes(database(), { runIds, taskIds }),
    listEpisodeEntries(database(), runIds),
  ])
  const ledger = applyLedger(entries)
  // A run with arms has the episodes of several rows.
  const attempts = all.filter(({ arm }) => arm === (subject.arm ?? null))
  const slots = new Map(
    attempts.map((attempt) => [
      `${attempt.runId} ${attempt.taskId} ${attempt.repetition}`,
      attempt,
    ]),
  )
  const byTask: EpisodesByTask = {}
  for (const episode of slots.values()) {
    const { taskId, episodeId, repetition } = episode
    const episodes = byTask[taskId] ?? []
    episodes.push({ episodeId, repetition, status: correctedStatus(episode, ledger) })
    byTask[taskId] = episodes
  }
  return byTask
}
