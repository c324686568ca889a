/**
 * Thresholds of no progress. Ten steps: an agent needs a handful of steps to read a task and its files before its first
 * edit, and two or three after each edit to run the tests and look at their output; ten in a row without a change are
 * more than either.
 */
export const NO_PROGRESS = { failingCalls: 3, identicalCalls: 3, unchangedSteps: 10 }

export type NoProgressSignal = 'failing-calls' | 'identical-calls' | 'unchanged-workspace'

/** One tool call: `fingerprint` is equal for the same tool with the same arguments. Null = unknown. */
export type ToolCall = { fingerprint: string | null; failed: boolean | null }

export type ProgressStep = { calls: readonly ToolCall[]; workspaceChanged: boolean | null }

/**
 * Counts the no-progress signals of an attempt, without those that never occurred. A streak counts once, however long
 * it is. Unknown values neither break a streak nor lengthen it.
 */
export function countNoProgress(
  steps: readonly ProgressStep[],
): { signal: NoProgressSignal; count: number }[] {
  const calls = steps.flatMap((step) => step.calls)
  const failing = calls.map(({ failed }) => failed)
  const unchanged = steps.map(({ workspaceChanged: changed }) =>
    changed === null ? null : !changed,
  )
  const counts = [
    { signal: 'failing-calls', count: countStreaks(failing, NO_PROGRESS.failingCalls) },
    { signal: 'identical-calls', count: countRepeats(calls) },
    { signal: 'unchanged-workspace', count: countStreaks(unchanged, NO_PROGRESS.unchangedSteps) },
  ] as const
  return counts.filter(({ count }) => count > 0)
}

/** Counts streaks of `true` that reach `length`; null is skipped. */
function countStreaks(marks: readonly (boolean | null)[], length: number): number {
  let streak = 0
  let count = 0
  for (const mark of marks) {
    if (mark === null) continue
    streak = mark ? streak + 1 : 0
    if (streak === length) count += 1
  }
  return count
}

/**
 * Counts runs of the same call that succeeded often enough. A run ends at a failed call and at any other call, even one
 * with an unknown outcome.
 */
function countRepeats(calls: readonly ToolCall[]): number {
  let same: string | null = null
  let streak = 0
  let count = 0
  for (const { fingerprint, failed } of calls) {
    if (failed === true) [same, streak] = [null, 0]
    if (failed === true || fingerprint === null) continue
    if (fingerprint !== same) [same, streak] = [fingerprint, 0]
    if (failed === null) continue
    streak += 1
    if (streak === NO_PROGRESS.identicalCalls) count += 1
  }
  return count
}
