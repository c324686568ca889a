import { type Board, pickRow } from '#lib/domain/board/index.ts'
import { buildComparison } from '#lib/domain/compare/index.ts'
import { plainText, unknownName } from '#lib/domain/record/index.ts'
import type { Suite } from '#lib/domain/tasks/index.ts'
import { usageError } from '../runner-error.ts'
import type { BoardSource } from './board-source.ts'

export type SuiteBoard = { board: Board; suite: Suite }

/** Reads boards that were built from result files on this disk. */
export function filesSource(boards: readonly SuiteBoard[]): BoardSource {
  const ids = boards.map(({ suite }) => suite.suiteId)
  const find = (suiteId = ids[0] ?? ''): Board => {
    const found = boards.find(({ suite }) => suite.suiteId === suiteId)
    if (found) return found.board
    throw usageError(unknownName('suite', plainText(suiteId).slice(0, MOST_NAME), ids))
  }
  const boardOf = (rowId: string): Board => {
    const found = boards.find(({ board }) => pickRow(board.rows, rowId))
    if (found) return found.board
    throw usageError(`no entry ${plainText(rowId).slice(0, MOST_NAME)} in these results`)
  }
  return {
    suites: async () => ids,
    board: async (suiteId) => find(suiteId),
    boardOf: async (rowId) => boardOf(rowId),
    compare: async (rowIds) => {
      const rows = rowIds.flatMap((rowId) => pickRow(boardOf(rowId).rows, rowId) ?? [])
      const suites = boards.map(({ suite }) => suite)
      const asked = { rowIds: rows.map(({ rowId }) => rowId), rows, suites }
      const comparison = buildComparison(asked)
      if (comparison.ok) return comparison
      throw usageError(comparison.reason)
    },
  }
}

const MOST_NAME = 80
