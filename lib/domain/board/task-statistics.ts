import { z } from 'zod'
import {
  clopperPearsonInterval,
  itemStatistics,
  MIN_ROWS,
  modelRates,
} from '../statistics/index.ts'
import { addMutations, survivingShare, type Task } from '../tasks/index.ts'
import { type BoardRow, boardRowSchema } from './board-row.ts'

const count = z.number().int().nonnegative()

/** Item statistics of a suite's tasks over the rows of a board: dead tasks, and how well each discriminates. */
export const taskStatisticsSchema = z.object({
  /** Number of rows used: ranked ones, and model-driven ones that this server ran, none under faults. */
  rows: count,
  /** Minimum rows for statistics about single tasks. */
  fewestRows: count,
  /** Number of best ranked rows (at most four), and of tasks on which their success rates differ by half or more. */
  top: z.object({ rows: count, separating: count }).optional(),
  tasks: z.array(
    z.object({
      taskId: z.string(),
      rows: count,
      /** Mean success over the rows, 0–1; null = no row contains it. */
      mean: z.number().nullable(),
      /** Null = too few rows contain it. */
      solvedBy: z.enum(['all', 'none', 'some']).nullable(),
      /** Item-rest correlation over the rows, -1 … 1; null = too few rows, or no variance. */
      discrimination: z.number().nullable(),
    }),
  ),
})
export type TaskStatistics = z.infer<typeof taskStatisticsSchema>

/** Analyses the tasks of a board, in the order of `taskIds`, over its rows. */
export function taskStatistics(
  rows: readonly BoardRow[],
  taskIds: readonly string[],
): TaskStatistics {
  const items = rows
    .filter(tellsOfTasks)
    .map(
      ({ tasks }) =>
        new Map(
          tasks.flatMap(({ taskId, solved, scored }) =>
            scored > 0 ? [[taskId, solved / scored] as const] : [],
          ),
        ),
    )
  return {
    rows: items.length,
    fewestRows: MIN_ROWS,
    top: separateTop(rows, taskIds),
    tasks: itemStatistics(taskIds, items),
  }
}

const TOP_ROWS = 4
const SEPARATING = 0.5

function separateTop(rows: readonly BoardRow[], taskIds: readonly string[]): TaskStatistics['top'] {
  const ranked = rows.filter(
    ({ label, subject }) => label === 'primary' && subject.kind !== 'control',
  )
  const top = ranked
    .sort((a, b) => (b.success.rate ?? 0) - (a.success.rate ?? 0) || (a.rowId < b.rowId ? -1 : 1))
    .slice(0, TOP_ROWS)
  if (top.length < 2) return undefined
  const separates = (taskId: string) => {
    const counts = top.flatMap((row) => row.tasks.filter((task) => task.taskId === taskId))
    const rates = counts.flatMap(({ solved, scored }) => (scored > 0 ? [solved / scored] : []))
    return Math.max(...rates) - Math.min(...rates) >= SEPARATING
  }
  return { rows: top.length, separating: taskIds.filter(separates).length }
}

const rate = z.number().min(0).max(1)

/**
 * Success rates of rows on all tasks of the current version of a suite, for rows of any version or subset. Tasks that a
 * row has not run are predicted by a model (`modelRates`), so these rates are never ranked.
 */
export const modelledRowSchema = boardRowSchema
  .pick({ rowId: true, suiteId: true, subject: true, label: true })
  .extend({
    suiteDigest: z.string(),
    /** Numbers of tasks that it ran with the same content, and of those that are predicted. */
    measured: count,
    predicted: count,
    /** With the bounds of its 95 % interval. */
    rate,
    low: rate,
    high: rate,
  })
export type ModelledRow = z.infer<typeof modelledRowSchema>

/** A version of a suite with its board's rows. */
type MeasuredVersion = {
  digest: string
  tasks: readonly Pick<Task, 'taskId' | 'digest'>[]
  rows: readonly BoardRow[]
}

/**
 * Models the rates on the tasks of the first version, best first. Empty if every row ran all of them: then there is
 * nothing to predict.
 */
export function modelledRows(versions: readonly MeasuredVersion[]): ModelledRow[] {
  const [current] = versions
  if (!current) return []
  const entries = versions.flatMap(({ digest, tasks, rows }) => {
    const digests = new Map(tasks.map((task) => [task.taskId, task.digest]))
    return rows.filter(tellsOfTasks).map((row) => {
      const counts = row.tasks.flatMap(({ taskId, solved, scored }) => {
        const task = digests.get(taskId)
        return task === undefined || scored === 0 ? [] : [[task, { solved, scored }] as const]
      })
      return { row, digest, counts: new Map<string, { solved: number; scored: number }>(counts) }
    })
  })
  const reference = current.tasks.map((task) => task.digest)
  // On most boards every row ran every task: then the model is not fitted.
  if (entries.every(({ counts }) => reference.every((task) => counts.has(task)))) return []
  const rates = modelRates(
    entries.map(({ counts }) => counts),
    reference,
  )
  const modelled = entries.flatMap(({ row, digest }, at): ModelledRow[] => {
    const one = rates[at]
    if (!one) return []
    const { rowId, suiteId, subject, label } = row
    return [{ rowId, suiteId, subject, label, suiteDigest: digest, ...one }]
  })
  if (modelled.every(({ predicted }) => predicted === 0)) return []
  return modelled.sort((a, b) => b.rate - a.rate || (a.rowId < b.rowId ? -1 : 1))
}

/** Controls and rows under faults are not informative about a task, and uploaded rows could be fabricated. */
function tellsOfTasks({ label, driven, provenance, subject, settings }: BoardRow): boolean {
  if (subject.kind === 'control' || settings.fault !== undefined) return false
  if (label === 'primary') return true
  return provenance === 'local' && driven === 'llm' && label !== 'scaffold' && label !== 'stress'
}

const share = z.number().min(0).max(1)

/**
 * Error rates of a suite's verifier, as far as they can be measured without human review. `falseNegatives`: runs of the
 * tasks' own references on this server that were not solved, although an error-free verifier would accept each.
 * `falsePositives`: a proxy, mutations of the references that no check catches. Null = not measured.
 */
export const verifierErrorsSchema = z.object({
  falseNegatives: z
    .object({
      /** Scored episodes of the reference, and those of them that were not solved. */
      episodes: count,
      failed: count,
      rate: share,
      /** 95 % interval of the rate for these tasks, Clopper and Pearson over the episodes. */
      low: share,
      high: share,
      tasks: count,
      runs: count,
      /** Tasks with a reference that was not solved, most failures first. */
      failing: z.array(z.object({ taskId: z.string(), failed: count, episodes: count })),
    })
    .nullable(),
  falsePositives: z
    .object({
      /** Compiled mutants, and those that survived; some are equivalent to the reference. */
      mutants: count,
      surviving: count,
      rate: share.nullable(),
      /** Wrong solutions stored with the tasks, and those that passed. */
      wrong: count,
      wrongPassed: count,
      tasks: count,
      /** Tasks that changed since this was measured. */
      stale: count,
    })
    .nullable(),
})
export type VerifierErrors = z.infer<typeof verifierErrorsSchema>

/** Computes both from a suite's board and tasks. Uploaded references are not used. */
export function verifierErrors(rows: readonly BoardRow[], tasks: readonly Task[]): VerifierErrors {
  return { falseNegatives: falseNegatives(rows), falsePositives: falsePositives(tasks) }
}

function falseNegatives(rows: readonly BoardRow[]): VerifierErrors['falseNegatives'] {
  const references = rows.filter(isReference)
  const tallies = new Map<string, { failed: number; episodes: number }>()
  for (const { taskId, scored, solved } of references.flatMap((row) => row.tasks)) {
    if (scored === 0) continue
    const tally = tallies.get(taskId) ?? { failed: 0, episodes: 0 }
    tallies.set(taskId, tally)
    tally.failed += scored - solved
    tally.episodes += scored
  }
  const all = [...tallies].map(([taskId, tally]) => ({ taskId, ...tally }))
  const episodes = all.reduce((sum, tally) => sum + tally.episodes, 0)
  const failed = all.reduce((sum, tally) => sum + tally.failed, 0)
  const interval = clopperPearsonInterval(failed, episodes)
  if (!interval.ok) return null
  const failing = all
    .filter((tally) => tally.failed > 0)
    .sort((a, b) => b.failed - a.failed || (a.taskId < b.taskId ? -1 : 1))
  const runs = new Set(references.flatMap(({ runIds }) => runIds)).size
  const counts = { episodes, failed, rate: failed / episodes, tasks: all.length, runs }
  return { ...counts, ...interval.value, failing }
}

/** The plain `reference` control, run by this server. */
function isReference({ subject, provenance, settings }: BoardRow): boolean {
  const isControl = subject.kind === 'control' && subject.name === 'reference'
  return isControl && provenance === 'local' && settings.fault === undefined
}

function falsePositives(tasks: readonly Task[]): VerifierErrors['falsePositives'] {
  const measured = tasks.flatMap((task) =>
    'mutation' in task && task.mutation ? [task.mutation] : [],
  )
  if (measured.length === 0) return null
  const sum = addMutations(measured)
  return {
    mutants: sum.compiled,
    surviving: sum.surviving,
    rate: survivingShare(sum),
    wrong: sum.wrong,
    wrongPassed: sum.wrong - sum.wrongCaught,
    tasks: measured.length,
    stale: measured.filter(({ isStale }) => isStale).length,
  }
}
