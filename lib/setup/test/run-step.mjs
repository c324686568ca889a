// @ts-check

import { parseArgs } from 'node:util'
import { lastLines } from '../process.mjs'
import { formatElapsed, SetupFailure, showProgress } from '../progress.mjs'
import { endedCpuMs } from './cpu-time.mjs'

/** @typedef {import('./steps.mjs').StepResult} StepResult */
/** @typedef {import('./steps.mjs').Step} Step */

const SHOWN_LINES = 300

/**
 * Runs steps in order. Those that have a lane come first: the steps of a lane one after another, beside other lanes.
 * @param {readonly Step[]} steps
 * @param {(line: string) => void} say
 * @returns {Promise<StepResult[]>}
 */
export async function runSteps(steps, say) {
  const inTurn = async (/** @type {readonly Step[]} */ some) => {
    const results = []
    for (const step of some) results.push(await runStep(step, say))
    return results
  }
  endedCpuMs() // what was installed before belongs to no step
  const lanes = [...new Set(steps.flatMap(({ lane }) => lane ?? []))]
  const beside = lanes.map((lane) => inTurn(steps.filter((step) => step.lane === lane)))
  const first = await Promise.all(beside)
  return [...first.flat(), ...(await inTurn(steps.filter(({ lane }) => lane === undefined)))]
}

/**
 * Runs a step, says how it went in one line, and shows what failed, also where it passed on retry; of a red step that
 * cannot name it the end of its output.
 * @param {Step} step
 * @param {(line: string) => void} say
 * @returns {Promise<StepResult>}
 */
async function runStep({ name, run }, say) {
  const startedAt = performance.now()
  const progress = showProgress(name)
  const result = await run()
    .catch(asRed)
    .finally(() => progress.stop())
  const spent = formatSpent(performance.now() - startedAt, endedCpuMs())
  say(`  ${verdict(result)}  ${name.padEnd(12)} ${spent}  ${result.note}`.trimEnd())
  if (result.times) say(result.times)
  if (!result.ok) say(`${result.failures || lastLines(result.output, SHOWN_LINES)}\n`)
  else if (result.failures) say(`${result.failures}\n`)
  return result
}

/**
 * How long something took and for how long processors worked for it: on a busy machine only the second says what it costs.
 * @param {number} wallMs
 * @param {number | null} [cpuMs] null = the system does not say
 */
export function formatSpent(wallMs, cpuMs = null) {
  const cpu = cpuMs === null ? '' : `  ${(cpuMs / 1000).toFixed(1).padStart(6)} CPU-s`
  return `${formatElapsed(wallMs).padStart(12)}${cpu}`
}

/** A step in which nothing was tried is neither green nor red. @param {StepResult} result */
export function verdict({ ok, tally }) {
  if (!ok) return 'FAIL'
  return tally.passed === 0 && tally.skipped > 0 ? 'SKIP' : 'ok  '
}

/** @param {unknown} error @returns {StepResult} */
function asRed(error) {
  if (!(error instanceof SetupFailure)) throw error
  const output = [error.output, error.message].filter((text) => text !== '').join('\n')
  return { ok: false, tally: { ...NOTHING, failed: 1 }, note: '', output }
}

/** The three commands, each with all that the one before runs. @typedef {'check' | 'test' | 'all'} Tier */

/** @type {readonly Tier[]} */
export const TIERS = ['check', 'test', 'all']

/** @typedef {{ name: string, tier: Tier }} Named */
/** @typedef {{ list: boolean, tier: Tier, chosen: string[] }} TestRequest */

/**
 * Reads `npm test -- --only unit,types`, `--list` and `--tier all`. Returns which steps to run, or the one line that
 * refuses. `--only` takes steps of every tier.
 * @param {string[]} argv
 * @param {readonly Named[]} steps all of them, in order
 * @returns {TestRequest | { refusal: string }}
 */
export function parseTestArgs(argv, steps) {
  const names = steps.map(({ name }) => name)
  const values = readOptions(argv)
  const tier = TIERS.find((one) => one === (values?.tier ?? 'test'))
  if (!values || !tier || values.only === '') return { refusal: usage(names) }
  const only = values.only?.split(',').map((name) => name.trim())
  const unknown = only?.filter((name) => !names.includes(name)) ?? []
  if (unknown.length > 0)
    return { refusal: `unknown step ${unknown.join(', ')}: there are ${names.join(', ')}` }
  const inTier = steps.filter((step) => TIERS.indexOf(step.tier) <= TIERS.indexOf(tier))
  const chosen = names.filter(
    (name) => only?.includes(name) ?? inTier.some((step) => step.name === name),
  )
  return { list: values.list ?? false, tier, chosen }
}

/** @param {string[]} args Null = not the options that there are. */
function readOptions(args) {
  try {
    const text = { type: /** @type {const} */ ('string') }
    const list = { type: /** @type {const} */ ('boolean') }
    return parseArgs({ args, options: { only: text, tier: text, list } }).values
  } catch {
    return null
  }
}

/** @param {string[]} names */
const usage = (names) =>
  `usage: npm test -- [--list] [--tier ${TIERS.join('|')}] [--only ${names.slice(0, 2).join(',')},…]`

/**
 * Counts of tests. `lacks` = how many were skipped for each thing that they need and this machine or run does not have.
 * @typedef {{ passed: number, failed: number, skipped: number, lacks?: Record<string, number> }} Tally
 */

/**
 * The last line of `npm test`, which machines read: counts, and why tests were skipped, the most frequent reason first.
 * @param {Tally[]} tallies
 */
export function closingLine(tallies) {
  /** @type {Map<string, number>} */
  const sums = new Map()
  for (const { lacks = {} } of tallies)
    for (const [need, count] of Object.entries(lacks)) sums.set(need, (sums.get(need) ?? 0) + count)
  const reasons = [...sums]
    .sort(([, a], [, b]) => b - a)
    .map(([need, count]) => `${count} ${count === 1 ? 'needs' : 'need'} ${need}`)
  return [formatCounts(tallies), ...(reasons.length > 0 ? [reasons.join(', ')] : [])].join(': ')
}

/** @param {Tally[]} tallies */
export function formatCounts(tallies) {
  const sum = (/** @type {'passed' | 'failed' | 'skipped'} */ key) =>
    tallies.reduce((total, tally) => total + tally[key], 0)
  const skipped = sum('skipped')
  return `${sum('passed')} passed, ${sum('failed')} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`
}

/** @type {Tally} */
export const NOTHING = { passed: 0, failed: 0, skipped: 0 }

/** A step that cannot run here. @param {string} need what it lacks, and how to get it @returns {StepResult} */
export function skipStep(need) {
  const tally = { ...NOTHING, skipped: 1, lacks: { [need]: 1 } }
  return { ok: true, tally, note: `needs ${need}`, output: '' }
}
