import {
  createLoader,
  createSerializer,
  type inferParserType,
  parseAsArrayOf,
  parseAsString,
  parseAsStringLiteral,
} from 'nuqs/server'
import { EVIDENCE_LABELS, EVIDENCE_WORDS, type RankPool } from '#lib/domain/board/index.ts'
import { facetsOf, sortParser, tableParsers } from '../table/table-view.ts'
import { COLUMN_IDS, facetWord } from './board-columns.tsx'
import type { TableRow } from './table-row.ts'

export const CHARTS = [
  'success',
  'cost',
  'time',
  'tokens',
  'tasks',
  'reliability',
  'failures',
  'recovery',
] as const
export type ChartName = (typeof CHARTS)[number]

/** The board's view state in the URL; invalid values are ignored. */
export const boardViewParsers = {
  suite: parseAsString,
  /** Digest of an earlier version of the suite; null = the current one. */
  version: parseAsString,
  q: parseAsString.withDefault(''),
  label: parseAsArrayOf(parseAsStringLiteral(EVIDENCE_LABELS)).withDefault([]),
  kind: parseAsStringLiteral(['agent', 'library', 'control'] as const),
  /** Shows only rows of this arm; null = all rows. */
  arm: parseAsString,
  /** Sort keys; empty = by rank. */
  sort: parseAsArrayOf(sortParser((id) => COLUMN_IDS.some((one) => one === id))).withDefault([]),
  hide: tableParsers.hide,
  /** Filters of columns, such as `model:model-l`. */
  f: tableParsers.f,
  open: parseAsArrayOf(parseAsString).withDefault([]),
  /** The row that all others are compared with. */
  base: parseAsString,
  chart: parseAsStringLiteral(CHARTS).withDefault('success'),
  /** The band in charts of one band; null = the first. */
  band: parseAsString,
  /** Scale of the cost, time and token axes. */
  scale: parseAsStringLiteral(['log', 'linear'] as const).withDefault('log'),
  /** Entries with a curve in the chart; empty = the first ones of the band. */
  entries: parseAsArrayOf(parseAsString).withDefault([]),
}

const serializeView = createSerializer(boardViewParsers)

/** The URL of the board in another view. */
export function boardAddress(view: BoardView): string {
  return serializeView('/', view)
}

export const loadBoardView = createLoader(boardViewParsers)
export type BoardView = inferParserType<typeof boardViewParsers>

type RowFilter = Pick<BoardView, 'q' | 'label' | 'kind' | 'arm' | 'f' | 'open' | 'base'>

/**
 * Rows that match search and filters, in the given order. Controls check the instrument and are not competitors, so
 * they are listed only if a filter or the URL requests them.
 */
export function filterRows(rows: readonly TableRow[], view: RowFilter): TableRow[] {
  const words = searchWords(view)
  const facets = facetsOf(view.f)
  const listsControls = isFiltered(view)
  return rows.filter(
    (row) =>
      (listsControls || row.subject.kind !== 'control' || isNamed(row, view)) &&
      (view.label.length === 0 || view.label.includes(row.label)) &&
      (view.kind === null || view.kind === row.subject.kind) &&
      (view.arm === null || view.arm === row.subject.arm) &&
      facets.every(({ id, value }) => value.includes(facetWord(id, row) ?? '')) &&
      (words.length === 0 || hasWords(row, words)),
  )
}

function hasWords({ subject, label }: TableRow, words: readonly string[]): boolean {
  const { name, version, modelRequested, provider, kind, way, under, arm } = subject
  const own = [name, version, modelRequested, provider, kind, way, under, arm && `arm:${arm}`]
  const text = [...own, EVIDENCE_WORDS[label].word].join(' ').toLowerCase()
  return words.every((word) => text.includes(word))
}

/** Number of rows that `filterRows` leaves out only because they are controls. */
export function countFolded(rows: readonly TableRow[], view: RowFilter): number {
  return isFiltered(view) ? 0 : rows.length - filterRows(rows, view).length
}

function isFiltered(view: RowFilter): boolean {
  const { label, kind, arm, f } = view
  return (
    [searchWords(view), label, f].some(({ length }) => length > 0) || kind !== null || arm !== null
  )
}

function searchWords({ q }: Pick<RowFilter, 'q'>): string[] {
  return q.toLowerCase().split(/\s+/).filter(Boolean)
}

function isNamed({ id }: TableRow, { open, base }: RowFilter): boolean {
  return open.includes(id) || base === id
}

/** A band of the board: the ranked entries of one pool, or all unranked entries. */
export type BoardBand = { id: string; title: string; aside: string; pool: RankPool | null }

/** In display order. */
export const BOARD_BANDS: readonly BoardBand[] = [
  {
    id: 'ranked',
    title: 'Ranked',
    aside: 'driven by a language model',
    pool: 'primary/llm',
  },
  {
    id: 'ranked-scripted',
    title: 'Ranked, scripted',
    aside: 'driven by a script; never ranked with model-driven entries',
    pool: 'primary/scripted',
  },
  {
    id: 'stress',
    title: 'Stress',
    aside: 'same success criteria after an injected fault; driven by a language model',
    pool: 'stress/llm',
  },
  {
    id: 'stress-scripted',
    title: 'Stress, scripted',
    aside: 'same success criteria after an injected fault; driven by a script',
    pool: 'stress/scripted',
  },
  {
    id: 'escrow',
    title: 'Escrow',
    aside: 'measured by another harness, judged again here; never ranked with the others',
    pool: 'escrow/llm',
  },
  {
    id: 'unranked',
    title: 'Unranked',
    aside: 'open an entry to see why',
    pool: null,
  },
]

/** `total` = number of rows in the band; `rows` may be only the first ones. */
export type BandRows = { band: BoardBand; rows: TableRow[]; total: number }

/**
 * The rows of each band, in the given order, without empty bands. Bands are in the order of `rankedPools` of the whole
 * board, whichever rows are shown; all others follow.
 */
export function splitRows(
  rows: readonly TableRow[],
  board: readonly TableRow[] = rows,
): BandRows[] {
  return orderedBands(board).flatMap((band) => {
    const own = rows.filter((row) => row.pool === band.pool)
    return own.length > 0 ? [{ band, rows: own, total: own.length }] : []
  })
}

/** Bands in display order: those of `rankedPools` first. */
export function orderedBands(board: readonly { pool: RankPool | null }[]): BoardBand[] {
  const first = rankedPools(board.map(({ pool }) => pool))
  const placeOf = ({ pool }: BoardBand) => {
    const place = pool === null ? -1 : first.indexOf(pool)
    return place < 0 ? first.length : place
  }
  return [...BOARD_BANDS].sort((a, b) => placeOf(a) - placeOf(b))
}

/**
 * The pools with ranked entries, largest first; of equally large ones, the one that is first in the table. Pools under
 * faults are included only if there are no others. The first pool determines who wins on a board.
 */
export function rankedPools(pools: readonly (RankPool | null)[]): RankPool[] {
  const present = BOARD_BANDS.flatMap(({ pool }) => (pool && pools.includes(pool) ? [pool] : []))
  const plain = present.filter((pool) => pool.startsWith('primary/'))
  const sizeOf = (pool: RankPool) => pools.filter((other) => other === pool).length
  return (plain.length > 0 ? plain : present).sort((a, b) => sizeOf(b) - sizeOf(a))
}

/** The first rows over all bands, and the open ones, which a link may name; each band keeps its total. */
export function firstRows(
  bands: readonly BandRows[],
  max: number,
  open: readonly string[] = [],
): BandRows[] {
  let left = max
  return bands.flatMap((part) => {
    const rows = part.rows.filter(({ id }, index) => index < left || open.includes(id))
    left = Math.max(0, left - part.rows.length)
    return rows.length > 0 ? [{ ...part, rows }] : []
  })
}
