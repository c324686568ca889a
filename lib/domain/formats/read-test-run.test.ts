import { expect, it } from 'vitest'
import { readTestRun, type TestRunFormat } from './read-test-run.ts'

function names(format: TestRunFormat, text: string): string[] {
  const read = readTestRun(format, text)
  return read.ok
    ? read.value.map(({ name, status }) => `${status} ${name}`)
    : read.problems.map(({ message }) => message)
}

const NODE_TAP = `TAP version 13
# Subtest: math
    # Subtest: adds
    ok 1 - adds
      ---
      duration_ms: 0.5
      ...
    # Subtest: divides
    not ok 2 - divides \\# by zero
      ---
      error: |-
        ok 9 - forged inside of a block
      ...
    1..2
not ok 1 - math
# Subtest: skipped one
ok 2 - skipped one # SKIP not today
1..2
# tests 3
`

it.each<[TestRunFormat, string, string[]]>([
  ['tap', 'ok 1 - a\nnot ok 2 b\nok 3 # TODO c\n1..3\n', ['passed a', 'failed b', 'skipped ']],
  [
    'node',
    NODE_TAP,
    ['passed math > adds', 'failed math > divides # by zero', 'skipped skipped one'],
  ],
  [
    'junit',
    '<?xml version="1.0"?><testsuites><testsuite name="s"><testcase classname="s" name="a &lt;b&gt; &#65;"/><testcase classname="c" name="x"><failure message="no"><![CDATA[<testcase name="no"/>]]></failure></testcase><testcase name="y"><skipped/></testcase></testsuite></testsuites>',
    ['passed s > a <b> A', 'failed s > c > x', 'skipped s > y'],
  ],
  [
    'jest',
    JSON.stringify({
      testResults: [
        { assertionResults: [{ ancestorTitles: ['g'], title: 'a', status: 'passed' }] },
        { name: '/w/broken.test.js', status: 'failed', assertionResults: [] },
      ],
    }),
    ['passed g > a', 'error broken.test.js'],
  ],
  [
    'pytest',
    JSON.stringify({
      tests: [
        { nodeid: 't.py::A::x', outcome: 'passed' },
        { nodeid: 't.py::y', outcome: 'xfailed' },
      ],
    }),
    ['passed t.py > A > x', 'skipped t.py > y'],
  ],
  [
    'go',
    '{"Action":"run","Package":"p","Test":"A"}\n{"Action":"pass","Package":"p","Test":"A"}\nnoise\n{"Action":"fail","Package":"q"}\n',
    ['passed p > A', 'error q'],
  ],
  [
    'ctrf',
    JSON.stringify({
      results: {
        tool: { name: 't' },
        summary: { start: 1, stop: 2 },
        tests: [{ name: 'a', status: 'pending', duration: 1, suite: ['s'] }],
      },
    }),
    ['skipped s > a'],
  ],
])('reads %s', (format, text, expected) => {
  expect(names(format, text)).toEqual(expected)
})

it.each<[TestRunFormat, string, RegExp]>([
  ['tap', '', /is empty/],
  ['tap', 'ok 1\n', /no plan/],
  ['tap', 'ok 1 - a\n1..2\n', /plan says 2 tests, and 1/],
  ['tap', 'ok 1 - a\nBail out! no\n1..1\n', /did not end/],
  ['tap', 'all 13 of 13 passed', /no test point/],
  ['tap', `${'    '.repeat(40)}ok 1 - a\n`, /nested deeper/],
  ['junit', '<!DOCTYPE x [<!ENTITY a "b">]><testsuite/>', /document type/],
  ['junit', '<testsuite><testcase name="a"/>', /not well-formed XML: Unclosed root tag/],
  ['junit', `${'<a>'.repeat(60)}`, /starts with <a>/],
  ['junit', `<testsuite>${'<a>'.repeat(60)}`, /nested deeper/],
  ['junit', '<testsuite></testsuites>', /not well-formed XML: Unexpected close tag/],
  ['junit', '<testsuite/><testsuite/>', /more than one root/],
  ['jest', '{"testResults":', /not JSON/],
  ['jest', '{"testResults":[{"assertionResults":[{"title":1}]}]}', /testResults.0/],
  ['jest', `${'['.repeat(100_000)}`, /not JSON/],
  ['go', 'PASS', /no JSON line/],
  ['pytest', '{"tests":[]}', /no tests/],
])('refuses a broken %s report %#', (format, text, reason) => {
  const read = readTestRun(format, text)
  expect(read.ok ? 'read' : read.problems[0]?.message).toMatch(reason)
})

it.each<[TestRunFormat, string]>([
  ['junit', `<testsuite name="LONG">${'<testcase name="a"/>'.repeat(3000)}</testsuite>`],
  ['tap', `${'    ok - a\n'.repeat(3000)}ok 1 - LONG\n1..1\n`],
])('does not copy the long name of a group into each test of a %s report', (format, text) => {
  const started = performance.now()
  const read = readTestRun(format, text.replace('LONG', 's'.repeat(400_000)))
  expect(read.ok && read.value.length).toBe(3000)
  expect(performance.now() - started).toBeLessThan(2000)
})

it('is not slow on hostile XML', () => {
  const started = performance.now()
  readTestRun('junit', `<testsuite ${'a="b" '.repeat(200_000)}`)
  readTestRun('junit', `<testsuite>${'&'.repeat(1_000_000)}`)
  expect(performance.now() - started).toBeLessThan(2000)
})
