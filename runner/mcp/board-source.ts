import type { Board } from '#lib/domain/board/index.ts'
import type { ComparisonView } from '#lib/domain/compare/index.ts'

/** Source of the tools: a server's public API, or results on this disk. Failures are RunnerErrors. */
export type BoardSource = {
  /** The ids of all suites; the first one is the default. */
  suites: () => Promise<string[]>
  /** The leaderboard of a suite; of the first one by default. */
  board: (suiteId: string | undefined) => Promise<Board>
  /** The leaderboard of an entry. */
  boardOf: (rowId: string) => Promise<Board>
  compare: (rowIds: readonly string[]) => Promise<ComparisonView>
}
