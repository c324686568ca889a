import { z } from 'zod'
import { pickRow } from '#lib/domain/board/index.ts'
import { MAX_COMPARED_ROWS, MIN_COMPARED_ROWS } from '#lib/domain/compare/index.ts'
import { plainText } from '#lib/domain/text/index.ts'
import { runnerVersion } from '../engine/resolve-environment.ts'
import { isRunnerError } from '../runner-error.ts'
import type { BoardSource } from './board-source.ts'
import { describeBoard, describeComparison, describeTasks, explainRow } from './describe-board.ts'

const suite = z.string().min(1).max(80).optional().describe('Suite id; default: the first suite.')
const rowId = z.string().regex(/^row_[0-9a-f]{24}$/, 'expected a row id, row_…')
const MAX_ROWS = 100
const USUAL_ROWS = 20

const READ_ONLY = { readOnlyHint: true, openWorldHint: false }

/** Serves the tools on stdin and stdout until the client disconnects. */
export async function serveMcp(source: BoardSource): Promise<void> {
  const [{ McpServer }, { StdioServerTransport }] = await Promise.all([
    import('@modelcontextprotocol/sdk/server/mcp.js'),
    import('@modelcontextprotocol/sdk/server/stdio.js'),
  ])
  const server = new McpServer(
    { name: 'proofboard', version: runnerVersion() },
    {
      instructions:
        'Quote a rate only with its interval, its N and its suite; say of an unranked entry that it is unranked, and why.',
    },
  )
  server.registerTool(
    'leaderboard',
    {
      description:
        'The entries of a suite with success rate, 95 % interval, N, rank range, and why an entry is unranked.',
      inputSchema: {
        suite,
        limit: z.number().int().min(1).max(MAX_ROWS).default(USUAL_ROWS),
      },
      annotations: READ_ONLY,
    },
    ({ suite: suiteId, limit }) =>
      answer(async () => describeBoard(await source.board(suiteId), limit)),
  )
  server.registerTool(
    'compare',
    {
      description:
        'Whether entries of one suite version differ: verdict, difference with interval, p corrected for all pairs.',
      inputSchema: { rows: z.array(rowId).min(MIN_COMPARED_ROWS).max(MAX_COMPARED_ROWS) },
      annotations: READ_ONLY,
    },
    ({ rows }) => answer(async () => describeComparison(await source.compare(rows))),
  )
  server.registerTool(
    'explain-row',
    {
      description:
        'All that qualifies the number of one entry: evidence rules, exclusions, settings, provenance, counts by task.',
      inputSchema: { row: rowId },
      annotations: READ_ONLY,
    },
    ({ row }) => answer(() => explain(source, row)),
  )
  server.registerTool(
    'list-tasks',
    {
      description: 'The tasks of a suite with category, difficulty and counts over all entries.',
      inputSchema: { suite },
      annotations: READ_ONLY,
    },
    ({ suite: suiteId }) => answer(async () => describeTasks(await source.board(suiteId))),
  )
  const closed = new Promise<void>((resolve) => {
    server.server.onclose = resolve
    process.stdin.once('end', resolve)
  })
  await server.connect(new StdioServerTransport())
  await closed
}

async function explain(source: BoardSource, wanted: string): Promise<string> {
  const board = await source.boardOf(wanted)
  const row = pickRow(board.rows, wanted)
  if (row) return explainRow(board, row)
  throw new Error(`the leaderboard has no entry ${wanted}`)
}

/** A refusal is one sentence that the model can act on; a bug is only reported as such. */
async function answer(work: () => Promise<string>) {
  try {
    return { content: [{ type: 'text' as const, text: await work() }] }
  } catch (error) {
    const text = isRunnerError(error) ? error.message : 'the tool failed unexpectedly'
    return { content: [{ type: 'text' as const, text: plainText(text) }], isError: true }
  }
}
