import { ledgerHeadEndpoint } from '#lib/domain/api/index.ts'
import { AppError } from '#lib/errors.ts'
import { getHead } from '#lib/server/care/ledger.ts'
import { readRoute } from '#lib/server/http/read-route.ts'

export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = readRoute(
  ledgerHeadEndpoint,
  async () => {
    const head = await getHead()
    if (head) return head
    throw new AppError('not-found', 'the ledger is empty: there is no head to sign yet')
  },
)
