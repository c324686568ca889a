import { endPage, ledgerEndpoint } from '#lib/domain/api/index.ts'
import { listLedgerAfter } from '#lib/server/care/ledger.ts'
import { nextPage, readCursor, readRoute } from '#lib/server/http/read-route.ts'

export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = readRoute(
  ledgerEndpoint,
  async ({ request, query: { after, cursor, limit } }) => {
    const behind = Math.max(after, placeOf(readCursor(cursor)))
    const { entries, ...state } = await listLedgerAfter({ after: behind, limit: limit + 1 })
    const { items, last } = endPage(entries, ({ sequence }) => [orderOf(sequence), ''], limit)
    return { entries: items, ...state, next: nextPage(request, last) }
  },
)

/** Formats numbers so that they sort as text. */
function orderOf(sequence: number): string {
  return String(sequence).padStart(16, '0')
}

function placeOf(cursor: ReturnType<typeof readCursor>): number {
  return cursor === null ? 0 : Number(/^\d{1,16}$/.exec(cursor[0])?.[0] ?? 0)
}
