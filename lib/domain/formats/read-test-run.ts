import { z } from 'zod'
import type { REPORT_FORMATS } from '../tasks/index.ts'
import { type ParseResult, parseJson } from '../text/index.ts'
import { ctrfSchema, MAX_TEST_REPORT_BYTES, toCtrfCase } from './parse-test-reports.ts'
import { readTap } from './read-tap.ts'
import { XmlReader } from './read-xml.ts'
import type { ReportedTest } from './reported-test.ts'

/** A report format supported by `readTestRun`. */
export type TestRunFormat = (typeof REPORT_FORMATS)[number]

const MAX_TESTS = 20_000
const MAX_NAME = 1000

/**
 * Reads the tests of one run from its runner's report. The report is not trusted: the caller decides by expected names
 * and exit code. Returns one sentence if the report cannot be read.
 *
 * - `junit`: JUnit XML · `ctrf`: CTRF JSON · `tap`: TAP 12–14
 * - `jest`, `vitest`: their JSON reporters, which share a shape
 * - `node`: node:test's TAP or JUnit reporter (it has no JSON reporter)
 * - `pytest`: its JUnit XML, or pytest-json-report · `go`: `go test -json`
 */
export function readTestRun(format: TestRunFormat, text: string): ParseResult<ReportedTest[]> {
  if (text.length > MAX_TEST_REPORT_BYTES)
    return refuse(`the ${format} report is larger than ${MAX_TEST_REPORT_BYTES >> 20} MiB`)
  if (text.trim() === '') return refuse(`the ${format} report is empty`)
  try {
    const tests = readers[format](text)
    if (tests.length === 0) return refuse(`the ${format} report contains no tests`)
    if (tests.length > MAX_TESTS)
      return refuse(`the ${format} report contains more than ${MAX_TESTS} tests`)
    return { ok: true, value: tests.map((test) => ({ ...test, name: cut(test.name) })) }
  } catch (error) {
    return refuse(`the ${format} report cannot be read: ${(error as Error).message}`)
  }
}

function refuse(message: string): ParseResult<never> {
  return { ok: false, problems: [{ path: 'report', message }] }
}

/** Cuts each part before joining: a long group name must not be copied into each of many tests. */
function cut(name: string): string {
  return name.length > MAX_NAME ? name.slice(0, MAX_NAME) : name
}

const isXml = (text: string) => /^\uFEFF?\s*</.test(text)

const readers: Record<TestRunFormat, (text: string) => ReportedTest[]> = {
  junit: readJunit,
  ctrf: readCtrf,
  tap: readTap,
  jest: readJest,
  vitest: readJest,
  node: (text) => (isXml(text) ? readJunit(text) : readTap(text)),
  pytest: (text) => (isXml(text) ? readJunit(text) : readPytest(text)),
  go: readGo,
}

const JUNIT_STATUS = { failure: 'failed', error: 'error', skipped: 'skipped' } as const

function readJunit(text: string): ReportedTest[] {
  const report: JunitReport = { tests: [], suites: [], open: null, depth: 0 }
  const reader = new XmlReader({
    open: (name, attributes) => openJunit(report, name, attributes),
    close: (name) => closeJunit(report, name),
  })
  reader.write(text)
  reader.end()
  return report.tests
}

type JunitReport = {
  tests: ReportedTest[]
  suites: string[]
  open: ReportedTest | null
  depth: number
}
type Attributes = Readonly<Record<string, string>>

function openJunit(report: JunitReport, name: string, attributes: Attributes): void {
  if (report.depth++ === 0 && name !== 'testsuites' && name !== 'testsuite')
    throw new Error(`it starts with <${name.slice(0, 40)}>`)
  if (name === 'testsuite') report.suites.push(cut(attributes.name ?? ''))
  else if (name === 'testcase') {
    report.open = { name: junitName(report.suites, attributes), status: 'passed' }
    if (report.tests.push(report.open) > MAX_TESTS)
      throw new Error(`it contains more than ${MAX_TESTS} tests`)
  } else if (report.open && Object.hasOwn(JUNIT_STATUS, name))
    report.open.status = JUNIT_STATUS[name as keyof typeof JUNIT_STATUS]
}

function closeJunit(report: JunitReport, name: string): void {
  report.depth--
  if (name === 'testsuite') report.suites.pop()
  if (name === 'testcase') report.open = null
}

/** Most writers repeat the suite as the class: it is named once. */
function junitName(suites: readonly string[], attributes: Attributes) {
  const [name, classname] = [cut(attributes.name ?? ''), cut(attributes.classname ?? '')]
  if (name === '') throw new Error('one of its tests has no name')
  const around = suites.filter((suite) => suite !== '')
  const isOwn = classname && classname !== around.at(-1)
  return [...around, ...(isOwn ? [classname] : []), name].join(' > ')
}

function requireJson(text: string): unknown {
  const json = parseJson(text)
  if (json === undefined) throw new Error('it is not JSON')
  return json
}

/** Returns the value, or throws with the first invalid field. */
function parse<T>(schema: z.ZodType<T>, value: unknown): T {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  throw new Error(`${issue?.path.join('.') || 'it'}: ${issue?.message}`)
}

function readCtrf(text: string): ReportedTest[] {
  return parse(ctrfSchema, requireJson(text)).results.tests.map((test) => {
    const { group, name, status } = toCtrfCase(test)
    return { name: [...group, name].join(' > '), status }
  })
}

const title = z.string().max(100_000)

const jestSchema = z.object({
  testResults: z
    .array(
      z.object({
        name: title.optional(),
        status: z.string().max(100).optional(),
        assertionResults: z
          .array(
            z.object({
              ancestorTitles: z.array(title).max(100).default([]),
              title,
              status: z.string().max(100),
            }),
          )
          .max(MAX_TESTS),
      }),
    )
    .max(MAX_TESTS),
})

function readJest(text: string): ReportedTest[] {
  return parse(jestSchema, requireJson(text)).testResults.flatMap((file): ReportedTest[] => {
    const tests = file.assertionResults.map((test) => ({
      name: [...test.ancestorTitles, test.title].join(' > '),
      status: JEST_STATUS[test.status] ?? 'error',
    }))
    // A file that could not be loaded has no tests and counts as a failed test.
    const isBroken = file.status === 'failed' && tests.every(({ status }) => status !== 'failed')
    return isBroken ? [...tests, { name: baseName(file.name ?? 'file'), status: 'error' }] : tests
  })
}

const JEST_STATUS = statusTable({
  passed: 'passed',
  failed: 'failed',
  pending: 'skipped',
  skipped: 'skipped',
  todo: 'skipped',
  disabled: 'skipped',
})

type Statuses = Readonly<Record<string, ReportedTest['status']>>

/** Words of a report are foreign: they must not find members of objects. */
function statusTable(statuses: Statuses): Statuses {
  return Object.assign(Object.create(null), statuses)
}

/** Base names, because folders differ between machines. */
const baseName = (path: string) => path.split('/').at(-1) ?? path

const pytestSchema = z.object({
  tests: z.array(z.object({ nodeid: title, outcome: z.string().max(100) })).max(MAX_TESTS),
  collectors: z.array(z.object({ nodeid: title, outcome: z.string().max(100) })).default([]),
})

function readPytest(text: string): ReportedTest[] {
  const { tests, collectors } = parse(pytestSchema, requireJson(text))
  const broken = collectors.filter(({ outcome }) => outcome === 'failed')
  return [...tests, ...broken.map(({ nodeid }) => ({ nodeid, outcome: 'error' }))].map(
    ({ nodeid, outcome }) => ({
      name: nodeid.split('::').join(' > '),
      status: PYTEST_STATUS[outcome] ?? 'error',
    }),
  )
}

const PYTEST_STATUS = statusTable({
  passed: 'passed',
  failed: 'failed',
  skipped: 'skipped',
  xfailed: 'skipped',
  xpassed: 'failed',
  error: 'error',
})

const goSchema = z.object({
  Action: z.string().max(100),
  Package: title.optional(),
  Test: title.optional(),
})

const GO_STATUS = { pass: 'passed', fail: 'failed', skip: 'skipped' } as const

/** One event per line; a package that failed although none of its tests did could not be built or ended early. */
function readGo(text: string): ReportedTest[] {
  const lines = text.split('\n').filter((line) => line.startsWith('{'))
  if (lines.length === 0) throw new Error('it has no JSON line')
  const tests: ReportedTest[] = []
  const failed = new Set<string>()
  const broken = new Set<string>()
  for (const line of lines) {
    const { Action: action, Package: pack = '', Test: test } = parse(goSchema, requireJson(line))
    if (!Object.hasOwn(GO_STATUS, action)) continue
    const status = GO_STATUS[action as keyof typeof GO_STATUS]
    if (test === undefined) {
      if (status === 'failed') broken.add(pack)
      continue
    }
    if (status === 'failed') failed.add(pack)
    tests.push({ name: `${pack} > ${test}`, status })
  }
  const alone = [...broken].filter((pack) => !failed.has(pack))
  return [...tests, ...alone.map((pack): ReportedTest => ({ name: pack, status: 'error' }))]
}
