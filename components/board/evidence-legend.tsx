import { EvidenceGlyph } from './evidence-glyph.tsx'
import { EVIDENCE_LABELS, EVIDENCE_WORDS } from './evidence-words.ts'

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
