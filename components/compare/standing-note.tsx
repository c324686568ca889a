import { EvidenceGlyph } from '#components/board/evidence-glyph.tsx'
import { visibleText } from '#components/format/visible-text.ts'
import type { Standing } from '#lib/domain/compare/comparison.ts'

/** Whether the verdicts may be quoted, and what stands against it. */
export function StandingNote({ standing }: { standing: Standing }) {
  if (standing.kind === 'claim') {
    return (
      <p className="flex items-baseline gap-2">
        <EvidenceGlyph label="primary" />
        <span>
          <span className="font-medium">May be quoted.</span>{' '}
          <span className="text-muted">{standing.text}</span>
        </span>
      </p>
    )
  }
  return (
    <div className="flex items-baseline gap-2">
      <EvidenceGlyph label="diagnostic" />
      <div className="min-w-0">
        <p className="font-medium">Diagnostic only: these verdicts are no claims.</p>
        <ul className="text-muted">
          {standing.reasons.map((reason) => (
            <li className="untrusted" key={reason}>
              {visibleText(reason)}
            </li>
          ))}
        </ul>
      </div>
    </div>
  )
}
