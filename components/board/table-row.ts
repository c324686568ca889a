import { type BoardRow, type RankPool, rankPoolOf } from '#lib/domain/board/index.ts'
import type { RuleRefusal } from '#lib/domain/eligibility/index.ts'
import type { Subject } from '#lib/domain/record/index.ts'
import { countOf } from '#lib/domain/text/index.ts'

/** A number as shown in a cell, with its tooltip. */
export type CellMetric = { text: string; title: string }

/** A cell that the server reads from the whole row: what sorts, what is shown, and the word that filters. */
export type ReadCell = CellMetric & { value: number; word: string }

/** A row of the board with only the values that the table needs. The browser formats the rows that it renders. */
export type TableRow = Pick<
  BoardRow,
  | 'label'
  | 'provenance'
  | 'costPerSuccessMicroUsd'
  | 'tokensPerSuccess'
  | 'solvedMs'
  | 'lastStartedAt'
> & {
  id: string
  /** Colour of the entry in every chart, by index; 0 = none. */
  colour: number
  /** Target of the name's link; absent = all entries of that name. */
  path?: string
  subject: Pick<Subject, 'name' | 'version' | 'provider' | 'modelRequested' | 'kind'> & {
    /** As people read it, with a provider that is not the model's own. */
    model: string | null
    /** Driver and locator strategy of a browser library, `scripted · css`; null for all others. */
    way: string | null
    /** Arm of the plan; null = the plan has no arms. */
    arm: string | null
    /** Arm, cold browser or planned fault, which distinguish rows of one subject. */
    under: string | null
  }
  /** Cells by the columns that read them; absent = none. */
  read?: Readonly<Record<string, ReadCell>>
  /** Codes of the evidence rules that it does not meet. */
  codes: readonly string[]
  /** Differences from most rows of the board: isolation, tasks with held-out tests. */
  apart: readonly string[]
  /** The claims it competes with; null = it is none. */
  pool: RankPool | null
  rank: Pick<NonNullable<BoardRow['rank']>, 'place' | 'low' | 'high'> | null
  /** Its letters, or how many rows it ties with; null = not ranked, or stored without. */
  ties: TieText | null
  /** Notices beside the rate: withheld, withdrawn, cancelled or split results. */
  notices: readonly string[]
  success: Pick<
    BoardRow['success'],
    'rate' | 'low' | 'high' | 'method' | 'tasks' | 'attempts' | 'voids'
  >
  /** Tasks and repetitions, `25 × 10`. */
  shape: string
  /** Solved episodes of those that are scored. */
  solved: number
  costPerSuccessInterval: BoardRow['costPerSuccessInterval'] | null
  givenPrices: readonly string[]
  settings: Pick<BoardRow['settings'], 'login'>
  /** Corrections of the ledger: how many, where they are, and the rate without them; null = none. */
  corrections: { text: string; title: string; path: string } | null
}

/** Details of an open row, made on the server for open rows only. */
export type RowDetail = {
  refusals: RuleRefusal[]
  facts: { name: string; value: string }[]
  /** pass^k with its band; null = too few repetitions, or stored without. */
  reliability: BoardRow['reliability'] | null
}

/** The ties of a ranked row: its letters, or the number of tied rows if there are too many letters. */
export type TieText = { text: string; title: string }

/** Number of letters that fit next to a range of ranks. */
const MAX_LETTERS = 6

/**
 * Formats the ties of a board's ranked rows. Rows of one pool share a letter exactly if neither is better. In a large
 * pool a row can have dozens of letters; then all rows of the pool show the number of tied entries instead.
 */
export function tieTexts(rows: readonly BoardRow[]): (row: BoardRow) => TieText | null {
  const pools = new Map<string | null, Set<string>[]>()
  for (const row of rows) {
    const letters = lettersOf(row)
    if (letters.size > 0)
      pools.set(rankPoolOf(row), [...(pools.get(rankPoolOf(row)) ?? []), letters])
  }
  const isLong = new Map(
    [...pools].map(([pool, all]) => [pool, all.some(({ size }) => size > MAX_LETTERS)]),
  )
  return (row) => {
    const own = lettersOf(row)
    if (own.size === 0) return null
    const pool = rankPoolOf(row)
    const tied = (pools.get(pool) ?? []).filter((other) => [...other].some((one) => own.has(one)))
    const others = tied.length - 1
    const message = `no significant difference from ${countOf(others, 'other entry')}`
    if (isLong.get(pool)) return { text: countOf(others, 'tie'), title: message }
    const text = [...own].join('')
    return { text, title: `${message}: those that share a letter (${text})` }
  }
}

/** Splits `AB2` into A and B2. */
function lettersOf({ rank }: BoardRow): Set<string> {
  return new Set(rank?.letters?.match(/[A-Z]\d*/g))
}
