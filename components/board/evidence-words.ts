import type { BoardRow, EvidenceLabel } from '#lib/domain/board/board-row.ts'

type Words = { word: string; meaning: string }

/** What each evidence label says, strongest first; the legend and every row use these words. */
export const EVIDENCE_WORDS: Record<EvidenceLabel, Words> = {
  primary: { word: 'claim', meaning: 'Passed every eligibility rule: the number may be quoted.' },
  stress: {
    word: 'stress',
    meaning: 'A claim about recovery: the same contract after a fault really fired.',
  },
  smoke: { word: 'smoke', meaning: 'Too few samples to say more than “it ran”.' },
  scaffold: {
    word: 'scaffold',
    meaning: 'A control or a mock: it checks the instrument, not an agent.',
  },
  diagnostic: { word: 'diagnostic', meaning: 'A real measurement that breaks another rule.' },
}

export const EVIDENCE_LABELS = Object.keys(EVIDENCE_WORDS) as EvidenceLabel[]

/** Who vouches for a row, weakest first. */
export const PROVENANCE_WORDS: Record<BoardRow['provenance'], Words & { level: string }> = {
  manual: { level: 'L0', word: 'manual', meaning: 'Uploaded by hand; nobody vouches for it.' },
  token: { level: 'L1', word: 'token', meaning: 'Uploaded by a holder of an upload token.' },
  oidc: {
    level: 'L2',
    word: 'OIDC',
    meaning: 'Uploaded by a GitHub Actions run that proved itself.',
  },
  local: { level: 'L3', word: 'run here', meaning: 'Run by this server’s own runner.' },
}
