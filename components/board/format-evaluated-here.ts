import { formatCount } from '#components/format/number.ts'
import { visibleText } from '#components/format/visible-text.ts'
import type { EvaluatedHere } from '#lib/domain/evaluation/evaluated-here.ts'
import type { EvaluationView } from '#lib/domain/evaluation/view-evaluation.ts'

export const EVALUATION_WORDS: Record<EvaluationView['state'], string> = {
  agreed: 'agreed',
  disagreed: 'disagreed',
  pending: 'pending',
  impossible: 'not evaluated',
  browser: 'not re-evaluable',
}

/** `70 agreed · 1 disagreed ·4 pending`, with the reason where there is one. */
export function formatEvaluatedHere({
  agreed,
  disagreed,
  pending,
  impossible,
  reason,
}: EvaluatedHere): string {
  const parts = [
    `${formatCount(agreed)} agreed`,
    ...(disagreed > 0 ? [`${formatCount(disagreed)} disagreed`] : []),
    ...(pending > 0 ? [`${formatCount(pending)} pending`] : []),
    ...(impossible > 0 ? [`${formatCount(impossible)} not evaluated`] : []),
  ]
  return `${parts.join(' · ')}${reason === undefined ? '' : ` (${visibleText(reason)})`}`
}
