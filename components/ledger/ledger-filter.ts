import { createLoader, parseAsInteger, parseAsString, parseAsStringLiteral } from 'nuqs/server'
import { LEDGER_KINDS } from '#lib/domain/ledger/ledger-action.ts'
import type { LedgerFilter } from '#lib/domain/views/ledger-view.ts'

/** The ledger's view state, all of it in the URL: what it cannot parse it takes as absent. */
export const loadLedgerFilter = createLoader({
  kind: parseAsStringLiteral(LEDGER_KINDS),
  target: parseAsString.withDefault(''),
  page: parseAsInteger.withDefault(1),
})

/** The address of a filtered page of the ledger. */
export function ledgerHref({ kind, target, page }: Partial<LedgerFilter>): string {
  const query = new URLSearchParams()
  if (kind) query.set('kind', kind)
  if (target) query.set('target', target)
  if (page && page > 1) query.set('page', String(page))
  const text = query.toString()
  return text ? `/ledger?${text}` : '/ledger'
}
