import type { BoardRow, EvidenceLabel } from '#lib/domain/board/board-row.ts'

type Words = { word: string; meaning: string }

/** The text of each evidence label, strongest first. */
export const EVIDENCE_WORDS: Record<EvidenceLabel, Words> = {
  primary: { word: 'ranked', meaning: 'Meets every evidence rule. Safe to cite.' },
  stress: {
    word: 'stress',
    meaning: 'Ranked for recovery: same success criteria after an injected fault.',
  },
  smoke: { word: 'smoke test', meaning: 'Too few runs to draw a conclusion.' },
  scaffold: {
    word: 'control',
    meaning: 'Test fixture that checks the benchmark itself.',
  },
  diagnostic: {
    word: 'diagnostic',
    meaning: 'Real measurement that does not meet another evidence rule.',
  },
}

export const EVIDENCE_LABELS = Object.keys(EVIDENCE_WORDS) as EvidenceLabel[]

/** The source of a row's results, least trusted first. */
export const PROVENANCE_WORDS: Record<BoardRow['provenance'], Words & { level: string }> = {
  manual: { level: 'L0', word: 'manual', meaning: 'Uploaded by hand; the sender is not verified.' },
  token: { level: 'L1', word: 'token', meaning: 'Uploaded with an upload token.' },
  oidc: {
    level: 'L2',
    word: 'OIDC',
    meaning: 'Uploaded by a verified GitHub Actions workflow.',
  },
  local: { level: 'L3', word: 'run here', meaning: 'Run on this server.' },
}
