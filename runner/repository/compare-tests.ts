import type { ReportedTest } from '#lib/domain/formats/index.ts'
import type { Assertion } from '#lib/domain/record/index.ts'
import { countOf } from '#lib/domain/text/index.ts'
import { assertion } from '../assertion.ts'

/** Result of comparing a report with the names that the proof fixed. */
export type ComparedTests = {
  /** One for each expected name, in the order of the names. */
  tests: Assertion[]
  /** Other objections to the report: missing names, names that occur too often. */
  set: Assertion[]
  executed: number
  passed: number
  /** Every failed test is one that decides nothing. */
  onlyFlakyFailed: boolean
}

const FAILED = new Set<ReportedTest['status']>(['failed', 'error'])

/**
 * Compares by name, as multisets: a test that is missing, skipped, failed or reported too often does not pass.
 * Unexpected tests are ignored here; if one of them fails, the exit code shows it.
 */
export function compareTests(
  expected: readonly string[],
  flaky: ReadonlySet<string>,
  reported: readonly ReportedTest[],
): ComparedTests {
  const byName = new Map<string, ReportedTest[]>()
  for (const test of reported) byName.set(test.name, [...(byName.get(test.name) ?? []), test])
  const wanted = new Map<string, number>()
  for (const name of expected) wanted.set(name, (wanted.get(name) ?? 0) + 1)
  const compared: ComparedTests = {
    tests: [],
    set: [],
    executed: 0,
    passed: 0,
    onlyFlakyFailed: reported.every(({ name, status }) => !FAILED.has(status) || flaky.has(name)),
  }
  for (const [name, times] of wanted) compareOne(compared, name, times, byName.get(name) ?? [])
  return compared
}

function compareOne(
  compared: ComparedTests,
  name: string,
  times: number,
  found: readonly ReportedTest[],
): void {
  // Worst first: of surplus results for one name, no failed one may be left over.
  const ordered = [...found].sort((a, b) => rankOf(a) - rankOf(b))
  for (let at = 0; at < times; at++) {
    const status = ordered[at]?.status
    compared.tests.push(test(name, status ?? 'not reported', status === 'passed'))
    if (status !== undefined && status !== 'skipped') compared.executed++
    if (status === 'passed') compared.passed++
  }
  if (found.length < times)
    compared.set.push(
      assertion(
        'missing-test',
        name,
        'reported',
        `${found.length} of ${countOf(times, 'time')}`,
        false,
      ),
    )
  if (found.length > times)
    compared.set.push(
      assertion(
        'unexpected-test',
        name,
        `reported ${countOf(times, 'time')}`,
        countOf(found.length, 'time'),
        false,
      ),
    )
}

const ORDER: readonly ReportedTest['status'][] = ['error', 'failed', 'skipped', 'passed']
const rankOf = ({ status }: ReportedTest) => ORDER.indexOf(status)

function test(name: string, observed: string, ok: boolean): Assertion {
  return assertion('test', name, 'passed', observed, ok)
}
