import { EVIDENCE_WORDS, PROVENANCE_WORDS } from '#lib/domain/board/index.ts'
import { OUTCOME_LABELS } from '../run/outcome.tsx'

/** Names of outcomes, evidence labels and provenance levels on the pages of the methodology. */
export const PAGE_WORDS = {
  outcomes: OUTCOME_LABELS,
  labels: EVIDENCE_WORDS,
  provenance: PROVENANCE_WORDS,
}
