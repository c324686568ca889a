import { z } from 'zod'
import { getBoard } from '#lib/board/get-board.ts'
import { listSuites } from '#lib/board/list-suites.ts'
import { serializeBoard } from '#lib/domain/board/serialize-board.ts'
import { digestSchema } from '#lib/domain/digest.ts'
import { unknownName } from '#lib/domain/nearest-names.ts'
import { AppError } from '#lib/errors.ts'
import { parseQuery } from '#lib/http/parse-query.ts'
import { readRoute } from '#lib/http/read-route.ts'
import { respondJsonText } from '#lib/http/respond.ts'

const querySchema = z.object({
  suite: z.string().min(1).max(80).optional(),
  version: digestSchema.optional(),
})

/**
 * `?suite=…`: one suite's leaderboard, byte for byte what a rebuild gives; without it, the first suite's. `&version=` =
 * the digest of an earlier version.
 */
export const GET = readRoute(async (request) => {
  const { suite, version = null } = parseQuery(request, querySchema)
  const suiteIds = (await listSuites()).map(({ suiteId }) => suiteId)
  const wanted = suite ?? suiteIds[0]
  if (wanted === undefined)
    throw new AppError('not-found', 'no suite is known yet: the worker has not started')
  const board = await getBoard(wanted, version)
  if (!board && version !== null && suiteIds.includes(wanted))
    throw new AppError('not-found', `no version ${version} of suite ${wanted} is kept here`)
  if (!board) throw new AppError('not-found', unknownName('suite', wanted, suiteIds))
  return respondJsonText(request, serializeBoard(board))
})
