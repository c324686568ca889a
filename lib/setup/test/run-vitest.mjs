// @ts-check
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runCommand } from '../process/run-command.mjs'
import { closingLine } from './closing-line.mjs'
import { countVitest } from './count-vitest.mjs'

/** @typedef {import('./run-tool.mjs').StepResult} StepResult */

/**
 * Runs one vitest project and counts its tests. A project without a test is red: nothing was shown. With `maySkipAll`
 * a project is not red when everything it needs is out of reach: then it is skipped, which nobody takes for passed.
 * @param {string} project
 * @param {Record<string, string>} [env]
 * @param {{ maySkipAll?: boolean }} [options]
 * @returns {Promise<StepResult>}
 */
export async function runVitest(project, env = {}, { maySkipAll = false } = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'proofboard-test-'))
  const report = join(folder, 'report.json')
  const args = [
    'run',
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
    const counted = readTally(report)
    const shown = maySkipAll ? counted.passed + counted.skipped : counted.passed
    const ok = code === 0 && counted.failed === 0 && shown > 0
    const tally = ok || counted.failed > 0 ? counted : { ...counted, failed: 1 }
    return { ok, tally, note: closingLine([counted]), output }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** @param {string} report */
function readTally(report) {
  try {
    return countVitest(JSON.parse(readFileSync(report, 'utf8')))
  } catch {
    return { passed: 0, failed: 0, skipped: 0 }
  }
}
