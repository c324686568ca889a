import { ledgerKeyEndpoint } from '#lib/domain/api/index.ts'
import { getLedgerKey } from '#lib/server/care/ledger.ts'
import { readRoute } from '#lib/server/http/read-route.ts'

export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = readRoute(
  ledgerKeyEndpoint,
  async () => getLedgerKey(),
)
