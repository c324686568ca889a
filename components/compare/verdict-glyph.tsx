import type { ReactNode } from 'react'
import { classNames } from '#components/ui/class-names.ts'
import type { CompareVerdict } from '#lib/domain/statistics/compare-verdict.ts'

export type VerdictKind = CompareVerdict['kind'] | 'refused'

const stroke = {
  fill: 'none',
  stroke: 'currentColor',
  strokeWidth: 1.6,
  strokeLinecap: 'round',
} as const

const SHAPES: Record<VerdictKind, ReactNode> = {
  better: <path d="M6 1.2 11.2 10.6H0.8Z" fill="currentColor" />,
  worse: <path d="M6 10.8 0.8 1.4H11.2Z" fill="currentColor" />,
  'no-larger-than': <path {...stroke} d="M1.5 4h9M1.5 8h9" />,
  'cannot-tell': <circle {...stroke} cx="6" cy="6" r="4.6" strokeDasharray="1.6 2.4" />,
  refused: <path {...stroke} d="m2.2 2.2 7.6 7.6M9.8 2.2 2.2 9.8" />,
}

const TONES: Partial<Record<VerdictKind, string>> = { better: 'text-good', worse: 'text-bad' }

/** The shape of a verdict on two rows; the words always stand beside it. */
export function VerdictGlyph({ kind }: { kind: VerdictKind }) {
  return (
    <svg
      aria-hidden="true"
      className={classNames('size-3 shrink-0', TONES[kind] ?? 'text-muted')}
      viewBox="0 0 12 12"
    >
      {SHAPES[kind]}
    </svg>
  )
}
