import {
  type AnyEpisode,
  type Assertion,
  type ContractResult,
  isMeasured,
  outcomeReason,
} from '#lib/domain/record/index.ts'
import { countOf } from '#lib/domain/text/index.ts'
import { errorTitle, groupErrors, isComparison } from './error-groups.ts'

/** The cause of an outcome in one line, and how many checks it affects. */
export type Headline = { cause: string; extent: string | null }

/**
 * Determines the cause of an outcome. The stored reason names the first failed check, which may be a consequence: forty
 * tests fail because nothing was implemented, or the count of tests is wrong because the file did not load.
 */
export function headlineOf(episode: AnyEpisode): Headline {
  const { outcome, contract, browser } = episode
  const reason = outcomeReason(outcome)
  if (!isMeasured(episode) || !contract || contract.verdict === 'pass') return only(reason)
  const found = browser ? firstUnmet(contract) : exerciseCause(contract, episode.failureCategory)
  if (!found) return only(reason)
  // An error reported by a library names the failed step, which is more precise than the final state.
  if (browser?.libraryError) return { cause: reason, extent: found.cause }
  if (outcome.status === 'unsolved') return found
  return { cause: reason, extent: found.extent ? `${found.cause} (${found.extent})` : found.cause }
}

const only = (cause: string): Headline => ({ cause, extent: null })

function exerciseCause(
  { assertions }: ContractResult,
  category: AnyEpisode['failureCategory'],
): Headline | null {
  const failed = new Map(
    assertions.flatMap((one) => (one.verdict === 'fail' ? [[one.kind, one] as const] : [])),
  )
  const test = testCause(failed.get('tests'))
  if (category === 'no-change') {
    return { cause: 'The solution files were not changed.', extent: test?.cause ?? null }
  }
  return (
    loadCause(failed.get('tests')) ??
    typeCause(failed.get('types'), BREAKING) ??
    test ??
    typeCause(failed.get('types')) ??
    heldOutCause(failed.get('held-out')) ??
    otherCause([...failed.values()])
  )
}

function loadCause(tests: Assertion | undefined): Headline | null {
  const load = tests?.children.find(({ kind, verdict }) => kind === 'load' && verdict === 'fail')
  if (!load) return null
  return { cause: errorTitle(load.observed), extent: 'The test file could not be loaded.' }
}

/** TypeScript errors that make the tests fail: syntax errors and missing names. */
const BREAKING = /^TS(?:1\d{3}|2304|2305|2307|2339|2551|2552|2724):/

function typeCause(types: Assertion | undefined, which = /^/): Headline | null {
  const first = types?.children.find(({ observed }) => which.test(observed))
  if (!types || (which === BREAKING && !first)) return null
  if (!first) return { cause: `Type check: ${types.observed}`, extent: null }
  return {
    cause: `${first.label}: ${errorTitle(first.observed)}`,
    extent: `${countOf(types.children.length, 'type error')}.`,
  }
}

function testCause(tests: Assertion | undefined): Headline | null {
  const run = tests?.children.filter(({ kind }) => kind === 'test') ?? []
  const [largest, ...others] = groupErrors(run)
  if (!largest) return null
  const all = [largest, ...others].reduce((sum, { failed }) => sum + failed.length, 0)
  const same = largest.failed.length
  const share = same === all || all === 1 ? '' : `, ${same} of them with this error`
  const [first] = largest.failed
  const name = first && isComparison(first.observed) ? `${first.label}: ` : ''
  return {
    cause: `${name}${largest.title}`,
    extent: `${all} of ${countOf(run.length, 'test')} failed${share}.`,
  }
}

function heldOutCause(heldOut: Assertion | undefined): Headline | null {
  const difference = heldOut?.children.find(({ verdict }) => verdict === 'fail')
  if (!difference) return null
  const { expected, observed } = difference
  return {
    cause: `On held-out inputs: expected ${firstLine(expected)}, received ${firstLine(observed)}`,
    extent: null,
  }
}

/** Other failed checks, in the order of checking. */
function otherCause(failed: readonly Assertion[]): Headline | null {
  const [first] = failed
  return first ? deepest(first) : null
}

/** The first unmet criterion of a final state. */
function firstUnmet({ assertions }: ContractResult): Headline | null {
  const unmet = assertions.filter(({ verdict }) => verdict === 'fail')
  const [first] = unmet
  if (!first) return null
  const extent = unmet.length > 1 ? `${unmet.length} success criteria are not met.` : null
  return { ...deepest(first), ...(extent && { extent }) }
}

function deepest(assertion: Assertion): Headline {
  const inner = assertion.children.find(({ verdict }) => verdict === 'fail')
  const { label, observed } = inner ?? assertion
  const message = firstLine(observed)
  return { cause: message === '' ? label : `${label}: ${message}`, extent: null }
}

const MOST = 300

function firstLine(text: string): string {
  return text.trim().split('\n')[0]?.slice(0, MOST) ?? ''
}
