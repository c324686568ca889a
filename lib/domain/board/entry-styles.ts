import type { BoardRow } from './board-row.ts'

/** Number of distinguishable colours, none of which is the colour of an outcome. */
const ENTRY_COLOURS = 8
/** Number of line patterns, plain ones first. */
const ENTRY_PATTERNS = 4

/** Style of an entry in every chart; `colour` from 1, `pattern` from 0. */
export type EntryStyle = { colour: number; pattern: number }

type StyledRow = Pick<BoardRow, 'rowId' | 'label'>

/**
 * Assigns a style to each row of a board, by row id. An entry prefers the colour of its id, and takes the next free one
 * if it is taken. Patterns begin when all colours are used. Ranked rows choose first.
 */
export function entryStyles(rows: readonly StyledRow[]): Map<string, EntryStyle> {
  const isRanked = ({ label }: StyledRow) => label === 'primary' || label === 'stress'
  const sorted = [...rows].sort(
    (a, b) => Number(isRanked(b)) - Number(isRanked(a)) || (a.rowId < b.rowId ? -1 : 1),
  )
  const styles = new Map<string, EntryStyle>()
  let free: number[] = []
  sorted.forEach(({ rowId }, index) => {
    if (index % ENTRY_COLOURS === 0) free = Array.from({ length: ENTRY_COLOURS }, (_, at) => at)
    const preferred = hashOf(rowId) % ENTRY_COLOURS
    const colour = free.find((at) => at >= preferred) ?? free[0] ?? 0
    free = free.filter((at) => at !== colour)
    const pattern = Math.floor(index / ENTRY_COLOURS) % ENTRY_PATTERNS
    styles.set(rowId, { colour: colour + 1, pattern })
  })
  return styles
}

/** FNV-1a, 32 bits. */
function hashOf(text: string): number {
  return Array.from(text).reduce(
    (hash, letter) => Math.imul(hash ^ (letter.codePointAt(0) ?? 0), 0x01000193) >>> 0,
    0x811c9dc5,
  )
}
