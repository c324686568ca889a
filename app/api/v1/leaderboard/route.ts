import { leaderboardEndpoint } from '#lib/domain/api/index.ts'
import { unknownName } from '#lib/domain/text/index.ts'
import { AppError } from '#lib/errors.ts'
import { getBoardBytes } from '#lib/server/board/board.ts'
import { listSuiteSummaries } from '#lib/server/board/suites.ts'
import { readRoute } from '#lib/server/http/read-route.ts'
import { respondStoredJson } from '#lib/server/http/respond.ts'

/** Returns the board as its stored bytes. */
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = readRoute(
  leaderboardEndpoint,
  async ({ request, query: { suite, version = null } }) => {
    const suiteIds = (await listSuiteSummaries()).map(({ suiteId }) => suiteId)
    const wanted = suite ?? suiteIds[0]
    if (wanted === undefined)
      throw new AppError('not-found', 'no suite is known yet: the worker has not started')
    const board = await getBoardBytes(wanted, version)
    if (!board && version !== null && suiteIds.includes(wanted))
      throw new AppError('not-found', `no version ${version} of suite ${wanted} is stored here`)
    if (!board) throw new AppError('not-found', unknownName('suite', wanted, suiteIds))
    return respondStoredJson(request, board)
  },
)
