import {
  type Mutation,
  survivingShare,
  type Task,
  type TaskMutation,
} from '#lib/domain/tasks/index.ts'
import { countOf } from '#lib/domain/text/index.ts'
import { formatCount, formatPercent, percentOf, UNKNOWN } from '../ui/format.ts'

/** The measured test quality of a task; null = not measured, or not an exercise. */
export function mutationOf(task: Task): TaskMutation | null {
  return ('mutation' in task ? task.mutation : null) ?? null
}

/** Names the checks that mutants were tested with. */
export function formatMutationChecks({ caughtByHeldOut }: Mutation): string {
  return caughtByHeldOut === null ? 'visible tests only' : 'visible tests and held-out transcript'
}

/** `6.2 %`; a dash if not measured, and a note if the task changed since. */
export function formatSurviving(mutation: TaskMutation | null): string {
  const share = mutation && survivingShare(mutation)
  if (mutation === null || share === null) return UNKNOWN
  return `${percentOf(share)}${mutation.isStale ? ' (stale)' : ''}`
}

/** Formats `7 of 7`, or a dash. */
export function formatCaught(caught: number, all: number): string {
  return all === 0 ? UNKNOWN : `${formatCount(caught)} of ${formatCount(all)}`
}

/** The suite's totals in one sentence. */
export function formatTotals(mutation: Mutation): string {
  const { compiled, surviving, wrong, wrongCaught } = mutation
  const share = formatPercent(survivingShare(mutation))
  const caught = formatCount(compiled - surviving)
  return `The tests catch ${caught} of ${countOf(compiled, 'mutant')} (${share}\u00a0% survive) and ${formatCaught(wrongCaught, wrong)} wrong solutions.`
}

/** `Public since 2026-11-21`: release dates of tasks, relevant for models trained later. */
export function formatReleased(tasks: readonly Pick<Task, 'released'>[]): string {
  const dates = tasks.flatMap(({ released }) => released ?? []).sort()
  const [first, last] = [dates[0], dates.at(-1)]
  if (first === undefined || last === undefined) return 'Release date unknown'
  const since = first === last ? first : `between ${first} and ${last}`
  const unknown = tasks.length - dates.length
  return `Public since ${since}${unknown > 0 ? `, ${countOf(unknown, 'task')} with unknown date` : ''}`
}
