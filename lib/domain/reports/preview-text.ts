import {
  type BoardRow,
  formatBadgeRate,
  formatSampleSize,
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
export type RowPreview = ReturnType<typeof rowPreview>

/** Texts of a comparison's link preview. */
export type ComparisonPreview = ReturnType<typeof comparisonPreview>

type ShownRow = Pick<
  BoardRow,
  'rowId' | 'suiteId' | 'subject' | 'label' | 'success' | 'repetitions' | 'lastStartedAt'
>

/** The texts of a row's link preview. */
export function rowPreview(row: ShownRow) {
  return {
    suite: row.suiteId,
    subject: drawable(subjectLabel(withDrawableName(row))),
    rate: formatBadgeRate(row.success),
    whisker: whiskerPlace(row.success),
    /** `ranked` or `unranked`, shown as large as the rate. */
    tier: isClaim(row.label) ? formatTier(row.label) : 'unranked',
    /** Why it is unranked; null for a ranked row. */
    label: describeKind(row.label),
    isClaim: isClaim(row.label),
    size: `${formatSampleSize(row)} (tasks × repetitions)`,
    measured: row.lastStartedAt.slice(0, 10),
  }
}

/** The texts of a comparison's link preview. */
export function comparisonPreview({ suite, rows, pairs, standing }: ComparisonView) {
  const isQuotable = standing.kind === 'claim'
  const nameOf = ({ rowId, name }: (typeof rows)[number]) =>
    hasWords(drawable(name)) ? name : rowId
  const sentence = rows.reduce(
    (message, row) => message.replaceAll(row.name, nameOf(row)),
    pairs[0]?.sentence ?? '',
  )
  return {
    suite: suite.suiteId,
    rows: rows.map((row) => ({
      name: drawable(nameOf(row)),
      rate: formatBadgeRate(row.success),
      whisker: whiskerPlace(row.success),
      isClaim: isClaim(row.label),
    })),
    /** The verdict of a single pair; null = several pairs. */
    sentence: pairs.length === 1 ? drawable(sentence, 160) : null,
    standing: isQuotable ? 'safe to cite' : 'diagnostic only',
    isClaim: isQuotable,
    tasks: suite.tasks,
  }
}

function isClaim(label: EvidenceLabel): boolean {
  return label === 'primary' || label === 'stress'
}

function describeKind(label: EvidenceLabel): string | null {
  return label === 'primary' || label === 'stress' ? null : UNRANKED_WORDS[label]
}

function whiskerPlace({ rate, low, high }: Rate): WhiskerPosition {
  if (rate === null || low === null || high === null) return null
  return { rate: rate * 100, low: low * 100, high: high * 100 }
}

/** A name in a script that the font lacks would be invisible in the image, so the row's id replaces it. */
function withDrawableName({ rowId, subject }: ShownRow): ShownRow['subject'] {
  return hasWords(drawable(subject.name)) ? subject : { ...subject, name: rowId }
}

function hasWords(text: string): boolean {
  return /[\p{L}\p{N}]/u.test(text)
}

/** Characters that the bundled font lacks. */
const NOT_DRAWN =
  /[^\u0020-\u007e\u00a1-\u00ac\u00ae-\u0113\u0116-\u012b\u0150-\u017e\u0400-\u045f\u1ea0-\u1ef9–—‘’“”•…−]/gu
/** Diacritics, and characters without a shape. */
const SHAPELESS = /[\p{M}\p{Cf}\p{Cc}]/gu
/** A part of a label without any drawable character, such as a model's name. */
const EMPTY_PART = / · …(?= · |$)/g

/**
 * Limits a text to characters of the font and to the available length. A letter that the font lacks is drawn without
 * its diacritics; other missing characters are replaced by `…`.
 */
export function drawable(text: string, max = 120): string {
  const drawn = text
    .normalize('NFC')
    .replace(NOT_DRAWN, plainLetter)
    .replace(/(?:\s*…)+/g, (gap) => (/^\s/.test(gap) ? ' …' : '…'))
    .replace(EMPTY_PART, '')
  return drawn.length > max ? `${drawn.slice(0, max - 1)}…` : drawn
}

function plainLetter(character: string): string {
  const shape = character.normalize('NFKD').replace(SHAPELESS, '')
  return shape.replace(NOT_DRAWN, '…')
}
