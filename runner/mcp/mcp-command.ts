import type { Command } from 'commander'
import { type Board, pickRow } from '#lib/domain/board/index.ts'
import { buildComparison } from '#lib/domain/compare/index.ts'
import type { Suite } from '#lib/domain/tasks/index.ts'
import { plainText, unknownName } from '#lib/domain/text/index.ts'
import { writeError } from '../cli/output.ts'
import { readBoards } from '../cli/publish-command.ts'
import { usageError } from '../runner-error.ts'
import type { BoardSource } from './board-source.ts'
import { serveMcp } from './serve-mcp.ts'
import { serverSource } from './server-source.ts'

type Options = { server?: string; results?: string[] }

/** `proofboard mcp`: serves the numbers of a board as tools for a language model, on stdin and stdout. */
export function addMcpCommand(program: Command): void {
  program
    .command('mcp')
    .description(
      'serve leaderboards over MCP (stdio, read-only): leaderboard, compare, explain-row, list-tasks',
    )
    .option('--server <url>', 'address of a Proofboard server')
    .option('--results <paths...>', 'result.json files, run folders, or folders of them')
    .action(serve)
}

async function serve({ server, results }: Options): Promise<void> {
  if ((server === undefined) === (results === undefined))
    throw usageError('choose what to read: --server <url>, or --results <paths...>')
  if (server !== undefined) return serveMcp(serverSource(server))
  const { boards, leftOut } = await readBoards(results ?? [], 'token')
  for (const line of leftOut) writeError(`left out: ${line}`)
  if (boards.length === 0)
    throw usageError(`no leaderboard can be made: ${leftOut[0] ?? 'there are no results'}`)
  return serveMcp(filesSource(boards))
}

type SuiteBoard = { board: Board; suite: Suite }

/** Reads boards built from result files on this disk. */
export function filesSource(boards: readonly SuiteBoard[]): BoardSource {
  const ids = boards.map(({ suite }) => suite.suiteId)
  const find = (suiteId = ids[0] ?? ''): Board => {
    const found = boards.find(({ suite }) => suite.suiteId === suiteId)
    if (found) return found.board
    throw usageError(unknownName('suite', plainText(suiteId).slice(0, MAX_NAME), ids))
  }
  const boardOf = (rowId: string): Board => {
    const found = boards.find(({ board }) => pickRow(board.rows, rowId))
    if (found) return found.board
    throw usageError(`no entry ${plainText(rowId).slice(0, MAX_NAME)} in these results`)
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

const MAX_NAME = 80
