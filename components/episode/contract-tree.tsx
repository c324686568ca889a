import type { Assertion, ContractResult, Verdict } from '#lib/domain/record/index.ts'
import { ASSERTION_LABELS } from '#lib/domain/tasks/index.ts'
import { countOf } from '#lib/domain/text/index.ts'
import { formatCount, visibleText } from '../ui/format.ts'
import { Check, CircleHelp, X } from '../ui/icons.tsx'

const MAX_PASSED = 200

type ContractTreeProps = {
  contract: ContractResult
  /** True = failed groups are closed too, because their errors are shown elsewhere. */
  folded?: boolean
  hasTally?: boolean
}

/** Expected and observed values of the success criteria as a tree; failed parts are open. */
export function ContractTree({ contract, folded = false, hasTally = true }: ContractTreeProps) {
  return (
    <>
      {hasTally ? <ContractTally contract={contract} /> : null}
      <AssertionList assertions={contract.assertions} folded={folded} />
    </>
  )
}

/** The verdict and the number of tests or assertions. */
export function ContractTally({ contract }: { contract: ContractResult }) {
  const { verdict, assertions, expectedTests, executedTests, passedTests } = contract
  return (
    <p className="mb-2 flex flex-wrap items-center gap-x-4 gap-y-1">
      <VerdictMark verdict={verdict} />
      <span className="text-muted">
        {expectedTests === null
          ? formatAssertions(assertions)
          : `${countOf(expectedTests, 'test')} expected, ${formatCount(executedTests)} executed, ${formatCount(passedTests)} passed`}
        {expectedTests === null ? null : ` · ${formatHeldOut(assertions)}`}
      </span>
    </p>
  )
}

type AssertionListProps = { assertions: readonly Assertion[]; folded?: boolean }

function AssertionList({ assertions, folded = false }: AssertionListProps) {
  const ordered = orderAssertions(assertions)
  const failed = ordered.filter(({ verdict }) => verdict !== 'pass')
  const shown = ordered.slice(0, failed.length + MAX_PASSED)
  return (
    <ul className="border-line border-b">
      {shown.map((assertion, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two tests may bear one name, and the list never reorders.
        <li className="border-line border-t" key={`${assertion.label} ${index}`}>
          {assertion.children.length > 0 ? (
            <AssertionGroup assertion={assertion} folded={folded} />
          ) : (
            <AssertionLeaf assertion={assertion} />
          )}
        </li>
      ))}
      {ordered.length > shown.length ? (
        <li className="border-line border-t py-1.5 text-muted">
          and {formatCount(ordered.length - shown.length)} more passed
        </li>
      ) : null}
    </ul>
  )
}

function AssertionGroup({ assertion, folded }: { assertion: Assertion; folded: boolean }) {
  const { all, passed } = countLeaves(assertion)
  return (
    <details open={assertion.verdict !== 'pass' && !folded}>
      <summary className="flex min-h-9 items-center gap-2.5 py-1 hover:bg-sunken">
        <svg
          aria-hidden="true"
          className="size-3 shrink-0 text-muted in-[details[open]>summary]:rotate-90"
          viewBox="0 0 12 12"
        >
          <path d="m4.5 3 3 3-3 3" fill="none" stroke="currentColor" strokeWidth="1.4" />
        </svg>
        <VerdictMark short verdict={assertion.verdict} />
        <span className="untrusted font-medium">{visibleText(assertion.label)}</span>
        <span className="ml-auto whitespace-nowrap pr-1 text-muted">
          {groupNote(assertion) ?? `${formatCount(passed)} of ${formatCount(all)}`}
        </span>
      </summary>
      <div className="ml-1.5 border-line border-l pl-4">
        {isWholeCompared(assertion) ? <Extent assertion={assertion} /> : null}
        <AssertionList assertions={assertion.children} />
      </div>
    </details>
  )
}

function AssertionLeaf({ assertion }: { assertion: Assertion }) {
  return (
    <div className="flex flex-wrap items-baseline gap-x-2.5 py-1.5">
      <VerdictMark short verdict={assertion.verdict} />
      <span className="untrusted min-w-0 flex-1">{visibleText(assertion.label)}</span>
      <span className="text-muted text-xs">{assertion.kind}</span>
      {assertion.verdict === 'pass' ? (
        <Seen assertion={assertion} />
      ) : (
        <Difference assertion={assertion} />
      )}
    </div>
  )
}

/** Groups whose verdict is not derived from a count of their parts. */
const COMBINED: Record<string, string> = {
  any: 'any of these',
  not: 'must not hold',
}

/** Checks that compare whole runs, which show their extent instead of a count of parts. */
const WHOLE_RUNS = new Set(['held-out', 'altered-tests'])

const isWholeCompared = ({ kind }: Assertion) => WHOLE_RUNS.has(kind)

function groupNote(assertion: Assertion): string | undefined {
  return isWholeCompared(assertion) ? visibleText(assertion.observed) : COMBINED[assertion.kind]
}

/** The size of the comparison: observations and seeds, or altered expectations. */
function Extent({ assertion }: { assertion: Assertion }) {
  return <p className="untrusted py-1.5 text-muted text-xs">{visibleText(assertion.expected)}</p>
}

function formatHeldOut(assertions: readonly Assertion[]): string {
  if (assertions.some(({ kind }) => kind === 'patch')) return 'tests in the solution’s own process'
  const heldOut = assertions.find(({ kind }) => kind === 'held-out')
  if (!heldOut) return 'visible tests only'
  if (heldOut.verdict === 'pass') return 'held-out transcript matches the reference'
  return heldOut.children.length > 0
    ? 'held-out transcript differs from the reference'
    : 'held-out transcript not compared'
}

function formatAssertions(assertions: readonly Assertion[]): string {
  const counts = assertions.map(countLeaves)
  const sum = (key: 'all' | 'passed') => counts.reduce((total, count) => total + count[key], 0)
  return `${formatCount(sum('passed'))} of ${countOf(sum('all'), 'assertion')} passed`
}

/** The observed value of a passed assertion, which is shown for final states. */
function Seen({ assertion }: { assertion: Assertion }) {
  const { kind, observed } = assertion
  if (isWholeCompared(assertion)) {
    return (
      <div className="w-full pl-6">
        <Extent assertion={assertion} />
      </div>
    )
  }
  if (!(kind in ASSERTION_LABELS) || observed === '') return null
  return (
    <details className="w-full pl-6 text-muted">
      <summary className="w-fit text-xs hover:text-ink">Observed</summary>
      <pre className="untrusted mt-1 whitespace-pre-wrap rounded bg-sunken p-2 text-xs">
        {visibleText(observed)}
      </pre>
    </details>
  )
}

function Difference({ assertion: { expected, observed } }: { assertion: Assertion }) {
  const sides = [
    ['Expected', expected],
    ['Observed', observed],
  ].filter(([, text]) => text !== '')
  if (sides.length === 0) return null
  return (
    <dl className="mt-1 grid w-full gap-2 pl-6 md:grid-cols-2">
      {sides.map(([name, text]) => (
        <div className="min-w-0" key={name}>
          <dt className="text-muted text-xs">{name}</dt>
          <dd>
            <pre className="untrusted whitespace-pre-wrap rounded bg-sunken p-2 text-xs">
              {visibleText(text ?? '')}
            </pre>
          </dd>
        </div>
      ))}
    </dl>
  )
}

const ORDER = { fail: 0, inconclusive: 1, pass: 2 } as const

/** Failed assertions first, otherwise in declared order. */
export function orderAssertions(assertions: readonly Assertion[]): Assertion[] {
  return [...assertions].sort((a, b) => ORDER[a.verdict] - ORDER[b.verdict])
}

/** Groups that can pass although parts fail count as one check. */
const WEIGHED_WHOLE = new Set(['any', 'not'])

/** Counts the leaves of an assertion, and those that passed. */
export function countLeaves(assertion: Assertion): { all: number; passed: number } {
  if (assertion.children.length === 0 || WEIGHED_WHOLE.has(assertion.kind)) {
    return { all: 1, passed: assertion.verdict === 'pass' ? 1 : 0 }
  }
  return assertion.children.map(countLeaves).reduce((sum, part) => ({
    all: sum.all + part.all,
    passed: sum.passed + part.passed,
  }))
}

const MARKS = {
  pass: { Icon: Check, tone: 'text-good' },
  fail: { Icon: X, tone: 'text-bad' },
  inconclusive: { Icon: CircleHelp, tone: 'text-warn' },
} as const

/** Icon and name of a verdict; short hides the name where a label follows. */
function VerdictMark({ verdict, short = false }: { verdict: Verdict; short?: boolean }) {
  const { Icon, tone } = MARKS[verdict]
  return (
    <span className={`inline-flex items-center gap-1.5 font-medium ${tone}`} title={verdict}>
      <Icon aria-hidden className="shrink-0 self-center" size={14} strokeWidth={2.5} />
      <span className={short ? 'sr-only' : undefined}>{verdict}</span>
    </span>
  )
}
