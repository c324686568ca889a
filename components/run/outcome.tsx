import type { ReactNode } from 'react'
import type { EpisodeCell } from '#lib/domain/api/index.ts'
import type { OutcomeStatus } from '#lib/domain/record/index.ts'
import { classNames } from '../ui/class-names.ts'

type OutcomeTone = 'good' | 'bad' | 'neutral'
type OutcomeWords = { letter: string; word: string; tone: OutcomeTone; meaning: string }

/** Letter, name and description of each outcome. */
export const OUTCOME_LABELS: Record<OutcomeStatus, OutcomeWords> = {
  solved: { letter: 'S', word: 'solved', tone: 'good', meaning: 'The success criteria are met.' },
  unsolved: {
    letter: 'U',
    word: 'unsolved',
    tone: 'bad',
    meaning: 'The success criteria are not met.',
  },
  'out-of-budget': {
    letter: 'B',
    word: 'out of budget',
    tone: 'bad',
    meaning: 'The limit of time, steps, tokens, cost, disk or processes was reached.',
  },
  'subject-crashed': {
    letter: 'C',
    word: 'crashed',
    tone: 'bad',
    meaning:
      'The agent or library was ended by a signal or ran out of memory. Exit codes are never scored.',
  },
  tampered: {
    letter: 'T',
    word: 'tampered',
    tone: 'bad',
    meaning: 'A detector found signs of cheating.',
  },
  void: {
    letter: 'E',
    word: 'excluded',
    tone: 'neutral',
    meaning: 'Failed because of the harness, infrastructure or provider. Excluded from scoring.',
  },
  cancelled: {
    letter: 'X',
    word: 'cancelled',
    tone: 'neutral',
    meaning: 'Cancelled by a user. Excluded from scoring.',
  },
}

/** The outcomes in the order of the legend. */
export const OUTCOME_ORDER = Object.keys(OUTCOME_LABELS) as OutcomeStatus[]

const outline = { fill: 'none', stroke: 'currentColor', strokeWidth: 1.5 } as const

/** A shape for each outcome, so that colour is not the only difference. */
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

/** Shape and letter of an outcome; the caller shows its name as text or label. */
export function OutcomeGlyph({ status, className = 'size-6' }: OutcomeGlyphProps) {
  const { tone } = OUTCOME_LABELS[status]
  return (
    <svg
      aria-hidden="true"
      className={classNames('shrink-0', TONES[tone], className)}
      viewBox="0 0 24 24"
    >
      <OutcomeShape status={status} />
    </svg>
  )
}

/** Draws each outcome once, for a page that shows it a thousand times by `OutcomeMark`. */
export function OutcomeSprite() {
  return (
    <svg aria-hidden="true" className="absolute size-0">
      {OUTCOME_ORDER.map((status) => (
        <symbol id={`outcome-${status}`} key={status} viewBox="0 0 24 24">
          <OutcomeShape status={status} />
        </symbol>
      ))}
    </svg>
  )
}

/** The same icon as `OutcomeGlyph`, by reference to the page's `OutcomeSprite`. */
export function OutcomeMark({ status }: { status: OutcomeStatus }) {
  return (
    <svg aria-hidden="true" className={`size-6 shrink-0 ${TONES[OUTCOME_LABELS[status].tone]}`}>
      <use href={`#outcome-${status}`} />
    </svg>
  )
}

function OutcomeShape({ status }: { status: OutcomeStatus }) {
  return (
    <>
      {SHAPES[status]}
      <text
        className={status === 'solved' ? 'fill-surface' : 'fill-current'}
        fontSize="11"
        fontWeight="600"
        textAnchor="middle"
        x="12"
        y={status === 'tampered' ? 19 : 16}
      >
        {OUTCOME_LABELS[status].letter}
      </text>
    </>
  )
}

/** Placeholder for an episode that is not finished. */
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

/** Stands for an attempt that runs. */
export function RunningGlyph({ className = 'size-6' }: { className?: string }) {
  return (
    <svg
      aria-hidden="true"
      className={classNames('shrink-0 text-accent', className)}
      viewBox="0 0 24 24"
    >
      <rect {...outline} height="18.5" rx="4" width="18.5" x="2.75" y="2.75" />
      <path className="motion-safe:animate-pulse" d="M9 7.5v9l7.5-4.5Z" fill="currentColor" />
    </svg>
  )
}

/** Legend of the episode matrix; `rest` = what a slot without an episode is. */
export function OutcomeLegend({ rest }: { rest: string | null }) {
  return (
    <ul className="flex flex-wrap gap-x-5 gap-y-1.5 text-xs">
      {OUTCOME_ORDER.map((status) => (
        <li
          className="flex items-center gap-1.5"
          key={status}
          title={OUTCOME_LABELS[status].meaning}
        >
          <OutcomeGlyph className="size-4" status={status} />
          {OUTCOME_LABELS[status].word}
        </li>
      ))}
      {rest === 'pending' ? (
        <li className="flex items-center gap-1.5">
          <RunningGlyph className="size-4" /> running
        </li>
      ) : null}
      {rest === null ? null : (
        <li className="flex items-center gap-1.5">
          <PendingGlyph className="size-4" /> {rest}
        </li>
      )}
    </ul>
  )
}

/** An `episode-sealed` event as a cell of the matrix; null when fields are missing. */
export function readSealedCell(data: unknown): EpisodeCell | null {
  if (typeof data !== 'object' || data === null) return null
  const { episodeId, taskId, repetition, attempt, status, failureCategory, totalMs } =
    data as Partial<EpisodeCell>
  if (typeof episodeId !== 'string' || typeof taskId !== 'string' || typeof totalMs !== 'number')
    return null
  if (typeof repetition !== 'number' || typeof attempt !== 'number') return null
  if (status === undefined || !Object.hasOwn(OUTCOME_LABELS, status)) return null
  const category = failureCategory ?? null
  return { episodeId, taskId, repetition, attempt, status, failureCategory: category, totalMs }
}
