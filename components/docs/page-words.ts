import { EVIDENCE_WORDS, PROVENANCE_WORDS } from '#lib/domain/board/index.ts'
import { OUTCOME_LABELS } from '../run/outcome.tsx'

/** What the pages of the methodology call outcomes, evidence labels and provenance levels. */
export const PAGE_WORDS = {
  outcomes: OUTCOME_LABELS,
  labels: EVIDENCE_WORDS,
  provenance: PROVENANCE_WORDS,
}
