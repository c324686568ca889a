// @ts-check
// `npm run check`, `npm test`, `npm run test:all`: what must hold, from a fresh clone. `-- --list` names the steps and
// in which command each runs first, `-- --only a,b` runs some.

import { ensureGenerated } from './build.mjs'
import { ensureInstalled } from './ensure-installed.mjs'
import { endCommandsWithUs } from './process.mjs'
import { checkNode, reportFailure, SetupFailure, timeStep } from './progress.mjs'
import { closingLine, parseTestArgs, runSteps } from './test/run-step.mjs'
import { ensurePrograms, STEPS } from './test/steps.mjs'

process.exitCode = await main(process.argv.slice(2))

/** @param {string[]} argv @returns {Promise<number>} */
async function main(argv) {
  const say = (/** @type {string} */ line) => console.log(line)
  const asked = parseTestArgs(argv, STEPS)
  if ('refusal' in asked) {
    console.error(asked.refusal)
    return 2
  }
  if (asked.list) {
    for (const { name, tier, what } of STEPS) say(`${name.padEnd(12)}  ${tier.padEnd(5)}  ${what}`)
    return 0
  }
  endCommandsWithUs()
  if (asked.tier === 'all') process.env.PROOFBOARD_TEST_NIGHT = 'all'
  try {
    const complaint = checkNode(process.versions.node)
    if (complaint !== null) throw new SetupFailure(complaint)
    await timeStep('packages', () => ensureInstalled({ packages: 'all' }), say)
    await timeStep('database client', () => ensureGenerated(), say)
  } catch (error) {
    return reportFailure(error)
  }
  const chosen = STEPS.filter(({ name }) => asked.chosen.includes(name))
  for (const advice of await ensurePrograms(chosen)) say(advice)
  const results = await runSteps(chosen, say)
  return conclude(results, asked.tier, say)
}

/**
 * A test that passed only on retry makes the nightly run red, but not a local run.
 * @param {import('./test/steps.mjs').StepResult[]} results
 * @param {import('./test/run-step.mjs').Tier} tier
 * @param {(line: string) => void} say
 * @returns {number} the exit code
 */
function conclude(results, tier, say) {
  const flaky = results.flatMap((result) => result.flaky ?? [])
  if (flaky.length > 0) say(`FLAKY, passed only on retry: ${flaky.join(', ')}`)
  say(closingLine(results.map(({ tally }) => tally)))
  const isRed = results.some(({ ok }) => !ok) || (tier === 'all' && flaky.length > 0)
  return isRed ? 1 : 0
}
