import type { Command } from 'commander'
import { z } from 'zod'
import { compareEndpoint, leaderboardEndpoint, suitesEndpoint } from '#lib/domain/api/index.ts'
import { type Board, pickRow } from '#lib/domain/board/index.ts'
import { buildComparison } from '#lib/domain/compare/index.ts'
import type { Suite } from '#lib/domain/tasks/index.ts'
import { parseJson, plainText, unknownName } from '#lib/domain/text/index.ts'
import { ask } from '#lib/outgoing/request.ts'
import { writeError } from '../cli/output.ts'
import { readBoards } from '../cli/publish-command.ts'
import { RunnerError, usageError } from '../runner-error.ts'
import type { BoardSource } from './serve-mcp.ts'
import { serveMcp } from './serve-mcp.ts'

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
      const request = { rowIds: rows.map(({ rowId }) => rowId), rows, suites }
      const comparison = buildComparison(request)
      if (comparison.ok) return comparison
      throw usageError(comparison.reason)
    },
  }
}

const MAX_NAME = 80

const WAIT_MS = 30_000
const MAX_BYTES = 64e6

const problemSchema = z.object({ detail: z.string() })
/** Only the position of an entry: its numbers come with its board. */
const placeSchema = z.object({
  row: z.object({ suiteDigest: z.string() }),
  suite: z.object({ suiteId: z.string() }),
})

/** Reads a server's public API, without a token. */
function serverSource(address: string): BoardSource {
  const base = readAddress(address)
  const askFor = <T>(path: string, schema: z.ZodType<T>) => askServer(new URL(path, base), schema)
  const board = (suite: string, version?: string) => {
    const query = new URLSearchParams({ suite, ...(version !== undefined && { version }) })
    return askFor(`api/v1/leaderboard?${query}`, leaderboardEndpoint.response.schema)
  }
  return {
    suites: async () => {
      const { suites } = await askFor('api/v1/suites?limit=100', suitesEndpoint.response.schema)
      return suites.map(({ suiteId }) => suiteId)
    },
    board: (suite) =>
      suite === undefined
        ? askFor('api/v1/leaderboard', leaderboardEndpoint.response.schema)
        : board(suite),
    boardOf: async (rowId) => {
      const { row, suite } = await askFor(`api/v1/rows/${encodeURIComponent(rowId)}`, placeSchema)
      return board(suite.suiteId, row.suiteDigest)
    },
    compare: (rowIds) =>
      askFor(
        `api/v1/compare?${new URLSearchParams({ rows: rowIds.join(',') })}`,
        compareEndpoint.response.schema,
      ),
  }
}

function readAddress(address: string): URL {
  const url = URL.canParse(address) ? new URL(address) : null
  const isPlain = url && /^https?:$/.test(url.protocol) && !url.username && !url.search && !url.hash
  if (!url || !isPlain)
    throw usageError('--server expects an address such as https://board.example', '--server')
  return url.pathname.endsWith('/') ? url : new URL(`${url.href}/`)
}

async function askServer<T>(url: URL, schema: z.ZodType<T>): Promise<T> {
  const headers = { accept: 'application/json' }
  const reply = await ask(url, { headers, timeoutMs: WAIT_MS, maxBytes: MAX_BYTES }).catch(
    (cause: Error) => {
      throw new RunnerError('delivery', `${url.host} cannot be reached: ${cause.message}`, {
        cause,
      })
    },
  )
  const body = parseJson(reply.body.toString('utf8'))
  if (reply.status !== 200) {
    const detail = problemSchema.safeParse(body).data?.detail ?? `it answered ${reply.status}`
    throw new RunnerError('delivery', `${url.host}: ${plainText(detail).slice(0, MAX_DETAIL)}`)
  }
  const parsed = schema.safeParse(body)
  if (parsed.success) return parsed.data
  throw new RunnerError('delivery', `${url.host} did not answer as a Proofboard of this version`)
}

const MAX_DETAIL = 300
