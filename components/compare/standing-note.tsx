import { EvidenceGlyph } from '#components/board/evidence-glyph.tsx'
import { plural } from '#components/format/number.ts'
import { visibleText } from '#components/format/visible-text.ts'
import type { Standing } from '#lib/domain/compare/comparison.ts'

/** Whether the verdicts may be quoted, and what stands against it; `claims` = pairs that are claims by themselves. */
export function StandingNote({ standing, claims }: { standing: Standing; claims: number }) {
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
        <p className="font-medium">
          {claims === 0
            ? 'Diagnostic only: these verdicts are no claims.'
            : `Diagnostic as a whole; ${plural(claims, 'pair')} with a full mark may be quoted.`}
        </p>
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
