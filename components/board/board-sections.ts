import type { RankPool } from '#lib/domain/board/board-row.ts'
import type { TableRow } from './table-row.ts'

/** A table of the board: the claims of one pool, or everything that is no claim. */
export type BoardSection = { id: string; title: string; aside: string; pool: RankPool | null }

/** In the order in which the page shows them. */
export const BOARD_SECTIONS: readonly BoardSection[] = [
  {
    id: 'claims',
    title: 'Claims',
    aside: 'Passed every rule of evidence; driven by a language model',
    pool: 'primary/llm',
  },
  {
    id: 'claims-scripted',
    title: 'Claims, scripted',
    aside: 'Driven by a script, so never ranked with model-driven rows',
    pool: 'primary/scripted',
  },
  {
    id: 'stress',
    title: 'Stress claims',
    aside: 'The same final contract after a fault really fired; driven by a language model',
    pool: 'stress/llm',
  },
  {
    id: 'stress-scripted',
    title: 'Stress claims, scripted',
    aside: 'The same final contract after a fault really fired; driven by a script',
    pool: 'stress/scripted',
  },
  {
    id: 'diagnostics',
    title: 'Diagnostics',
    aside: 'No claims: not ranked, each with the reasons why',
    pool: null,
  },
]

/** The rows of each section, in the order given; sections without rows are left out. */
export function splitRows(
  rows: readonly TableRow[],
): { section: BoardSection; rows: TableRow[] }[] {
  return BOARD_SECTIONS.map((section) => ({
    section,
    rows: rows.filter((row) => row.pool === section.pool),
  })).filter((part) => part.rows.length > 0)
}
