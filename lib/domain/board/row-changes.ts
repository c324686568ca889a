import { canonicalJson, type Digest } from '../digest/index.ts'
import { groupBy } from '../record/index.ts'
import { SETTING_LIST } from '../settings/index.ts'
import {
  type ChangePair,
  type ChangeTest,
  type JudgedChanges,
  MIN_TASKS,
} from '../statistics/index.ts'
import type { Suite, Task } from '../tasks/index.ts'
import type { Board, BoardRow } from './board-row.ts'
import { byTime, listChanges } from './row-history.ts'
import { rankPoolOf } from './row-words.ts'

/** Two consecutive ranked entries of one series: the same agent, model, arm, settings and sender. */
export type RowPair = {
  suiteTitle: string
  before: BoardRow
  after: BoardRow
  /** Other differences between the two: `version`, `suite version`, `arm contents`; empty = only the date. */
  changes: string[]
  /**
   * Number of tasks that are the same in both and paired by the test; null = too few, so it compares all tasks of each.
   */
  commonTasks: number | null
  test: ChangePair
}

/** A pair whose success rates differ significantly, with the number of pairs that were tested together. */
export type RowChange = RowPair & {
  result: ChangeTest
  adjustedP: number
  tested: number
  /** Confidence level of the interval, consistent with the corrected p. */
  confidence: number
}

/** A suite version with its tasks' digests, which tell the tasks that two versions share. */
type VersionTasks = Pick<Suite, 'digest'> & {
  tasks: readonly Pick<Task, 'taskId' | 'digest'>[]
}

/**
 * Lists the pairs that can be tested for a change, over all versions of all suites. Unranked entries are left out,
 * because their numbers are not safe to cite; so are different settings, arms and senders, because their difference is
 * not a change over time.
 */
export function listRowPairs(
  boards: readonly Board[],
  versions: readonly VersionTasks[],
): RowPair[] {
  const digests = new Map(
    versions.map(({ digest, tasks }) => [
      digest,
      new Map(tasks.map((task) => [task.taskId, task.digest])),
    ]),
  )
  const placed = boards.flatMap(({ suite, rows }) =>
    rows.map((row): Placed => ({ row, suiteTitle: suite.title })),
  )
  const series = groupBy(placed, ({ row }) => seriesKey(row))
  series.delete(null)
  return [...series.values()].flatMap((rows) => {
    const sorted = [...rows].sort((a, b) => byTime(a.row, b.row))
    return sorted.slice(1).map((after, index) => pairOf(sorted[index] as Placed, after, digests))
  })
}

type Placed = { row: BoardRow; suiteTitle: string }

/** Settings whose values separate series. */
const SERIES_SETTINGS = SETTING_LIST.filter(({ sameRow }) => sameRow !== null).map(({ key }) => key)

/**
 * Key that two entries share if their difference is a change; null = the entry is not ranked. The arm's content is not
 * part of it: like a version of the agent, it may change over time.
 */
function seriesKey(row: BoardRow): string | null {
  const pool = rankPoolOf(row)
  if (pool === null) return null
  const { suiteId, subject, settings, voucher = null, provenance } = row
  const { kind, name, modelRequested, provider, targeting = null, arm = null } = subject
  const values = SERIES_SETTINGS.map((key) => settings[key] ?? null)
  const who = [kind, name, modelRequested, provider, targeting, arm]
  return canonicalJson([suiteId, pool, who, values, voucher ?? provenance])
}

type TaskDigests = ReadonlyMap<string, ReadonlyMap<string, Digest>>

function pairOf(
  { row: before }: Placed,
  { row: after, suiteTitle }: Placed,
  digests: TaskDigests,
): RowPair {
  const common = commonTasks(before, after, digests)
  const isPaired = common.size >= MIN_TASKS || before.suiteDigest === after.suiteDigest
  const sideOf = ({ tasks, looks }: BoardRow) => ({
    tallies: isPaired ? tasks.filter(({ taskId }) => common.has(taskId)) : tasks,
    looks,
  })
  return {
    suiteTitle,
    before,
    after,
    changes: listChanges(before, after),
    commonTasks: isPaired ? common.size : null,
    test: { before: sideOf(before), after: sideOf(after), isPaired },
  }
}

/** Tasks that both entries scored and that are the same, byte for byte, in both versions. */
function commonTasks(before: BoardRow, after: BoardRow, digests: TaskDigests): Set<string> {
  const [was, is] = [digests.get(before.suiteDigest), digests.get(after.suiteDigest)]
  const isSame = (taskId: string) =>
    before.suiteDigest === after.suiteDigest ||
    (was?.get(taskId) !== undefined && was.get(taskId) === is?.get(taskId))
  const scored = ({ tasks }: BoardRow) =>
    tasks.filter(({ scored: count }) => count > 0).map(({ taskId }) => taskId)
  const earlier = new Set(scored(before))
  return new Set(scored(after).filter((taskId) => earlier.has(taskId) && isSame(taskId)))
}

/** Selects the significant pairs, newest first; `judged` are the results of their tests, in the same order. */
export function pickRowChanges(pairs: readonly RowPair[], judged: JudgedChanges): RowChange[] {
  const { results, alpha, tested } = judged
  const found = pairs.flatMap((pair, index) => {
    const result = results[index]
    if (!result?.ok || result.adjustedP > alpha) return []
    const { value, adjustedP } = result
    return [{ ...pair, result: value, adjustedP, tested, confidence: 1 - value.alpha }]
  })
  return found.sort((a, b) => (changeKey(a) < changeKey(b) ? 1 : -1))
}

/** Key that identifies a change and sorts by time. */
export function changeKey({ before, after }: Pick<RowPair, 'before' | 'after'>): string {
  return `${after.lastStartedAt} ${after.rowId} ${before.rowId}`
}
