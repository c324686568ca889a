// @ts-check
import { formatSeconds } from '../format-seconds.mjs'
import { lastLines } from '../process/last-lines.mjs'
import { showProgress } from '../process/show-progress.mjs'
import { SetupFailure } from '../setup-failure.mjs'
import { NOTHING } from './tally.mjs'

/** @typedef {import('./run-tool.mjs').StepResult} StepResult */
/** @typedef {import('./steps.mjs').Step} Step */

const SHOWN_LINES = 300

/**
 * Runs a step, says how it went in one line, and shows what failed when it is red, or the end of its output where
 * the step cannot name that.
 * @param {Step} step
 * @param {(line: string) => void} say
 * @returns {Promise<StepResult>}
 */
export async function runStep({ name, run }, say) {
  const startedAt = performance.now()
  const progress = showProgress(name)
  const result = await run()
    .catch(asRed)
    .finally(() => progress.stop())
  const seconds = formatSeconds(performance.now() - startedAt)
  say(`  ${verdict(result)}  ${name.padEnd(12)} ${seconds.padStart(10)}  ${result.note}`.trimEnd())
  for (const line of skipLines(result.output)) say(`        ${line}`)
  if (result.times) say(result.times)
  if (!result.ok) say(`${result.failures || lastLines(result.output, SHOWN_LINES)}\n`)
  return result
}

/** A step in which nothing was tried is neither green nor red. @param {StepResult} result */
export function verdict({ ok, tally }) {
  if (!ok) return 'FAIL'
  return tally.passed === 0 && tally.skipped > 0 ? 'SKIP' : 'ok  '
}

/** What tests say about themselves when this machine lacks something. @param {string} output */
export function skipLines(output) {
  return [...new Set(output.match(/^SKIPPED, .*/gm))]
}

/** @param {unknown} error @returns {StepResult} */
function asRed(error) {
  if (!(error instanceof SetupFailure)) throw error
  const output = [error.output, error.message].filter((text) => text !== '').join('\n')
  return { ok: false, tally: { ...NOTHING, failed: 1 }, note: '', output }
}
