import type { ReactNode } from 'react'
import { EVIDENCE_LABELS, EVIDENCE_WORDS } from '#lib/domain/board/index.ts'
import type { EvidenceLabel } from '#lib/domain/eligibility/index.ts'

const SHAPES: Record<EvidenceLabel, ReactNode> = {
  primary: <circle cx="6" cy="6" fill="currentColor" r="5" />,
  stress: <path d="M6 0.8 11.2 6 6 11.2 0.8 6Z" fill="currentColor" />,
  escrow: <rect fill="currentColor" height="9.2" width="9.2" x="1.4" y="1.4" />,
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

/** The shape of an evidence label; the word is always next to it. */
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

/** Legend of the badges. */
export function EvidenceLegend() {
  return (
    <dl className="grid gap-x-8 gap-y-1.5 sm:grid-cols-2 lg:grid-cols-3">
      {EVIDENCE_LABELS.map((label) => (
        <div className="flex flex-wrap items-baseline gap-x-2" key={label}>
          <dt className="flex items-center gap-1.5 whitespace-nowrap font-medium">
            <EvidenceGlyph label={label} />
            {EVIDENCE_WORDS[label].word}
          </dt>
          <dd className="min-w-0 flex-1 basis-36 text-muted">{EVIDENCE_WORDS[label].meaning}</dd>
        </div>
      ))}
    </dl>
  )
}
