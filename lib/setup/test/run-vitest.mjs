// @ts-check
import { existsSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { lastLines, runCommand } from '../process.mjs'
import { formatCounts, formatSpent, NOTHING } from './run-step.mjs'
import { withTemporary } from './with-temporary.mjs'

/** @typedef {import('./steps.mjs').StepResult} StepResult */

/** @typedef {{ tally: import('./run-step.mjs').Tally, failedFiles: string[], passedElsewhere: number, failures: string, times: string }} Counted */

const NOT_COUNTED = { tally: NOTHING, failedFiles: [], passedElsewhere: 0, failures: '', times: '' }
const WORKERS = 2
/** More failed files than that are not an accident of the machine. */
const MOST_AGAIN = 2
/** More failures than that share a cause, and would push the other steps out of the log. */
const MOST_FAILURES = 20

/**
 * Runs one vitest project and counts its tests. A project without a test is red: nothing was shown. With `maySkipAll`
 * a project is not red when everything it needs is out of reach: then it is reported as skipped, not as passed. With
 * `tryAgain` one or two files that failed are run once more, alone; a pass only on retry is reported, with what failed
 * before. `workers` = how many files are worked at once. `only` narrows it: folders, or options of vitest.
 * @param {string} project
 * @param {Record<string, string>} [env]
 * @param {{ maySkipAll?: boolean, tryAgain?: boolean, workers?: number, only?: string[] }} [options]
 * @returns {Promise<StepResult>}
 */
export async function runVitest(
  project,
  env = {},
  { maySkipAll = false, tryAgain = false, workers = WORKERS, only = [] } = {},
) {
  const { result, counted } = await runOnce({ project, files: only, env, maySkipAll, workers })
  const { failedFiles } = counted
  const isAccident = failedFiles.length > 0 && failedFiles.length <= MOST_AGAIN
  if (result.ok || !tryAgain || !isAccident) return result
  const again = await runOnce({ project, files: failedFiles, env, maySkipAll, workers: 1 })
  return mergeRetry({ result, counted }, again)
}

/** @typedef {{ result: StepResult, counted: Pick<Counted, 'failedFiles' | 'passedElsewhere'> }} Ran */

/**
 * Both tries of some files as one result. Everything that failed in either is shown: a file that passed on retry is flaky,
 * also where another one failed again.
 * @param {Ran} first @param {Ran} again @returns {StepResult}
 */
export function mergeRetry({ result, counted }, again) {
  const { failedFiles, passedElsewhere } = counted
  const { ok, output: said } = again.result
  const output = `${result.output}\nTRIED AGAIN: ${failedFiles.join(', ')}\n${said}`
  const red = again.counted.failedFiles
  // A retry that names no file may not have come to the others.
  const flaky = ok
    ? failedFiles
    : red.length === 0
      ? []
      : failedFiles.filter((one) => !red.includes(one))
  const { passed, failed } = again.result.tally
  // The first try counted what is skipped, in these files and in all others.
  const tally = ok ? { ...result.tally, passed: passedElsewhere + passed, failed } : result.tally
  const words = flaky.length > 0 ? `; FLAKY, passed only on retry: ${flaky.join(', ')}` : ''
  const second = ok
    ? []
    : ['TRIED AGAIN, and failed:', again.result.failures || lastLines(said, SHOWN_LINES)]
  const failures = [result.failures ?? '', ...second].filter((text) => text !== '').join('\n\n')
  const note = `${formatCounts([tally])}${words}`
  return { ok, tally, note, output, times: result.times ?? '', failures, flaky }
}

/** @typedef {{ project: string, files: string[], env: Record<string, string>, maySkipAll: boolean, workers: number }} Run */

/** @param {Run} run @returns {Promise<{ result: StepResult, counted: Counted }>} */
function runOnce({ project, files, env, maySkipAll, workers }) {
  return withTemporary(async (folder) => {
    const report = join(folder, 'report.json')
    const args = [
      ...['run', ...files, '--project', project, `--maxWorkers=${workers}`],
      ...['--reporter=default', '--reporter=json', `--outputFile.json=${report}`],
    ]
    const { code, output } = await runCommand(
      process.execPath,
      ['node_modules/vitest/vitest.mjs', ...args],
      { env: { NO_COLOR: '1', TMPDIR: folder, PROOFBOARD_TEST_FOLDER: folder, ...env } },
    )
    const { cpu, unfinished } = readFiles(join(folder, 'cpu.jsonl'))
    const isNarrowed = files.some((one) => one.startsWith('--'))
    const counted = readReport(report, cpu, isNarrowed)
    const { tally: seen, times } = counted
    const shown = maySkipAll ? seen.passed + seen.skipped : seen.passed
    const ok = code === 0 && seen.failed === 0 && shown > 0
    const tally = ok || seen.failed > 0 ? seen : { ...seen, failed: 1 }
    const failures = counted.failures || (ok ? '' : describeSilent(output, unfinished))
    return {
      result: { ok, tally, note: formatCounts([seen]), output, failures, times },
      counted,
    }
  })
}

/**
 * What each file cost, and the files that began and did not end, as lib/testing/cpu-seconds.ts writes it down.
 * @param {string} file @returns {{ cpu: Map<string, number>, unfinished: string[] }}
 */
function readFiles(file) {
  const text = existsSync(file) ? readFileSync(file, 'utf8').trim() : ''
  /** @type {{ name: string, cpuMs?: number | null }[]} */
  const lines = text === '' ? [] : text.split('\n').map((line) => JSON.parse(line))
  /** @type {Map<string, number>} */
  const cpu = new Map()
  for (const { name, cpuMs } of lines) if (typeof cpuMs === 'number') cpu.set(name, cpuMs)
  const ended = new Set(lines.flatMap(({ name, cpuMs }) => (cpuMs === undefined ? [] : name)))
  const begun = new Set(lines.map(({ name }) => name))
  return { cpu, unfinished: [...begun].filter((name) => !ended.has(name)) }
}

/**
 * What can be said of a red run whose report names no test: the end of its output, then the files of errors outside of
 * tests, and those that had begun when it ended.
 * @param {string} output @param {readonly string[]} unfinished
 */
export function describeSilent(output, unfinished) {
  const found = [...output.matchAll(/This error originated in "([^"]+)" test file/g)]
  const outside = [...new Set(found.map(([, name = '']) => name))]
  const files = unfinished.map((name) => relative(process.cwd(), name))
  return [
    lastLines(output, SILENT_LINES),
    ...outside.map((name) => `FAILED ${name}: an error outside of its tests`),
    ...files.map((name) => `FAILED ${name}: it had begun when the tests were ended`),
  ].join('\n')
}

/** @param {string} file @param {Map<string, number>} cpu @param {boolean} isNarrowed @returns {Counted} */
function readReport(file, cpu, isNarrowed) {
  try {
    const report = judgeSkips(JSON.parse(readFileSync(file, 'utf8')), isNarrowed)
    const failed = report.testResults.filter(hasFailed)
    const inThem = failed.flatMap(({ assertionResults }) => assertionResults)
    const passed = inThem.filter(({ status }) => status === 'passed').length
    const tally = countVitest(report)
    const failedFiles = failed.map(({ name }) => relative(process.cwd(), name))
    const failures = describeFailures(report)
    const times = describeTimes(report, cpu)
    return { tally, failedFiles, passedElsewhere: tally.passed - passed, failures, times }
  } catch {
    return NOT_COUNTED
  }
}

/** @typedef {{ status: string, fullName: string, failureMessages?: string[], meta?: { lacks?: string } }} Assertion */
/** @typedef {{ name: string, status: string, message?: string, assertionResults: Assertion[], startTime?: number, endTime?: number }} VitestFile */
/** @typedef {{ testResults: VitestFile[] }} VitestReport */

/** @param {{ status: string }} assertion */
const isSkipped = ({ status }) => status === 'skipped' || status === 'todo'

/**
 * Makes a test that was skipped without a reason a failed one, so that no test is skipped by accident. In a run that is
 * narrowed by options it was not chosen, and is left out.
 * @param {VitestReport} report @param {boolean} isNarrowed @returns {VitestReport}
 */
export function judgeSkips({ testResults }, isNarrowed) {
  const isUnexplained = (/** @type {Assertion} */ one) => isSkipped(one) && !one.meta?.lacks
  return {
    testResults: testResults.map((file) => {
      const all = file.assertionResults
      if (!all.some(isUnexplained)) return file
      if (isNarrowed) return { ...file, assertionResults: all.filter((one) => !isUnexplained(one)) }
      // A hook that failed skips tests too: its error is the file's.
      const failed = { status: 'failed', failureMessages: [file.message || UNEXPLAINED] }
      const judged = all.map((one) => (isUnexplained(one) ? { ...one, ...failed } : one))
      return { ...file, status: 'failed', assertionResults: judged }
    }),
  }
}

const UNEXPLAINED = 'skipped without a reason: name what it needs by a tag of lib/testing/needs.ts'

/**
 * A file failed when a test did, and when its process ended before the last one: those tests are still `pending` then.
 * @param {Pick<VitestFile, 'status' | 'assertionResults'>} file
 */
function hasFailed({ status, assertionResults }) {
  return status === 'failed' || assertionResults.some(isUnfinished)
}

/** @param {{ status: string }} assertion a test that was skipped is `skipped` or `todo` */
const isUnfinished = ({ status }) => status === 'pending'

/**
 * Counts a vitest JSON report. A file that failed before it named a test counts as one failure, and so does each test that
 * its process did not live to finish.
 * @param {{ testResults: { status: string, assertionResults: Pick<Assertion, 'status' | 'meta'>[] }[] }} report
 * @returns {import('./run-step.mjs').Tally}
 */
export function countVitest({ testResults }) {
  const broken = testResults.filter(
    ({ status, assertionResults }) => status === 'failed' && assertionResults.length === 0,
  )
  const all = testResults.flatMap(({ assertionResults }) => assertionResults)
  const ofStatus = (/** @type {string} */ wanted) =>
    all.filter(({ status }) => status === wanted).length
  const skipped = all.filter(isSkipped)
  /** @type {Record<string, number>} */
  const lacks = {}
  for (const { meta } of skipped) if (meta?.lacks) lacks[meta.lacks] = (lacks[meta.lacks] ?? 0) + 1
  return {
    passed: ofStatus('passed'),
    failed: ofStatus('failed') + broken.length + all.filter(isUnfinished).length,
    skipped: skipped.length,
    lacks,
  }
}

const SHOWN_LINES = 25
const SILENT_LINES = 300

/**
 * What failed in a vitest JSON report: each test with the beginning of its error, nothing of what passed, so that the
 * end of a log, all that a machine may keep of it, names the failures: the first twenty, and the files of the others. Empty when nothing failed.
 * @param {{ testResults: Omit<VitestFile, 'startTime' | 'endTime'>[] }} report
 * @returns {string}
 */
export function describeFailures({ testResults }) {
  const all = testResults.filter(hasFailed).flatMap(describeFile)
  const shown = all.slice(0, MOST_FAILURES)
  const left = all.slice(shown.length).map(({ file }) => file)
  const where = [...new Set(left)].join(', ')
  const more = left.length > 0 ? [`and ${left.length} more failed, in ${where}`] : []
  return [...shown.map(({ text }) => text), ...more].join('\n\n')
}

/** @param {VitestFile} failed @returns {{ file: string, text: string }[]} */
function describeFile(failed) {
  const file = relative(process.cwd(), failed.name)
  return describeBlocks(file, failed).map((text) => ({ file, text }))
}

/** @param {string} file @param {VitestFile} failed @returns {string[]} */
function describeBlocks(file, { message = '', assertionResults }) {
  const failed = assertionResults.filter(({ status }) => status === 'failed')
  const unfinished = assertionResults.filter(isUnfinished).map(({ fullName }) => fullName)
  if (unfinished.length > 0)
    return [block(file, `its process ended before these tests: ${unfinished.join('; ')}`)]
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

/** @typedef {{ name: string, startTime?: number, endTime?: number }} ReportedFile */
/** @typedef {{ name: string, wallMs: number, cpuMs: number | null }} TimedFile */

const SHOWN_FROM_MS = 5_000

/**
 * What each file of a vitest JSON report took, the slowest first; files under five seconds are one line together.
 * @param {{ testResults: ReportedFile[] }} report
 * @param {ReadonlyMap<string, number>} [cpu] milliseconds of processors, by file
 * @returns {string}
 */
export function describeTimes({ testResults }, cpu = new Map()) {
  const files = testResults
    .map(({ name, startTime = 0, endTime = 0 }) => ({
      name,
      wallMs: Math.max(0, endTime - startTime),
      cpuMs: cpu.get(name) ?? null,
    }))
    .sort((a, b) => b.wallMs - a.wallMs)
  const isSlow = (/** @type {TimedFile} */ { wallMs, cpuMs }) =>
    Math.max(wallMs, cpuMs ?? 0) >= SHOWN_FROM_MS
  const others = files.filter((file) => !isSlow(file))
  const wallMs = others.reduce((total, file) => total + file.wallMs, 0)
  const cpuMs = cpu.size === 0 ? null : others.reduce((total, file) => total + (file.cpuMs ?? 0), 0)
  return [
    ...files
      .filter(isSlow)
      .map(
        ({ name, wallMs, cpuMs }) =>
          `${formatSpent(wallMs, cpuMs)}  ${relative(process.cwd(), name)}`,
      ),
    ...(others.length > 0
      ? [`${formatSpent(wallMs, cpuMs)}  ${others.length} files under 5 s`]
      : []),
  ].join('\n')
}
