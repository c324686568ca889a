import { z } from 'zod'
import { clopperPearsonInterval, FEWEST_ROWS, itemStatistics } from '../statistics/index.ts'
import { addMutations, survivingShare, type Task } from '../tasks/index.ts'
import type { BoardRow } from './board-row.ts'

const count = z.number().int().nonnegative()

/** Item statistics of a suite's tasks over the rows of a board: dead tasks, and how well each discriminates. */
export const taskStatisticsSchema = z.object({
  /** Number of rows used: ranked ones, and model-driven ones that this server ran, none under faults. */
  rows: count,
  /** Minimum rows for statistics about single tasks. */
  fewestRows: count,
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
    fewestRows: FEWEST_ROWS,
    tasks: itemStatistics(taskIds, items),
  }
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
