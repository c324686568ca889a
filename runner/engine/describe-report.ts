import type { Assertion } from '#lib/domain/record/index.ts'
import type { Exercise } from '#lib/domain/tasks/index.ts'
import { countOf } from '#lib/domain/text/index.ts'
import { assertion } from '../assertion.ts'
import type {
  AlteredReport,
  TestResult,
  VerifierReport,
} from '../verify/exercise/verifier-types.ts'

/** Converts the verifier's report to a tree of assertions: types, tests by name, the executed set, integrity. */
export function describeReport(report: VerifierReport, task: Exercise): Assertion[] {
  const parts = [describeTypes(report.types)]
  if (task.runTests)
    parts.push(
      describeTests(report.tests),
      describeExecutedSet(report.tests, task.expectedTests.length),
    )
  if (report.altered) parts.push(describeAltered(report.altered))
  if (task.heldOut) parts.push(describeHeldOut(report.heldOut))
  parts.push(describeIntegrity(report))
  return parts
}

function describeAltered({ altered, mustFail, passed, unrepeated }: AlteredReport): Assertion {
  const children = [
    ...passed.map((name) => assertion('altered-test', name, 'fails', 'passed', false)),
    ...unrepeated.map((name) => assertion('repeated-test', name, 'passes again', 'failed', false)),
  ]
  const observed =
    children.length === 0
      ? 'as expected'
      : `${passed.length} passed although altered, ${unrepeated.length} did not pass again`
  return assertion(
    'altered-tests',
    'a second run with altered expectations fails where it must',
    `${countOf(altered, 'expectation')} altered: ${countOf(mustFail, 'test fails', 'tests fail')}, the others pass again`,
    observed,
    children.length === 0,
    children,
  )
}

function describeHeldOut(heldOut: VerifierReport['heldOut']): Assertion {
  const label = 'behaves as the reference on held-out inputs'
  if (heldOut === null)
    return assertion(
      'held-out',
      label,
      'the same transcript',
      'not compared: see above',
      // Inconclusive, so no statement: only a differing transcript is evidence against a solution.
      'inconclusive',
    )
  const { agreed, observations, seeds, difference } = heldOut
  const children = difference
    ? [
        assertion(
          'observation',
          `first difference, seed ${difference.seed}`,
          difference.expected,
          difference.observed,
          false,
        ),
      ]
    : []
  return assertion(
    'held-out',
    label,
    `${countOf(observations, 'observation')}, seeds ${seeds.join(' and ')}`,
    agreed ? 'the same transcript' : 'another transcript',
    agreed,
    children,
  )
}

function describeTypes(types: VerifierReport['types']): Assertion {
  const children = types.diagnostics
    .slice(0, 200)
    .map(({ file, line, column, code, message }) =>
      assertion(
        'diagnostic',
        `${file}:${line}:${column}`,
        'no error',
        `TS${code}: ${message}`,
        false,
      ),
    )
  const observed = types.timedOut
    ? 'did not end in time'
    : countOf(types.diagnostics.length, 'type error')
  return assertion(
    'types',
    "compiles with the exercise's own settings",
    '0 type errors',
    observed,
    types.ok,
    children,
  )
}

function describeTests(tests: VerifierReport['tests']): Assertion {
  const children = tests.results.map(describeTest)
  if (tests.loadError !== null)
    children.unshift(assertion('load', 'the test file loads', 'no error', tests.loadError, false))
  const ending = tests.timedOut ? ', ended at the time limit' : ''
  const observed = `${tests.passed} passed, ${tests.failed} failed${ending}`
  const ok = tests.failed === 0 && tests.loadError === null && !tests.timedOut && tests.passed > 0
  return assertion('tests', 'every official test passes', '0 failed', observed, ok, children)
}

function describeTest({ name, status, message }: TestResult): Assertion {
  return assertion(
    'test',
    name,
    status === 'skipped' ? 'skipped by the track' : 'passes',
    message ?? status,
    status !== 'failed',
  )
}

function describeExecutedSet(
  { passed, failed, missing, unexpected }: VerifierReport['tests'],
  expected: number,
): Assertion {
  const children = [
    ...missing.map((name) => assertion('missing-test', name, 'executed', 'not executed', false)),
    ...unexpected.map((name) =>
      assertion('unexpected-test', name, 'not part of the contract', 'executed', false),
    ),
  ]
  const ok = missing.length === 0 && unexpected.length === 0
  return assertion(
    'executed-set',
    'exactly the expected tests were executed',
    countOf(expected, 'test'),
    countOf(passed + failed, 'test'),
    ok,
    children,
  )
}

function describeIntegrity({ findings }: VerifierReport): Assertion {
  const children = findings.map(({ code, detail }) =>
    assertion('finding', code, 'nothing found', detail, false),
  )
  return assertion(
    'integrity',
    'no detector saw tampering',
    '0 findings',
    countOf(findings.length, 'finding'),
    findings.length === 0,
    children,
  )
}
