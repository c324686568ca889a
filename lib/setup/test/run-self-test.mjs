// @ts-check
import { runCommand } from '../process/run-command.mjs'
import { judgeSelfTest } from './judge-self-test.mjs'

/** @typedef {import('./run-tool.mjs').StepResult} StepResult */

/**
 * Proves every task of a suite: its reference is solved; doing nothing, cheats and each wrong solution are not.
 * @param {string} suite
 * @param {{ env?: Record<string, string>, args?: string[], leftOut?: string }} [how] `leftOut` says what `args` leave out
 * @returns {Promise<StepResult>}
 */
export async function runSelfTest(suite, { env = {}, args = [], leftOut = '' } = {}) {
  const command = ['runner/cli/proofboard.mjs', 'suite', 'verify', suite, '--json', ...args]
  const { code, output } = await runCommand(process.execPath, command, { env })
  const proof = lastJson(output)
  const { tally, complaints } = judgeSelfTest(proof)
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
