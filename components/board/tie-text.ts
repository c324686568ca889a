import { type BoardRow, rankPoolOf } from '#lib/domain/board/index.ts'
import { countOf } from '#lib/domain/text/index.ts'

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
    const said = `no significant difference from ${countOf(others, 'other entry')}`
    if (isLong.get(pool)) return { text: countOf(others, 'tie'), title: said }
    const text = [...own].join('')
    return { text, title: `${said}: those that share a letter (${text})` }
  }
}

/** Splits `AB2` into A and B2. */
function lettersOf({ rank }: BoardRow): Set<string> {
  return new Set(rank?.letters?.match(/[A-Z]\d*/g))
}
