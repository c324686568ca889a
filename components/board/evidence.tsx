import type { ReactNode } from 'react'
import type { BoardRow } from '#lib/domain/board/board-row.ts'
import type { EvidenceLabel } from '#lib/domain/eligibility/eligibility.ts'

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

const SHAPES: Record<EvidenceLabel, ReactNode> = {
  primary: <circle cx="6" cy="6" fill="currentColor" r="5" />,
  stress: <path d="M6 0.8 11.2 6 6 11.2 0.8 6Z" fill="currentColor" />,
  smoke: (
    <>
      <circle cx="6" cy="6" fill="none" r="4.3" stroke="currentColor" strokeWidth="1.4" />
      <path d="M6 1.7a4.3 4.3 0 0 0 0 8.6Z" fill="currentColor" />
    </>
  ),
  scaffold: (
    <rect
      fill="none"
      height="8.6"
      stroke="currentColor"
      strokeDasharray="2.2 1.4"
      strokeWidth="1.4"
      width="8.6"
      x="1.7"
      y="1.7"
    />
  ),
  diagnostic: (
    <path
      d="M6 1.4 11 10.3H1Z"
      fill="none"
      stroke="currentColor"
      strokeLinejoin="round"
      strokeWidth="1.4"
    />
  ),
}

const CLAIMS: ReadonlySet<EvidenceLabel> = new Set(['primary', 'stress'])

/** The shape of an evidence label; the word always stands beside it. */
export function EvidenceGlyph({ label }: { label: EvidenceLabel }) {
  return (
    <svg
      aria-hidden="true"
      className={`size-3 shrink-0 ${CLAIMS.has(label) ? 'text-accent' : 'text-muted'}`}
      viewBox="0 0 12 12"
    >
      {SHAPES[label]}
    </svg>
  )
}

/** What the evidence labels mean. */
export function EvidenceLegend() {
  return (
    <dl className="grid gap-x-8 gap-y-1.5 sm:grid-cols-2 lg:grid-cols-3">
      {EVIDENCE_LABELS.map((label) => (
        <div className="flex items-baseline gap-2" key={label}>
          <dt className="flex items-center gap-1.5 whitespace-nowrap font-medium">
            <EvidenceGlyph label={label} />
            {EVIDENCE_WORDS[label].word}
          </dt>
          <dd className="text-muted">{EVIDENCE_WORDS[label].meaning}</dd>
        </div>
      ))}
    </dl>
  )
}
