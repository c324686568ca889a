// @ts-check
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { runCommand } from '../process/run-command.mjs'
import { closingLine } from './closing-line.mjs'
import { countVitest } from './count-vitest.mjs'
import { describeFailures } from './describe-failures.mjs'
import { describeTimes } from './describe-times.mjs'
import { NOTHING } from './tally.mjs'

/** @typedef {import('./run-tool.mjs').StepResult} StepResult */

/** @typedef {{ name: string, status: string, assertionResults: { status: string }[] }} File */
/** @typedef {{ tally: import('./tally.mjs').Tally, failedFiles: string[], passedElsewhere: number, failures: string, times: string }} Counted */

const NOT_COUNTED = { tally: NOTHING, failedFiles: [], passedElsewhere: 0, failures: '', times: '' }
/** More files than that are no accident of the machine. */
const MOST_AGAIN = 2

/**
 * Runs one vitest project and counts its tests. A project without a test is red: nothing was shown. With `maySkipAll`
 * a project is not red when everything it needs is out of reach: then it is skipped, which nobody takes for passed. With
 * `tryAgain` one or two files that failed are run once more, alone; that they passed only then is told.
 * @param {string} project
 * @param {Record<string, string>} [env]
 * @param {{ maySkipAll?: boolean, tryAgain?: boolean }} [options]
 * @returns {Promise<StepResult>}
 */
export async function runVitest(project, env = {}, { maySkipAll = false, tryAgain = false } = {}) {
  const { result, counted } = await runOnce({ project, files: [], env, maySkipAll })
  const { failedFiles, passedElsewhere } = counted
  const isAccident = failedFiles.length > 0 && failedFiles.length <= MOST_AGAIN
  if (result.ok || !tryAgain || !isAccident) return result
  const again = await runOnce({ project, files: failedFiles, env, maySkipAll })
  const output = `${result.output}\nTRIED AGAIN: ${failedFiles.join(', ')}\n${again.result.output}`
  if (!again.result.ok) return { ...again.result, tally: result.tally, note: result.note, output }
  const tally = { ...again.result.tally, passed: passedElsewhere + again.result.tally.passed }
  const note = `${closingLine([tally])}; FLAKY, passed only on retry: ${failedFiles.join(', ')}`
  return { ok: true, tally, note, output, times: result.times ?? '' }
}

/**
 * @param {{ project: string, files: string[], env: Record<string, string>, maySkipAll: boolean }} order
 * @returns {Promise<{ result: StepResult, counted: Counted }>}
 */
async function runOnce({ project, files, env, maySkipAll }) {
  const folder = mkdtempSync(join(tmpdir(), 'proofboard-test-'))
  const report = join(folder, 'report.json')
  const args = [
    'run',
    ...files,
    '--project',
    project,
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${report}`,
  ]
  try {
    const { code, output } = await runCommand(
      process.execPath,
      ['node_modules/vitest/vitest.mjs', ...args],
      {
        env: { NO_COLOR: '1', ...env },
      },
    )
    const counted = readReport(report)
    const { tally: seen, failures, times } = counted
    const shown = maySkipAll ? seen.passed + seen.skipped : seen.passed
    const ok = code === 0 && seen.failed === 0 && shown > 0
    const tally = ok || seen.failed > 0 ? seen : { ...seen, failed: 1 }
    return {
      result: { ok, tally, note: closingLine([seen]), output, failures, times },
      counted,
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** @param {string} file @returns {Counted} */
function readReport(file) {
  try {
    const report = JSON.parse(readFileSync(file, 'utf8'))
    /** @type {File[]} */
    const failed = report.testResults.filter((/** @type {File} */ one) => one.status === 'failed')
    const inThem = failed.flatMap(({ assertionResults }) => assertionResults)
    const passed = inThem.filter(({ status }) => status === 'passed').length
    const tally = countVitest(report)
    const failedFiles = failed.map(({ name }) => relative(process.cwd(), name))
    const failures = describeFailures(report)
    const times = describeTimes(report)
    return { tally, failedFiles, passedElsewhere: tally.passed - passed, failures, times }
  } catch {
    return NOT_COUNTED
  }
}
