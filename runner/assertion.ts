import type { Assertion, Verdict } from '#lib/domain/record/index.ts'

const MAX_LABEL = 1000
const MAX_OBSERVED = 2000

/** One assertion of a contract; long texts are cut to what an episode may contain. */
export function assertion(
  kind: string,
  label: string,
  expected: string,
  observed: string,
  verdict: Verdict | boolean,
  children: Assertion[] = [],
): Assertion {
  return {
    kind,
    label: label.slice(0, MAX_LABEL),
    expected,
    observed: observed.slice(0, MAX_OBSERVED),
    verdict: typeof verdict === 'string' ? verdict : verdict ? 'pass' : 'fail',
    children,
  }
}
