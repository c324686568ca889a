import { cutPage, ledgerEndpoint } from '#lib/domain/api/index.ts'
import { readFullLedger } from '#lib/server/care/ledger.ts'
import { nextPage, readCursor, readRoute } from '#lib/server/http/read-route.ts'

export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = readRoute(
  ledgerEndpoint,
  async ({ request, query: { after, cursor, limit } }) => {
    const { entries, holds, broken } = await readFullLedger()
    const head = entries.at(-1)?.hash ?? null
    const later = entries.filter(({ sequence }) => sequence > after)
    const asked = { after: readCursor(cursor), limit }
    const { items, last } = cutPage(later, ({ sequence }) => [orderOf(sequence), ''], asked)
    return { entries: items, head, holds, broken, next: nextPage(request, last) }
  },
)

/** Numbers that are put in order as text. */
function orderOf(sequence: number): string {
  return String(sequence).padStart(16, '0')
}
