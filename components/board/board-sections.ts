import type { RankPool } from '#lib/domain/board/board-row.ts'
import type { TableRow } from './table-row.ts'

/** A table of the board: the ranked entries of one pool, or all unranked entries. */
export type BoardSection = { id: string; title: string; aside: string; pool: RankPool | null }

/** In the order in which the page shows them. */
export const BOARD_SECTIONS: readonly BoardSection[] = [
  {
    id: 'claims',
    title: 'Ranked',
    aside: 'Meets every evidence rule; driven by a language model',
    pool: 'primary/llm',
  },
  {
    id: 'claims-scripted',
    title: 'Ranked, scripted',
    aside: 'Driven by a script; never ranked with model-driven entries',
    pool: 'primary/scripted',
  },
  {
    id: 'stress',
    title: 'Stress',
    aside: 'Same success criteria after an injected fault; driven by a language model',
    pool: 'stress/llm',
  },
  {
    id: 'stress-scripted',
    title: 'Stress, scripted',
    aside: 'Same success criteria after an injected fault; driven by a script',
    pool: 'stress/scripted',
  },
  {
    id: 'diagnostics',
    title: 'Unranked',
    aside: 'Open an entry to see why',
    pool: null,
  },
]

/** The rows of each section, in the given order; empty sections are omitted. */
export function splitRows(
  rows: readonly TableRow[],
): { section: BoardSection; rows: TableRow[] }[] {
  return BOARD_SECTIONS.map((section) => ({
    section,
    rows: rows.filter((row) => row.pool === section.pool),
  })).filter((part) => part.rows.length > 0)
}
