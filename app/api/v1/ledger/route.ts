import { z } from 'zod'
import { parseQuery } from '#lib/http/parse-query.ts'
import { readRoute } from '#lib/http/read-route.ts'
import { respondJson } from '#lib/http/respond.ts'
import { readWholeLedger } from '#lib/ledger/get-ledger.ts'

const querySchema = z.object({
  after: z.coerce.number().int().min(0).default(0),
  limit: z.coerce.number().int().min(1).max(1000).default(200),
})

/** `?after=…&limit=…`: entries beyond a place, oldest first; `head` is the last hash of the whole ledger. */
export const GET = readRoute(async (request) => {
  const { after, limit } = parseQuery(request, querySchema)
  const { entries, holds, broken } = await readWholeLedger()
  const head = entries.at(-1)?.hash ?? null
  const later = entries.filter(({ sequence }) => sequence > after).slice(0, limit)
  return respondJson(request, { entries: later, head, holds, broken })
})
