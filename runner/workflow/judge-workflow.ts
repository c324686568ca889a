import type { FailureCategory } from '#lib/domain/failure-category.ts'
import type { Outcome } from '#lib/domain/outcome.ts'
import type { TamperFinding } from '#lib/domain/tamper-finding.ts'
import type { Judgement } from '../arena.ts'
import { firstFailure } from '../phases/classify.ts'
import { findTampering } from './find-tampering.ts'
import type { FinalView } from './read-final-view.ts'
import { endingError, type Played } from './workflow-player.ts'

const NO_GATE = { code: null, signal: null }

/** The outcome that the final state decides. What the library said of itself explains it and never decides it. */
export function judgeWorkflow(played: Played, { contract, requests }: FinalView): Judgement {
  const findings = findTampering(requests)
  return {
    contract,
    findings,
    exit: NO_GATE,
    outcome: decideOutcome(played, contract, findings),
    unsolvedAs: browserCategory(played),
  }
}

/**
 * A browser, or a server within the library's reach, that has ended while the library worked: counted against the
 * library, because whoever may end an attempt that goes badly would be given another one.
 */
export function judgeLost(played: Played, what: string): Judgement {
  const expected = `${what} is there when the library is done`
  const observed = 'it has ended'
  const assertion = { kind: 'browser', label: expected, expected, observed, children: [] }
  const contract: FinalView['contract'] = {
    verdict: 'fail',
    assertions: [{ ...assertion, verdict: 'fail' }],
    ...{ expectedTests: null, executedTests: null, passedTests: null },
  }
  const reason = `${what} had ended when the library was done`
  return {
    contract,
    findings: [],
    exit: NO_GATE,
    outcome: { status: 'unsolved', reason },
    unsolvedAs: browserCategory(played),
  }
}

function decideOutcome(
  { report }: Played,
  contract: FinalView['contract'],
  findings: TamperFinding[],
): Outcome {
  if (findings.length > 0) return { status: 'tampered', findings }
  if (contract.verdict === 'pass') return { status: 'solved' }
  if (contract.verdict === 'inconclusive')
    return {
      status: 'void',
      fault: 'infrastructure',
      reason: `the final state could not be read: ${firstUnknown(contract)}`,
    }
  if (report?.ending === 'out-of-actions')
    return {
      status: 'out-of-budget',
      budget: 'steps',
      reason: 'took more actions than the task allows',
    }
  const said = endingError(report)
  if (!said) return { status: 'unsolved', reason: firstFailure(contract) }
  const where = [said.step, said.action].filter(Boolean).join(', ')
  const words = said.message.split('\n')[0]?.slice(0, 300) ?? ''
  return { status: 'unsolved', reason: where ? `${where}: ${words}` : words }
}

function firstUnknown({ assertions }: FinalView['contract']): string {
  return assertions.find(({ verdict }) => verdict === 'inconclusive')?.label ?? 'no assertion'
}

const BY_ACTION: Readonly<Record<string, FailureCategory>> = {
  open: 'navigation',
  newPage: 'navigation',
  url: 'navigation',
  click: 'grounding',
  drag: 'grounding',
  press: 'grounding',
  sees: 'grounding',
  fill: 'form-entry',
  select: 'form-entry',
  check: 'form-entry',
  upload: 'form-entry',
  readText: 'extraction',
  waitText: 'extraction',
  observe: 'extraction',
}

/** What kind of work went wrong, by the action that failed last; without a failed action the plan itself was wrong. */
function browserCategory({ report, ending }: Played): FailureCategory {
  if (report === null) return ending.exitCode === 0 ? 'planning' : 'crash'
  const libraryError = endingError(report)
  if (libraryError === null) return 'planning'
  if (/sign.?in|log.?in/i.test(libraryError.step ?? '')) return 'auth-state'
  return BY_ACTION[libraryError.action ?? ''] ?? 'planning'
}
