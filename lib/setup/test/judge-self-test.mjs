// @ts-check

/** @typedef {import('./tally.mjs').Tally} Tally */

/**
 * Holds what `suite verify --json` counted against what a sound suite must show. A deviation that no task owns counts
 * as one failure, so that a suite cannot pass on an empty answer.
 * @param {Record<string, unknown>} proof
 * @returns {{ tally: Tally, complaints: string[] }}
 */
export function judgeSelfTest(proof) {
  const tasks = count(proof.tasks)
  const complaints = []
  if (tasks === 0) complaints.push('the suite has no tasks')
  if (proof.referenceSolved !== tasks)
    complaints.push(`references solved: ${proof.referenceSolved} of ${tasks}`)
  for (const name of ['nopSolved', 'firstTestOnlySolved', 'wrongSolved']) {
    if (proof[name] !== 0) complaints.push(`${name} is ${proof[name]}, not 0`)
  }
  const deviating = new Set(deviationsOf(proof).map(({ taskId }) => taskId)).size
  const failed = complaints.length === 0 ? deviating : Math.max(1, deviating)
  return { tally: { passed: Math.max(0, tasks - failed), failed, skipped: 0 }, complaints }
}

/** @param {unknown} value */
function count(value) {
  return typeof value === 'number' && Number.isInteger(value) && value > 0 ? value : 0
}

/** @param {Record<string, unknown>} proof @returns {{ taskId: string }[]} */
function deviationsOf({ deviations }) {
  return Array.isArray(deviations) ? deviations : []
}
