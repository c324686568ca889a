import { ledgerFileEndpoint } from '#lib/domain/api/index.ts'
import { serializeLedger } from '#lib/domain/archive/index.ts'
import { AppError } from '#lib/errors.ts'
import { readFullLedger } from '#lib/server/care/ledger.ts'
import { readRoute } from '#lib/server/http/read-route.ts'
import { respondJsonText } from '#lib/server/http/respond.ts'

/** The whole ledger as the file that `proofboard ledger verify --from` takes. */
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = readRoute(
  ledgerFileEndpoint,
  async ({ request }) => {
    const { entries, damaged } = await readFullLedger()
    // A part that looks like the whole would be worse than nothing.
    if (damaged) throw new AppError('database-unusable', damaged)
    return respondJsonText(request, serializeLedger(entries), { fileName: 'ledger.json' })
  },
)
