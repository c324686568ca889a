import { formatCount, formatPercent, plural, UNKNOWN } from '#components/format/number.ts'
import { type Mutation, survivingShare, type TaskMutation } from '#lib/domain/mutation.ts'
import type { Task } from '#lib/domain/task.ts'

/** The measured test quality of a task; null = not measured, or not an exercise. */
export function mutationOf(task: Task): TaskMutation | null {
  return ('mutation' in task ? task.mutation : null) ?? null
}

/** What the mutants were judged by. */
export function formatJudges({ caughtByHeldOut }: Mutation): string {
  return caughtByHeldOut === null ? 'visible tests only' : 'visible tests and held-out transcript'
}

/** `6.2 %`; a dash where nothing was measured, and a mark where it was measured before the last change. */
export function formatSurviving(mutation: TaskMutation | null): string {
  const share = mutation && survivingShare(mutation)
  if (mutation === null || share === null) return UNKNOWN
  return `${formatPercent(share)} %${mutation.isStale ? ' (stale)' : ''}`
}

/** `7 of 7`, or a dash. */
export function formatCaught(caught: number, all: number): string {
  return all === 0 ? UNKNOWN : `${formatCount(caught)} of ${formatCount(all)}`
}

/** The suite's totals as one sentence. */
export function formatTotals(mutation: Mutation): string {
  const { compiled, surviving, wrong, wrongCaught } = mutation
  const share = formatPercent(survivingShare(mutation))
  const caught = formatCount(compiled - surviving)
  return `The tests catch ${caught} of ${plural(compiled, 'mutant')} (${share} % survive) and ${formatCaught(wrongCaught, wrong)} wrong solutions.`
}
