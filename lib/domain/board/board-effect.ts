import { z } from 'zod'
import { digestSchema } from '../digest/index.ts'
import { evidenceLabelSchema, type RuleRefusal, ruleRefusalSchema } from '../eligibility/index.ts'
import { subjectLabel } from '../record/index.ts'
import { countOf } from '../text/index.ts'
import type { Board, BoardRow } from './board-row.ts'
import { formatRank } from './row-words.ts'

const sideSchema = z.object({
  label: evidenceLabelSchema,
  rank: z.string().nullable(),
  isRanked: z.boolean(),
  rate: z.number().nullable(),
  low: z.number().nullable(),
  high: z.number().nullable(),
  tasks: z.number().int(),
  episodes: z.number().int(),
})
/** A row before or after a change. */
export type RowSide = z.infer<typeof sideSchema>

const rowEffectSchema = z.object({
  rowId: z.string(),
  name: z.string(),
  /** Null = the row does not exist on that side. */
  before: sideSchema.nullable(),
  after: sideSchema.nullable(),
  /** Evidence rules that it no longer meets; for a new row, all that it does not meet. */
  lost: z.array(ruleRefusalSchema),
  /** Evidence rules that it newly meets. */
  gained: z.array(ruleRefusalSchema),
})
export type RowEffect = z.infer<typeof rowEffectSchema>

/** Effect of a change on one board: every row that differs afterwards. */
export const boardEffectSchema = z.object({
  suiteId: z.string(),
  suiteDigest: digestSchema,
  /** Identifies the state that it was computed from. */
  base: z.string(),
  /** New episodes in all rows. */
  added: z.number().int(),
  rows: z.array(rowEffectSchema),
  /** Changed rows that are not listed, and unchanged rows. */
  more: z.number().int(),
  unchanged: z.number().int(),
})
export type BoardEffect = z.infer<typeof boardEffectSchema>

const MAX_ROWS = 100

/**
 * Returns the rows that differ between two boards of one suite: new ones first, then those with other episodes, then
 * the rest.
 */
export function compareBoards(
  before: Board | null,
  after: Board,
): Pick<BoardEffect, 'rows' | 'more' | 'unchanged'> {
  const previous = new Map(before?.rows.map((row) => [row.rowId, row]))
  const later = new Set(after.rows.map(({ rowId }) => rowId))
  const gone = [...previous.values()].filter(({ rowId }) => !later.has(rowId))
  const all = [
    ...after.rows.map((row) => compareRow(previous.get(row.rowId) ?? null, row)),
    ...gone.map((row) => compareRow(row, null)),
  ]
  const changed = all.filter(isChanged).sort((a, b) => weigh(a) - weigh(b))
  return {
    rows: changed.slice(0, MAX_ROWS),
    more: Math.max(0, changed.length - MAX_ROWS),
    unchanged: all.length - changed.length,
  }
}

function compareRow(before: BoardRow | null, after: BoardRow | null): RowEffect {
  const { rowId, subject } = (after ?? before) as BoardRow
  const [previous, later] = [before?.refusals ?? [], after?.refusals ?? []]
  return {
    rowId,
    name: subjectLabel(subject),
    before: before && toSide(before),
    after: after && toSide(after),
    lost: withoutCodes(later, previous),
    gained: after === null ? [] : withoutCodes(previous, later),
  }
}

function toSide({ label, rank, success, refusals }: BoardRow): RowSide {
  const { rate, low, high, tasks, attempts: episodes } = success
  return {
    label,
    rank: formatRank(rank),
    isRanked: refusals.length === 0,
    rate,
    low,
    high,
    tasks,
    episodes,
  }
}

function withoutCodes(refusals: readonly RuleRefusal[], others: readonly RuleRefusal[]) {
  const codes = new Set<string>(others.map(({ code }) => code))
  return refusals.filter(({ code }) => !codes.has(code))
}

function isChanged({ before, after, lost, gained }: RowEffect): boolean {
  if (lost.length + gained.length > 0) return true
  return JSON.stringify(before) !== JSON.stringify(after)
}

function weigh({ before, after }: RowEffect): number {
  if (before === null) return 0
  return before.episodes === after?.episodes ? 2 : 1
}

/** Describes a row's changes in a few words each: `new entry`, `4 more episodes`, `gets ranked`, `rank 2 → 3`. */
export function describeRowEffect({ before, after }: RowEffect): string[] {
  if (after === null) return ['leaves the board']
  if (before === null) return ['new entry', after.isRanked ? `rank ${after.rank}` : 'not ranked']
  const added = after.episodes - before.episodes
  const more = countOf(Math.abs(added), added > 0 ? 'more episode' : 'fewer episode')
  return [...(added === 0 ? [] : [more]), describeRank(before, after)]
}

function describeRank(before: RowSide, after: RowSide): string {
  if (!before.isRanked && after.isRanked) return `gets ranked: ${after.rank}`
  if (before.isRanked && !after.isRanked) return 'loses its rank'
  if (!after.isRanked) return 'still not ranked'
  return before.rank === after.rank ? 'stays ranked' : `rank ${before.rank} → ${after.rank}`
}
