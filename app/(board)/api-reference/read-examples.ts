import { shortenExample } from '#lib/domain/api/index.ts'
import { createLog } from '#lib/log.ts'
import { GET as getEpisode } from '../../api/v1/episodes/[episodeId]/route.ts'
import { GET as listEpisodes } from '../../api/v1/episodes/route.ts'
import { GET as getJsonFeed } from '../../api/v1/feed.json/route.ts'
import { GET as getHealth } from '../../api/v1/health/route.ts'
import { GET as getLeaderboard } from '../../api/v1/leaderboard/route.ts'
import { GET as listLedger } from '../../api/v1/ledger/route.ts'
import { GET as getShieldsBadge } from '../../api/v1/rows/[rowId]/badge.json/route.ts'
import { GET as getRow } from '../../api/v1/rows/[rowId]/route.ts'
import { GET as getRun } from '../../api/v1/runs/[runId]/route.ts'
import { GET as listRuns } from '../../api/v1/runs/route.ts'
import { GET as listSchemas } from '../../api/v1/schemas/route.ts'
import { GET as listSubjects } from '../../api/v1/subjects/route.ts'
import { GET as getSuite } from '../../api/v1/suites/[suiteId]/route.ts'
import { GET as listSuites } from '../../api/v1/suites/route.ts'
import { GET as getTask } from '../../api/v1/tasks/[taskId]/route.ts'

type Names = Record<string, string>
type Handler = (request: Request, context: { params: Promise<never> }) => Promise<Response>

/** Routes with fast and instructive responses, by operation id. */
const HANDLERS: Record<string, Handler> = {
  getLeaderboard,
  getRow,
  getShieldsBadge,
  listSubjects,
  listSuites,
  getSuite,
  getTask,
  listRuns,
  getRun,
  listEpisodes,
  getEpisode,
  listLedger,
  getJsonFeed,
  listSchemas,
  getHealth,
}
const CACHED_MS = 60_000

const log = createLog('pages')
let cached: { at: number; examples: Map<string, string> } | null = null

/** This server's current responses, shortened, by operation id; requested from the routes once a minute. */
export async function readExamples(
  addresses: ReadonlyMap<string, string>,
  names: Names,
): Promise<Map<string, string>> {
  if (cached && performance.now() - cached.at < CACHED_MS) return cached.examples
  const examples = new Map<string, string>()
  for (const [id, handler] of Object.entries(HANDLERS)) {
    const text = await ask(handler, addresses.get(id) ?? '', names)
    if (text !== null) examples.set(id, text)
  }
  cached = { at: performance.now(), examples }
  return examples
}

async function ask(handler: Handler, address: string, names: Names): Promise<string | null> {
  try {
    const request = new Request(new URL(address, 'http://localhost'))
    const response = await handler(request, { params: Promise.resolve(names as never) })
    return response.ok ? JSON.stringify(shortenExample(await response.json()), null, 2) : null
  } catch (error) {
    log.warn('an example of the API page could not be read', { address, error })
    return null
  }
}
