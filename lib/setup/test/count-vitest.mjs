// @ts-check

/** @typedef {import('./tally.mjs').Tally} Tally */
/** @typedef {{ status: string, assertionResults: unknown[] }} VitestFile */
/** @typedef {{ numPassedTests: number, numFailedTests: number, numPendingTests: number, numTodoTests: number, testResults: VitestFile[] }} VitestReport */

/**
 * Counts a vitest JSON report. A file that failed before it named a test counts as one failure.
 * @param {VitestReport} report
 * @returns {Tally}
 */
export function countVitest(report) {
  const broken = report.testResults.filter(
    ({ status, assertionResults }) => status === 'failed' && assertionResults.length === 0,
  )
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests + broken.length,
    skipped: report.numPendingTests + report.numTodoTests,
  }
}
