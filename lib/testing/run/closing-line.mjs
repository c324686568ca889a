// @ts-check
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** @typedef {import('vitest/node').TestModule} TestModule */
/** @typedef {import('vitest/node').TestCase} TestCase */

/**
 * Results of a run. `failed` and `flaky` name tests as `file > test`; a flaky test passed only on retry. `lacks` =
 * number of tests skipped for each thing that this machine or run does not have.
 * @typedef {{ passed: number, failed: string[], flaky: string[], lacks: Record<string, number> }} Tally
 */

/** @type {Tally} */
export const NO_TESTS = { passed: 0, failed: [], flaky: [], lacks: {} }

/**
 * Result of a group of tests that cannot run here.
 * @param {string} need what it lacks, and how to get it
 * @returns {Tally}
 */
export const skipAll = (need) => ({ ...NO_TESTS, lacks: { [need]: 1 } })

/**
 * Vitest reporter that fails tests skipped without a reason, lists flaky tests, and prints the counts at the end. Below
 * `npm test` it writes them into PROOFBOARD_TEST_FOLDER instead, for the sum of several runs.
 */
export class ClosingLine {
  #isNarrowed = false

  /** @param {import('vitest/node').Vitest} vitest */
  onInit({ config }) {
    this.#isNarrowed = config.testNamePattern !== undefined || config.tagsFilter !== undefined
  }

  /** @param {readonly TestModule[]} modules @param {readonly unknown[]} errors outside of tests */
  onTestRunEnd(modules, errors) {
    const tally = tallyModules(modules, this.#isNarrowed)
    if (errors.length > 0) tally.failed.push(`errors outside of tests: ${errors.length}`)
    if (tally.failed.length > 0) process.exitCode = 1
    const { PROOFBOARD_TEST_FOLDER: folder } = process.env
    if (folder) writeFileSync(join(folder, 'tally.json'), JSON.stringify(tally))
    else for (const line of summarise([tally]).lines) console.log(line)
  }
}

const UNEXPLAINED = 'skipped without a reason: name what it needs by a tag of lib/testing/needs.ts'

/**
 * Counts the tests of a run. A module without a result failed, and so did each test that its process did not finish, or
 * that was skipped without a reason, unless the run was narrowed to some tests.
 * @param {readonly TestModule[]} modules
 * @param {boolean} isNarrowed
 * @returns {Tally}
 */
export function tallyModules(modules, isNarrowed) {
  /** @type {Tally} */
  const tally = { passed: 0, failed: [], flaky: [], lacks: {} }
  for (const module of modules) {
    const before = tally.failed.length
    for (const test of module.children.allTests()) countTest(tally, test, isNarrowed)
    const isBroken = module.state() === 'failed' || module.state() === 'pending'
    if (isBroken && tally.failed.length === before) tally.failed.push(module.relativeModuleId)
  }
  return tally
}

/** @param {Tally} tally is changed @param {TestCase} test @param {boolean} isNarrowed */
function countTest(tally, test, isNarrowed) {
  const { state } = test.result()
  const name = `${test.module.relativeModuleId} > ${test.fullName}`
  const { lacks } = test.meta()
  if (state === 'passed') {
    tally.passed += 1
    if (test.diagnostic()?.flaky) tally.flaky.push(name)
  } else if (state !== 'skipped') tally.failed.push(name)
  else if (lacks !== undefined) tally.lacks[lacks] = (tally.lacks[lacks] ?? 0) + 1
  else if (!isNarrowed) tally.failed.push(`${name}: ${UNEXPLAINED}`)
}

/** Listed failures; more usually share a cause. */
const MAX_NAMED = 20

/**
 * Formats the last lines of `npm test`: failed tests, flaky tests, and for programs the counts and reasons of skipped
 * tests, most frequent first. A flaky test fails only the nightly run.
 * @param {readonly Tally[]} tallies
 * @param {boolean} [isNight]
 */
export function summarise(tallies, isNight = process.env.PROOFBOARD_TEST_NIGHT === 'all') {
  const passed = tallies.reduce((sum, tally) => sum + tally.passed, 0)
  const failed = tallies.flatMap((tally) => tally.failed)
  const flaky = tallies.flatMap((tally) => tally.flaky)
  /** @type {Record<string, number>} */
  const lacks = {}
  for (const tally of tallies)
    for (const [need, count] of Object.entries(tally.lacks))
      lacks[need] = (lacks[need] ?? 0) + count
  const reasons = Object.entries(lacks)
    .sort(([, a], [, b]) => b - a)
    .map(([need, count]) => `${count} ${count === 1 ? 'needs' : 'need'} ${need}`)
  const skipped = Object.values(lacks).reduce((sum, count) => sum + count, 0)
  const more = failed.length - MAX_NAMED
  return {
    isRed: failed.length > 0 || passed + skipped === 0 || (isNight && flaky.length > 0),
    lines: [
      ...failed.slice(0, MAX_NAMED).map((name) => `FAILED ${name}`),
      ...(more > 0 ? [`and ${more} more`] : []),
      ...flaky.map((name) => `FLAKY, passed only on retry: ${name}`),
      `${passed} passed, ${failed.length} failed` +
        (skipped > 0 ? `, ${skipped} skipped: ${reasons.join(', ')}` : ''),
    ],
  }
}
