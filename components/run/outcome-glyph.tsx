import type { ReactNode } from 'react'
import { classNames } from '#components/ui/class-names.ts'
import type { OutcomeStatus } from '#lib/domain/outcome.ts'
import { OUTCOME_WORDS } from './outcome-words.ts'

const outline = { fill: 'none', stroke: 'currentColor', strokeWidth: 1.5 } as const

/** A shape for each outcome, so that none is told by its colour alone. */
const SHAPES: Record<OutcomeStatus, ReactNode> = {
  solved: <rect fill="currentColor" height="20" rx="4" width="20" x="2" y="2" />,
  unsolved: <rect {...outline} height="18.5" rx="4" width="18.5" x="2.75" y="2.75" />,
  'out-of-budget': <path {...outline} d="M2.75 2.75h18.5v12L15 21.25H2.75Z" />,
  'subject-crashed': <path {...outline} d="M12 1.5 22.5 12 12 22.5 1.5 12Z" />,
  tampered: <path {...outline} d="M12 1.5 22.8 21.5H1.2Z" />,
  void: <circle {...outline} cx="12" cy="12" r="9.5" strokeDasharray="3 2" />,
  cancelled: <circle {...outline} cx="12" cy="12" r="9.5" />,
}

const TONES = { good: 'text-good', bad: 'text-bad', neutral: 'text-muted' } as const

type OutcomeGlyphProps = { status: OutcomeStatus; className?: string }

/** Shape and letter of an outcome; whoever uses it says the word beside it or in a label. */
export function OutcomeGlyph({ status, className = 'size-6' }: OutcomeGlyphProps) {
  const { letter, tone } = OUTCOME_WORDS[status]
  return (
    <svg
      aria-hidden="true"
      className={classNames('shrink-0', TONES[tone], className)}
      viewBox="0 0 24 24"
    >
      {SHAPES[status]}
      <text
        className={status === 'solved' ? 'fill-surface' : 'fill-current'}
        fontSize="11"
        fontWeight="600"
        textAnchor="middle"
        x="12"
        y={status === 'tampered' ? 19 : 16}
      >
        {letter}
      </text>
    </svg>
  )
}

/** The square of an episode that is not sealed yet. */
export function PendingGlyph({ className = 'size-6' }: { className?: string }) {
  return (
    <svg
      aria-hidden="true"
      className={classNames('shrink-0 text-line-strong', className)}
      viewBox="0 0 24 24"
    >
      <rect
        {...outline}
        height="18.5"
        rx="4"
        strokeDasharray="1.5 3"
        width="18.5"
        x="2.75"
        y="2.75"
      />
    </svg>
  )
}
