import { ledgerKeyEndpoint } from '#lib/domain/api/endpoints/ledger.ts'
import { readRoute } from '#lib/http/read-route.ts'
import { getLedgerKey } from '#lib/ledger/get-head.ts'

export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = readRoute(
  ledgerKeyEndpoint,
  async () => getLedgerKey(),
)
