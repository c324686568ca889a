// @ts-check
import { runCommand } from '../process.mjs'

/**
 * Proves every task of a suite: its reference is solved; doing nothing, cheats and each wrong solution are not.
 * @param {string} suite
 * @param {{ env?: Record<string, string>, args?: string[], leftOut?: string }} [how] `leftOut` says what `args` leave out
 * @returns {Promise<import('./steps.mjs').StepResult>}
 */
export async function runSelfTest(suite, { env = {}, args = [], leftOut = '' } = {}) {
  const command = ['runner/cli/proofboard.mjs', 'suite', 'verify', suite, '--json', ...args]
  const { code, output } = await runCommand(process.execPath, command, { env })
  const proof = lastJson(output)
  const { tally, complaints } = checkSelfTest(proof)
  const ok = code === 0 && tally.failed === 0
  const proven = `${tally.passed} of ${tally.passed + tally.failed} tasks verified`
  const note = leftOut ? `${proven}; ${leftOut}` : proven
  return {
    ok,
    tally: ok || tally.failed > 0 ? tally : { ...tally, failed: 1 },
    note,
    output: [output, ...complaints].join('\n'),
  }
}

/** The last line of the output that is a JSON object. @param {string} output @returns {Record<string, unknown>} */
function lastJson(output) {
  for (const line of output.split('\n').reverse()) {
    if (!line.startsWith('{')) continue
    try {
      return JSON.parse(line)
    } catch {
      // A line that only looks like JSON: look further up.
    }
  }
  return {}
}

/**
 * Compares the counts of `suite verify --json` with those of a sound suite. A deviation without a task counts
 * as one failure, so that a suite cannot pass on an empty answer.
 * @param {Record<string, unknown>} proof
 * @returns {{ tally: import('./run-step.mjs').Tally, complaints: string[] }}
 */
export function checkSelfTest(proof) {
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
