import { z } from 'zod'
import { compareEndpoint, leaderboardEndpoint, suitesEndpoint } from '#lib/domain/api/index.ts'
import { plainText } from '#lib/domain/record/index.ts'
import { RunnerError, usageError } from '../runner-error.ts'
import type { BoardSource } from './board-source.ts'

const WAIT_MS = 30_000
const MOST_BYTES = 64e6

const problemSchema = z.object({ detail: z.string() })
/** Of an entry only the place: its numbers come with its board. */
const placeSchema = z.object({
  row: z.object({ suiteDigest: z.string() }),
  suite: z.object({ suiteId: z.string() }),
})

/** Reads a server's public API, without a token. */
export function serverSource(address: string): BoardSource {
  const base = readAddress(address)
  const ask = <T>(path: string, schema: z.ZodType<T>) => askServer(new URL(path, base), schema)
  const board = (suite: string, version?: string) => {
    const query = new URLSearchParams({ suite, ...(version !== undefined && { version }) })
    return ask(`api/v1/leaderboard?${query}`, leaderboardEndpoint.answer.schema)
  }
  return {
    suites: async () => {
      const { suites } = await ask('api/v1/suites?limit=100', suitesEndpoint.answer.schema)
      return suites.map(({ suiteId }) => suiteId)
    },
    board: (suite) =>
      suite === undefined
        ? ask('api/v1/leaderboard', leaderboardEndpoint.answer.schema)
        : board(suite),
    boardOf: async (rowId) => {
      const { row, suite } = await ask(`api/v1/rows/${encodeURIComponent(rowId)}`, placeSchema)
      return board(suite.suiteId, row.suiteDigest)
    },
    compare: (rowIds) =>
      ask(
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
  const response = await fetch(url, {
    headers: { accept: 'application/json' },
    redirect: 'error',
    signal: AbortSignal.timeout(WAIT_MS),
  }).catch((cause: unknown) => {
    throw new RunnerError('delivery', `${url.host} cannot be reached`, { cause })
  })
  const body = await readBody(response, url.host)
  if (!response.ok) {
    const detail = problemSchema.safeParse(body).data?.detail ?? `it answered ${response.status}`
    throw new RunnerError('delivery', `${url.host}: ${plainText(detail).slice(0, MOST_DETAIL)}`)
  }
  const parsed = schema.safeParse(body)
  if (parsed.success) return parsed.data
  throw new RunnerError('delivery', `${url.host} did not answer as a Proofboard of this version`)
}

const MOST_DETAIL = 300

async function readBody(response: Response, host: string): Promise<unknown> {
  const decoder = new TextDecoder()
  let text = ''
  let bytes = 0
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length
    if (bytes > MOST_BYTES) throw new RunnerError('delivery', `${host} answered too much`)
    text += decoder.decode(chunk, { stream: true })
  }
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
