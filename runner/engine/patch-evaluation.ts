import type { Outcome } from '#lib/domain/record/index.ts'
import type { TakenWork } from '../repository/take-changes.ts'
import type { SubjectResult } from '../subjects/subject-driver.ts'
import { decideOutcome } from './describe-attempt.ts'
import type { AttemptEvaluation } from './environment-adapter.ts'
import type { TouchedFile } from './workspace.ts'

const MAX_NAMED = 3

/** Evaluates work that is a patch; `isPartial` = a part of what is judged passes. Null = it was not judged. */
export function patchEvaluation(
  judged: Pick<AttemptEvaluation, 'contract' | 'findings' | 'exit'> | null,
  { changes, touched }: TakenWork,
  { ending }: SubjectResult,
  isPartial = (judged?.contract.passedTests ?? 0) > 0,
): AttemptEvaluation | null {
  if (judged === null) return null
  const { contract, findings, exit } = judged
  const outcome = nameLeftOut(decideOutcome(ending, { contract, findings }), touched)
  const failure = isPartial ? 'partial' : 'test-failure'
  const unsolvedAs = changes.length === 0 ? 'no-change' : failure
  return { contract, findings, exit, outcome, unsolvedAs }
}

/** Adds to the outcome of unsolved work which parts were not judged, because they may be the cause. */
export function nameLeftOut(outcome: Outcome, touched: readonly TouchedFile[]): Outcome {
  if (outcome.status !== 'unsolved' || touched.length === 0) return outcome
  const named = touched.slice(0, MAX_NAMED).map(({ path, reason }) => {
    const short = path.slice(0, 200)
    return reason === undefined ? short : `${short} (${reason})`
  })
  const more = touched.length > MAX_NAMED ? ` and ${touched.length - MAX_NAMED} more` : ''
  return { ...outcome, reason: `${outcome.reason}; not judged: ${named.join(', ')}${more}` }
}
