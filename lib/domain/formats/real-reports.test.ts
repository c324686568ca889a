import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { readTestRun, type TestRunFormat } from './read-test-run.ts'

/**
 * Reports written by the newest releases, of suites with failing, skipped, nested, parametrised and equally named
 * tests, throwing hooks and files that cannot be loaded. Only the paths were shortened.
 */
function readReport(format: TestRunFormat, file: string): string[] {
  const text = readFileSync(new URL(`./fixtures/reports/${file}`, import.meta.url), 'utf8')
  const read = readTestRun(format, text)
  return read.ok ? read.value.map(({ name, status }) => `${status} ${name}`) : ['refused']
}

const within = (group: string, lines: readonly string[]) =>
  lines.map((line) => line.replace(' ', ` ${group} > `))

it('reads what jest 30 writes', () => {
  expect(readReport('jest', 'jest.json')).toEqual([
    'passed outer > inner > deep > passes',
    'failed outer > inner > deep > fails',
    'skipped outer > skipped',
    'skipped outer > to do',
    'passed outer > twice 1 is 2',
    'passed outer > twice 2 is 4',
    'failed outer > twice 3 is 7',
    'passed outer > table 1 gives 2',
    'passed outer > table <&" gives NaN',
    'passed outer > known bug',
    'failed outer > known bug that is gone',
    'passed outer > concurrent',
    'passed group a > in it',
    'passed group b > in it',
    ...['passed same name', 'passed same name'],
    'passed line\nbreak # skip \\',
    // From a hook before all tests; the next ones from a hook after all tests, and from files without a test.
    ...['failed one', 'failed g > two'],
    ...['passed passes before', 'error after.test.js'],
    ...['error empty.test.js', 'error crash-load.test.js'],
  ])
})

it('reads what a reporter of jest writes as CTRF', () => {
  const report = readReport('ctrf', 'jest.ctrf.json')
  expect(report.slice(0, 4)).toEqual(
    within('kinds.test.js > outer', [
      'passed inner > deep > outer inner > deep passes',
      'failed inner > deep > outer inner > deep fails',
      'skipped outer skipped',
      'skipped outer to do',
    ]),
  )
})

const MOCHA = [
  ...['passed same name', 'passed same name'],
  'passed <b> & "q" # skip \\',
  ...['skipped outer > skipped', 'skipped outer > pending'],
  ...['passed outer > twice 1 is 2', 'passed outer > twice 2 is 4', 'failed outer > twice 3 is 7'],
  'skipped outer > skips itself',
  ...['passed outer inner > deep > passes', 'failed outer inner > deep > fails'],
  'passed with retries > third time',
  'failed g > "before each" hook for "one"',
  ...['passed g > one', 'failed g > "after all" hook for "one"'],
]

it('reads what mocha 12 writes', () => {
  expect(readReport('junit', 'mocha.xml')).toEqual(within('Mocha Tests', MOCHA))
  // Its TAP joins group names with a space, and omits `#`.
  const flat = MOCHA.map((line) => line.replace(/ > (?!deep)/, ' ').replace(' # skip', '  skip'))
  expect(readReport('tap', 'mocha.tap')).toEqual(flat)
})

const VITEST = [
  ...['passed outer > inner > deep > passes', 'failed outer > inner > deep > fails'],
  ...['skipped outer > skipped', 'skipped outer > to do'],
  ...['passed outer > twice 1 is 2', 'failed outer > twice 3 is 7'],
  ...['passed outer > known bug', 'failed outer > known bug gone'],
  ...['passed outer > concurrent', 'skipped outer > skips itself'],
  ...['passed same name', 'passed same name'],
]

it.each<[TestRunFormat, string, (lines: string[]) => string[], string[]]>([
  ['vitest', 'vitest.json', (lines) => lines, ['error after.test.js', 'error crash.test.js']],
  [
    'junit',
    'vitest.xml',
    (lines) => within('vt/kinds.test.js', lines),
    ['failed vt/after.test.js > g', 'failed vt/crash.test.js > vt/crash.test.js'],
  ],
  [
    'tap',
    'vitest.tap',
    (lines) => within('vt/kinds.test.js', lines),
    ['error vt/after.test.js > g', 'failed vt/crash.test.js'],
  ],
])('reads what vitest 4 writes as %s (%s)', (format, file, named, broken) => {
  const report = readReport(format, file)
  expect(report.filter((line) => named(VITEST).includes(line))).toEqual(named(VITEST))
  expect(report).toEqual(expect.arrayContaining(broken))
})

it('reads what tap 21 writes', () => {
  const report = readReport('tap', 'tap.tap')
  expect(report).toEqual([
    'failed tp/crash.test.js',
    ...['passed tp/exit.test.js > first', 'failed tp/exit.test.js > test count(1) != plan(2)'],
    ...within('tp/kinds.test.js', [
      'passed outer > inner > one is one',
      'failed outer > inner > one is two',
      ...['skipped skipped', 'skipped to do', 'passed same', 'passed same'],
      ...['passed with # hash \\ and break', 'passed no assertion'],
    ]),
  ])
})

it('reads what node:test writes', () => {
  const report = readReport('node', 'node.tap')
  expect(report.slice(0, 4)).toEqual([
    ...['failed g > one', 'passed h > one', 'error h'],
    'failed /repository/nt/crash.test.mjs',
  ])
  expect(report.slice(4, 16)).toEqual([
    'passed outer > inner > deep > passes',
    'failed outer > inner > deep > fails',
    ...['skipped outer > skipped', 'skipped outer > to do', 'skipped outer > todo that fails'],
    ...['skipped outer > skips itself', 'passed outer > twice 1', 'passed outer > twice 3'],
    ...['passed parent > sub', 'failed parent > sub fails'],
    ...['passed parent throws after sub > sub', 'error parent throws after sub'],
  ])
})

it('reads what pytest 7 writes', () => {
  expect(readReport('pytest', 'pytest.xml')).toEqual([
    'error pytest > py.test_crash',
    'passed pytest > py.test_kinds.TestOuter.TestInner > test_passes',
    'failed pytest > py.test_kinds.TestOuter.TestInner > test_fails',
    ...within('pytest > py.test_kinds', [
      'failed test_each[1]',
      'passed test_each[<&"x]',
      'passed test_each[a::b]',
      'passed test_each[line\\nbreak]',
      ...['skipped test_skipped', 'skipped test_xfail', 'passed test_xpass'],
      ...['failed test_xpass_strict', 'error test_bad_fixture', 'error test_bad_teardown'],
      ...['failed test_fails_and_teardown', 'error test_fails_and_teardown'],
    ]),
    'failed pytest > py.test_kinds.TestUnit > test_sub',
  ])
})

it.each([
  // A test named like a group, beside a real group.
  ['ok 1 - opens {\nok 2 - b\n1..2\n', ['passed opens {', 'passed b']],
  ['ok 1 - g {\n    ok 1 - a # time=1ms\n    1..1\n}\n1..1\n', ['passed g > a']],
  ['ok 1 - g {\n    ok 1 - a\n    1..1\n1..1\n', ['refused']],
  ['ok 1 - g {\n    ok 1 - a\nok 2 - h {\n    ok 1 - a\n}\n1..2\n', ['refused']],
  ['}\nok 1 - a # times=2\n1..1\n', ['passed a # times=2']],
  ['ok 1 - a # time=0.5s # SKIP later\n1..1\n', ['skipped a']],
])('tells groups of TAP from names: %j', (text, expected) => {
  const read = readTestRun('tap', text)
  expect(read.ok ? read.value.map(({ name, status }) => `${status} ${name}`) : ['refused']).toEqual(
    expected,
  )
})
