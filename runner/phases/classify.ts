import type { ContractResult } from '#lib/domain/contract.ts'
import type { FailureCategory } from '#lib/domain/failure-category.ts'
import type { Outcome } from '#lib/domain/outcome.ts'
import type { SubjectEnding } from '../controls/subject-driver.ts'
import type { SourceText } from '../suites/task-folder.ts'
import type { Evaluation } from './evaluate-contract.ts'

/** Names the outcome that no earlier phase could name: tampered, solved, crashed or unsolved, in this order. */
export function decideOutcome(
  ending: SubjectEnding,
  { contract, findings }: Pick<Evaluation, 'contract' | 'findings'>,
): Outcome {
  if (findings.length > 0) return { status: 'tampered', findings: findings.slice(0, 50) }
  if (contract.verdict === 'pass') return { status: 'solved' }
  if (ending.exitCode !== 0) {
    const { exitCode, signal } = ending
    return {
      status: 'subject-crashed',
      exitCode,
      signal,
      reason: `exited with ${exitCode} and its work does not pass`,
    }
  }
  return { status: 'unsolved', reason: firstFailure(contract) }
}

/** Why it was not solved; null when it was. `unsolvedAs` = what it is called when nothing else went wrong. */
export function decideCategory(
  outcome: Outcome,
  unsolvedAs: FailureCategory,
): FailureCategory | null {
  switch (outcome.status) {
    case 'solved':
      return null
    case 'tampered':
      return 'tampering'
    case 'cancelled':
      return 'cancelled'
    case 'void':
      return outcome.fault
    case 'out-of-budget':
      return outcome.budget === 'time' ? 'timeout' : 'budget'
    case 'subject-crashed':
      return 'crash'
    case 'unsolved':
      return unsolvedAs
  }
}

/** What kind of failure an exercise's solution shows. */
export function codingCategory(
  { report, contract }: Evaluation,
  stubs: readonly SourceText[],
  solution: readonly SourceText[],
): FailureCategory {
  const unchanged = stubs.every((stub) =>
    solution.some((file) => file.path === stub.path && file.text === stub.text),
  )
  if (unchanged) return 'no-change'
  if (report && !report.types.ok) return 'type-error'
  return (contract.passedTests ?? 0) > 0 ? 'partial' : 'test-failure'
}

/** The first failed assertion's deepest words: what a person wants to know first. */
export function firstFailure(contract: ContractResult): string {
  const failed = contract.assertions.find(({ verdict }) => verdict === 'fail')
  if (!failed) return 'the contract did not pass'
  const inner = failed.children.find(({ verdict }) => verdict === 'fail')
  const observed = (inner ?? failed).observed.split('\n')[0]?.slice(0, 300) ?? ''
  return inner ? `${failed.label}: ${inner.label}: ${observed}` : `${failed.label}: ${observed}`
}
