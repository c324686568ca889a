import { formatSize, formatTier, rateWords } from '../board/badge.ts'
import type { BoardRow, Rate } from '../board/board-row.ts'
import type { ComparisonView } from '../compare/comparison.ts'
import type { EvidenceLabel } from '../eligibility/eligibility.ts'
import { subjectLabel } from '../record/subject.ts'

/** Where a rate's interval stands on a scale from 0 to 100, in per cent of its width; null = it cannot be said. */
export type WhiskerPlace = { rate: number; low: number; high: number } | null

/** What a row's link preview says. */
export type RowPicture = {
  suite: string
  subject: string
  rate: string
  whisker: WhiskerPlace
  /** `claim`, or `diagnostic`: as large as the rate. */
  tier: string
  /** What kind of diagnostic it is; null for a claim. */
  label: string | null
  isClaim: boolean
  size: string
  measured: string
}

/** What a comparison's link preview says. */
export type ComparisonPicture = {
  suite: string
  rows: { name: string; rate: string; whisker: WhiskerPlace; isClaim: boolean }[]
  /** The verdict of the only pair; null = there are several. */
  sentence: string | null
  standing: string
  isClaim: boolean
  tasks: number
}

type ShownRow = Pick<
  BoardRow,
  'suiteId' | 'subject' | 'label' | 'success' | 'repetitions' | 'lastStartedAt'
>

/** A row in the words of its picture. */
export function rowPicture(row: ShownRow): RowPicture {
  return {
    suite: row.suiteId,
    subject: drawable(subjectLabel(row.subject), 80),
    rate: rateWords(row.success),
    whisker: whiskerPlace(row.success),
    tier: isClaim(row.label) ? formatTier(row.label) : 'diagnostic',
    label: isClaim(row.label) ? null : sayKind(row.label),
    isClaim: isClaim(row.label),
    size: `${formatSize(row)} (tasks × repetitions)`,
    measured: row.lastStartedAt.slice(0, 10),
  }
}

/** A comparison in the words of its picture. */
export function comparisonPicture({
  suite,
  rows,
  pairs,
  standing,
}: ComparisonView): ComparisonPicture {
  const isQuotable = standing.kind === 'claim'
  return {
    suite: suite.suiteId,
    rows: rows.map(({ name, success, label }) => ({
      name: drawable(name),
      rate: rateWords(success),
      whisker: whiskerPlace(success),
      isClaim: isClaim(label),
    })),
    sentence: pairs.length === 1 ? drawable(pairs[0]?.sentence ?? '', 160) : null,
    standing: isQuotable ? 'claim' : 'diagnostic, no claim',
    isClaim: isQuotable,
    tasks: suite.tasks,
  }
}

function isClaim(label: EvidenceLabel): boolean {
  return label === 'primary' || label === 'stress'
}

function sayKind(label: EvidenceLabel): string {
  return label === 'diagnostic' ? 'no claim' : `no claim: ${label}`
}

function whiskerPlace({ rate, low, high }: Rate): WhiskerPlace {
  if (rate === null || low === null || high === null) return null
  return { rate: rate * 100, low: low * 100, high: high * 100 }
}

/** What the font of the pictures has no letter for; a fetched font would be somebody else's server. */
const NOT_DRAWN =
  /[^\u0020-\u007e\u00a1-\u00ac\u00ae-\u0113\u0116-\u012b\u0150-\u017e\u0400-\u045f\u1ea0-\u1ef9–—‘’“”•…−]/gu

/** A text in letters that can be drawn, one question mark for each other; at most as long as there is room. */
export function drawable(text: string, most = 120): string {
  const drawn = text.normalize('NFC').replace(NOT_DRAWN, '?')
  return drawn.length > most ? `${drawn.slice(0, most - 1)}…` : drawn
}
