// @ts-check
// `npm test`: everything that must hold, from a fresh clone. `-- --list` names the steps, `-- --only a,b` runs some.

import { ensureGenerated } from './build/ensure-generated.mjs'
import { checkNode } from './check-node.mjs'
import { ensureInstalled } from './ensure-installed.mjs'
import { SetupFailure } from './setup-failure.mjs'
import { closingLine } from './test/closing-line.mjs'
import { parseTestArgs } from './test/parse-test-args.mjs'
import { runStep } from './test/run-step.mjs'
import { STEPS } from './test/steps.mjs'
import { timeStep } from './time-step.mjs'

process.exitCode = await main(process.argv.slice(2))

/** @param {string[]} argv @returns {Promise<number>} */
async function main(argv) {
  const say = (/** @type {string} */ line) => console.log(line)
  const asked = parseTestArgs(
    argv,
    STEPS.map(({ name }) => name),
  )
  if ('refusal' in asked) {
    console.error(asked.refusal)
    return 2
  }
  if (asked.list) {
    for (const { name, what } of STEPS) say(`${name.padEnd(12)} ${what}`)
    return 0
  }
  try {
    const complaint = checkNode(process.versions.node)
    if (complaint !== null) throw new SetupFailure(complaint)
    await timeStep('packages', () => ensureInstalled(), say)
    await timeStep('database client', () => ensureGenerated(), say)
  } catch (error) {
    if (!(error instanceof SetupFailure)) throw error
    console.error([error.output, error.message].join('\n').trim())
    return 1
  }
  const results = []
  for (const step of STEPS)
    if (asked.chosen.includes(step.name)) results.push(await runStep(step, say))
  say(closingLine(results.map(({ tally }) => tally)))
  return results.every(({ ok }) => ok) ? 0 : 1
}
