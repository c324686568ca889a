/**
 * When an attempt is said to make no progress. Ten steps: reading a task and its files takes an agent a handful of steps
 * before its first edit, and a run of the tests with a look at their output two or three after each; ten in a row that
 * leave no trace are more than either.
 */
export const NO_PROGRESS = { failingCalls: 3, identicalCalls: 3, unchangedSteps: 10 }

export type NoProgressSignal = 'failing-calls' | 'identical-calls' | 'unchanged-workspace'

/** One tool call: `fingerprint` is equal for the same tool with the same arguments. Null = not known. */
export type ToolCall = { fingerprint: string | null; failed: boolean | null }

export type ProgressStep = { calls: readonly ToolCall[]; workspaceChanged: boolean | null }

/**
 * The no-progress signals of an attempt, those that were never seen left out. A streak counts once, however long it is.
 * What is not known neither breaks a streak nor makes it longer.
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

/** How many streaks of `true` reach `length`; null is passed over. */
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
 * How many rows of one and the same call succeeded often enough. A failed call ends a row; so does another call, even one
 * whose outcome is not known: whether it failed or not, the row is over.
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
