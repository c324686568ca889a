import {
  type BoardRow,
  formatBadgeRate,
  formatSize,
  formatTier,
  type Rate,
  UNRANKED_WORDS,
} from '../board/index.ts'
import type { ComparisonView } from '../compare/index.ts'
import type { EvidenceLabel } from '../eligibility/index.ts'
import { subjectLabel } from '../record/index.ts'

/** Position of a rate's interval on a scale from 0 to 100; null = unknown. */
export type WhiskerPosition = { rate: number; low: number; high: number } | null

/** Texts of a row's link preview. */
export type RowPreview = {
  suite: string
  subject: string
  rate: string
  whisker: WhiskerPosition
  /** `ranked` or `unranked`, as large as the rate. */
  tier: string
  /** Why it is unranked; null for a ranked row. */
  label: string | null
  isClaim: boolean
  size: string
  measured: string
}

/** Texts of a comparison's link preview. */
export type ComparisonPreview = {
  suite: string
  rows: { name: string; rate: string; whisker: WhiskerPosition; isClaim: boolean }[]
  /** The verdict of a single pair; null = several pairs. */
  sentence: string | null
  standing: string
  isClaim: boolean
  tasks: number
}

type ShownRow = Pick<
  BoardRow,
  'suiteId' | 'subject' | 'label' | 'success' | 'repetitions' | 'lastStartedAt'
>

/** The texts of a row's link preview. */
export function rowPreview(row: ShownRow): RowPreview {
  return {
    suite: row.suiteId,
    subject: drawable(subjectLabel(row.subject), 80),
    rate: formatBadgeRate(row.success),
    whisker: whiskerPlace(row.success),
    tier: isClaim(row.label) ? formatTier(row.label) : 'unranked',
    label: sayKind(row.label),
    isClaim: isClaim(row.label),
    size: `${formatSize(row)} (tasks × repetitions)`,
    measured: row.lastStartedAt.slice(0, 10),
  }
}

/** The texts of a comparison's link preview. */
export function comparisonPreview({
  suite,
  rows,
  pairs,
  standing,
}: ComparisonView): ComparisonPreview {
  const isQuotable = standing.kind === 'claim'
  return {
    suite: suite.suiteId,
    rows: rows.map(({ name, success, label }) => ({
      name: drawable(name),
      rate: formatBadgeRate(success),
      whisker: whiskerPlace(success),
      isClaim: isClaim(label),
    })),
    sentence: pairs.length === 1 ? drawable(pairs[0]?.sentence ?? '', 160) : null,
    standing: isQuotable ? 'safe to cite' : 'diagnostic only',
    isClaim: isQuotable,
    tasks: suite.tasks,
  }
}

function isClaim(label: EvidenceLabel): boolean {
  return label === 'primary' || label === 'stress'
}

function sayKind(label: EvidenceLabel): string | null {
  return label === 'primary' || label === 'stress' ? null : UNRANKED_WORDS[label]
}

function whiskerPlace({ rate, low, high }: Rate): WhiskerPosition {
  if (rate === null || low === null || high === null) return null
  return { rate: rate * 100, low: low * 100, high: high * 100 }
}

/** Characters that the bundled font lacks. */
const NOT_DRAWN =
  /[^\u0020-\u007e\u00a1-\u00ac\u00ae-\u0113\u0116-\u012b\u0150-\u017e\u0400-\u045f\u1ea0-\u1ef9–—‘’“”•…−]/gu

/** A text limited to characters of the font and to the available length; others become question marks. */
export function drawable(text: string, most = 120): string {
  const drawn = text.normalize('NFC').replace(NOT_DRAWN, '?')
  return drawn.length > most ? `${drawn.slice(0, most - 1)}…` : drawn
}
