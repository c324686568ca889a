import type { Actor } from '../access.ts'
import type { Provenance } from '../board/episode-fact.ts'
import { voucherOfActor } from '../voucher.ts'

/** Everything that this machine ran itself. */
export const THIS_SERVER = 'this server'

/** The sender as ledger entries name it: a voucher, or this server. A plan's results count as registered only from it. */
export function voucherKey(provenance: Provenance, actor: Actor): string {
  return voucherOfActor(actor, provenance) ?? THIS_SERVER
}

/** How the public ledger names a sender: a person by the office alone, who it was stands in the audit log. */
export function publicName({ kind, name }: Pick<Actor, 'kind' | 'name'>): string {
  return kind === 'user' ? 'administrator' : name
}
