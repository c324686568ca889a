import type { Board } from '#lib/domain/board/index.ts'
import type { ComparisonView } from '#lib/domain/compare/index.ts'

/** Where the tools read: a server's public API, or results on this disk. What cannot be answered is a RunnerError. */
export type BoardSource = {
  /** The ids of all suites, the first one first. */
  suites: () => Promise<string[]>
  /** The leaderboard of a suite; without one, of the first. */
  board: (suiteId: string | undefined) => Promise<Board>
  /** The leaderboard of an entry. */
  boardOf: (rowId: string) => Promise<Board>
  compare: (rowIds: readonly string[]) => Promise<ComparisonView>
}
