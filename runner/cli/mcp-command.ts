import type { Command } from 'commander'
import { filesSource } from '../mcp/files-source.ts'
import { serveMcp } from '../mcp/serve-mcp.ts'
import { serverSource } from '../mcp/server-source.ts'
import { usageError } from '../runner-error.ts'
import { writeError } from './output.ts'
import { readBoards } from './publish-command.ts'

type Options = { server?: string; results?: string[] }

/** `proofboard mcp`: the numbers of a board as tools for a language model, on stdin and stdout. */
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
