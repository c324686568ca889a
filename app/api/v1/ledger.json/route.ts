import { ledgerFileEndpoint } from '#lib/domain/api/index.ts'
import { openLedgerFile } from '#lib/server/care/ledger.ts'
import { readRoute } from '#lib/server/http/read-route.ts'
import { respondExport } from '#lib/server/http/respond-stream.ts'

/**
 * The whole ledger as the file for `proofboard server ledger verify --from`. The ETag is its last hash, which covers
 * every entry, so a 304 needs no reading.
 */
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = readRoute(
  ledgerFileEndpoint,
  async ({ request }) => {
    const { head, open } = await openLedgerFile()
    const about = { name: 'ledger.json', type: 'application/json', tag: `ledger ${head}` }
    return respondExport(request, { ...about, pieces: open })
  },
)
