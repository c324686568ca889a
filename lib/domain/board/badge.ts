import { z } from 'zod'
import type { EvidenceLabel } from '../eligibility/index.ts'
import { countOf, escapeXml, formatShare, formatSpread } from '../text/index.ts'
import type { BoardRow } from './board-row.ts'
import type { Rate } from './row-measures.ts'
import { type NotedRow, rowNotices } from './row-notices.ts'
import { formatRepetitions } from './row-words.ts'

/** The text of a badge; `tone` is the meaning of its colour, which the text states too. */
type BadgeText = { label: string; message: string; tone: 'claim' | 'refused' | 'unknown' }

type ShownRow = Pick<BoardRow, 'suiteId' | 'label' | 'success' | 'repetitions'> &
  Partial<Pick<BoardRow, 'tasks' | 'corrections'>> &
  Partial<NotedRow>

/**
 * Describes a row in one line: rate with interval, number of notices about withheld results, tasks × repetitions, tier,
 * corrections. An unranked row shows no rate, because a number in a README is read as a result.
 */
export function badgeText(row: ShownRow): BadgeText {
  const label = `proofboard ${shorten(row.suiteId)}`
  const isClaim = row.label === 'primary' || row.label === 'stress'
  if (!isClaim) return { label, message: formatTier(row.label), tone: 'refused' }
  const notices = rowNotices(row).length
  const noted = notices > 0 ? [countOf(notices, 'notice')] : []
  const parts = [
    formatBadgeRate(row.success),
    ...noted,
    formatSampleSize(row),
    formatTier(row.label),
    ...(row.corrections ? [countOf(row.corrections.count, 'correction')] : []),
  ]
  return { label, message: parts.join(' · '), tone: 'claim' }
}

/** Maximum characters of a suite's name in a badge. */
const MAX_SUITE_CHARS = 28

function shorten(name: string): string {
  return name.length > MAX_SUITE_CHARS ? `${name.slice(0, MAX_SUITE_CHARS - 1)}…` : name
}

/** The badge of a row that is on no board. */
export const NO_ROW: BadgeText = { label: 'proofboard', message: 'unknown entry', tone: 'unknown' }

/** States whether a row is ranked, or the kind of an unranked row. */
export function formatTier(label: EvidenceLabel): string {
  if (label === 'primary') return 'ranked'
  if (label === 'stress' || label === 'escrow') return `ranked (${label})`
  return `unranked (${UNRANKED_WORDS[label]})`
}

/** Evidence labels of unranked rows, as on the board. */
export const UNRANKED_WORDS: Record<Exclude<EvidenceLabel, 'primary' | 'stress'>, string> = {
  escrow: 'escrow',
  smoke: 'smoke test',
  scaffold: 'control',
  diagnostic: 'diagnostic',
}

/** `62 % (53–71)`: a rate in percent with its interval. */
export function formatBadgeRate({ rate, low, high }: Rate): string {
  if (rate === null) return 'rate unknown'
  const interval =
    low === null || high === null ? '' : ` (${formatSpread(formatShare(low), formatShare(high))})`
  return `${formatShare(rate)} %${interval}`
}

/** `25×10`; the lowest and highest number of repetitions if they differ. */
export function formatSampleSize(row: Pick<ShownRow, 'success' | 'repetitions' | 'tasks'>): string {
  return `${row.success.tasks}×${formatRepetitions(row)}`
}

/** Fixed, because a badge is shown on light and dark pages; white text has a contrast of at least 4.5 : 1. */
const FILL: Record<BadgeText['tone'], string> = {
  claim: '#0a6a62',
  refused: '#5a5d64',
  unknown: '#6b6e75',
}
const LABEL_FILL = '#1a1b1e'
const HEIGHT = 20
const PADDING = 7
/** Approximate character widths in 11 px Verdana; `textLength` makes the text fit exactly. */
const WIDE = /[MWm@%]/
const NARROW = /[ijlrtfI.,:;'|()[\] ·]/

/** Renders the badge as an SVG without scripts and external fonts; its text is the accessible name. */
export function renderBadge({ label, message, tone }: BadgeText): string {
  const left = widthOf(label) + 2 * PADDING
  const right = widthOf(message) + 2 * PADDING
  const title = escapeXml(`${label}: ${message}`)
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${left + right}" height="${HEIGHT}" role="img" aria-label="${title}">`,
    `<title>${title}</title>`,
    `<clipPath id="r"><rect width="${left + right}" height="${HEIGHT}" rx="3"/></clipPath>`,
    `<g clip-path="url(#r)"><rect width="${left}" height="${HEIGHT}" fill="${LABEL_FILL}"/>`,
    `<rect x="${left}" width="${right}" height="${HEIGHT}" fill="${FILL[tone]}"/></g>`,
    `<g fill="#fff" font-family="Verdana,DejaVu Sans,Geneva,sans-serif" font-size="11">`,
    words(label, PADDING),
    words(message, left + PADDING),
    '</g></svg>',
  ].join('')
}

function words(text: string, x: number): string {
  return `<text x="${x}" y="14" textLength="${widthOf(text)}" lengthAdjust="spacingAndGlyphs">${escapeXml(text)}</text>`
}

function widthOf(text: string): number {
  const width = [...text].reduce((sum, letter) => sum + widthOfLetter(letter), 0)
  return Math.ceil(width)
}

function widthOfLetter(letter: string): number {
  if (WIDE.test(letter)) return 9.5
  return NARROW.test(letter) ? 4.2 : 6.9
}

/** The shields.io endpoint badge schema, version 1. */
export const shieldsResponseSchema = z.object({
  schemaVersion: z.literal(1),
  label: z.string(),
  message: z.string(),
  color: z.string(),
  isError: z.boolean(),
  cacheSeconds: z.number().int(),
})
type ShieldsAnswer = z.infer<typeof shieldsResponseSchema>

const COLOR: Record<BadgeText['tone'], string> = {
  claim: '0a6a62',
  refused: '5a5d64',
  unknown: '6b6e75',
}

export function shieldsResponse({ label, message, tone }: BadgeText): ShieldsAnswer {
  const isError = tone === 'unknown'
  return { schemaVersion: 1, label, message, color: COLOR[tone], isError, cacheSeconds: 300 }
}

/** URL of the board with the row opened, which a badge links to. `version` null = the suite's current one. */
export function rowPath(suiteId: string, rowId: string, version: string | null = null): string {
  const query = new URLSearchParams({
    suite: suiteId,
    ...(version === null ? {} : { version }),
    open: rowId,
  })
  return `/?${query}`
}

/** URL of a row's link preview image. */
export function rowPreviewPath(rowId: string): string {
  return `/api/v1/rows/${encodeURIComponent(rowId)}/preview.png`
}

/** URL of a row's badge. */
export function badgePath(rowId: string): string {
  return `/api/v1/rows/${encodeURIComponent(rowId)}/badge.svg`
}

/** Markdown of a badge that links to its row. */
export function badgeMarkdown(origin: string, rowId: string): string {
  const image = `${origin}${badgePath(rowId)}`
  return `[![Proofboard](${image})](${origin}/rows/${encodeURIComponent(rowId)})`
}
