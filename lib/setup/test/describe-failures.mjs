// @ts-check
import { relative } from 'node:path'

/** @typedef {{ status: string, fullName: string, failureMessages?: string[] }} Assertion */
/** @typedef {{ name: string, status: string, message?: string, assertionResults: Assertion[] }} File */

const SHOWN_LINES = 25

/**
 * What failed in a vitest JSON report: each test with the beginning of its error, nothing of what passed, so that the
 * end of a log, all that a machine may keep of it, names every failure. Empty when nothing failed.
 * @param {{ testResults: File[] }} report
 * @returns {string}
 */
export function describeFailures({ testResults }) {
  const failed = testResults.filter(({ status }) => status === 'failed')
  return failed.flatMap(describeFile).join('\n\n')
}

/** @param {File} file @returns {string[]} */
function describeFile({ name, message = '', assertionResults }) {
  const file = relative(process.cwd(), name)
  const failed = assertionResults.filter(({ status }) => status === 'failed')
  if (failed.length === 0) return [block(file, message)]
  return failed.map(({ fullName, failureMessages = [] }) =>
    block(`${file} > ${fullName}`, failureMessages.join('\n')),
  )
}

/** @param {string} title @param {string} text */
function block(title, text) {
  const lines = text.split('\n').slice(0, SHOWN_LINES)
  return [`FAILED ${title}`, ...lines.map((line) => `  ${line}`)].join('\n')
}
