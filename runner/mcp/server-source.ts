import { z } from 'zod'
import { compareEndpoint, leaderboardEndpoint, suitesEndpoint } from '#lib/domain/api/index.ts'
import { parseJson, plainText } from '#lib/domain/text/index.ts'
import { ask } from '#lib/outgoing/request.ts'
import { RunnerError, usageError } from '../runner-error.ts'
import type { BoardSource } from './board-source.ts'

const WAIT_MS = 30_000
const MAX_BYTES = 64e6

const problemSchema = z.object({ detail: z.string() })
/** Only the position of an entry: its numbers come with its board. */
const placeSchema = z.object({
  row: z.object({ suiteDigest: z.string() }),
  suite: z.object({ suiteId: z.string() }),
})

/** Reads a server's public API, without a token. */
export function serverSource(address: string): BoardSource {
  const base = readAddress(address)
  const askFor = <T>(path: string, schema: z.ZodType<T>) => askServer(new URL(path, base), schema)
  const board = (suite: string, version?: string) => {
    const query = new URLSearchParams({ suite, ...(version !== undefined && { version }) })
    return askFor(`api/v1/leaderboard?${query}`, leaderboardEndpoint.answer.schema)
  }
  return {
    suites: async () => {
      const { suites } = await askFor('api/v1/suites?limit=100', suitesEndpoint.answer.schema)
      return suites.map(({ suiteId }) => suiteId)
    },
    board: (suite) =>
      suite === undefined
        ? askFor('api/v1/leaderboard', leaderboardEndpoint.answer.schema)
        : board(suite),
    boardOf: async (rowId) => {
      const { row, suite } = await askFor(`api/v1/rows/${encodeURIComponent(rowId)}`, placeSchema)
      return board(suite.suiteId, row.suiteDigest)
    },
    compare: (rowIds) =>
      askFor(
        `api/v1/compare?${new URLSearchParams({ rows: rowIds.join(',') })}`,
        compareEndpoint.answer.schema,
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
