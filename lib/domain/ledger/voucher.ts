import { z } from 'zod'
import type { Actor } from '../accounts/access.ts'
import type { Provenance } from '../record/episode-fact.ts'

/**
 * Who answers for results that came from outside: `token:<id>`, `workflow:<issuer> <repository id>`, or `manual` for
 * what administrators upload. Results of two vouchers never share a row. What this server ran itself has none.
 */
export const voucherSchema = z
  .string()
  .regex(/^(manual|(token|workflow):[\x21-\x7e]+( [\x21-\x7e]+)?)$/, 'is not a sender')
  .max(600)
export type Voucher = z.infer<typeof voucherSchema>

/** The voucher of what this actor sends; null = this server ran it itself. */
export function voucherOfActor(actor: Actor, provenance: Provenance): Voucher | null {
  if (provenance === 'local') return null
  // Administrators trust each other: any of them may finish what another began.
  const isProgram = actor.kind === 'token' || actor.kind === 'workflow'
  return isProgram && provenance !== 'manual' ? `${actor.kind}:${actor.id}` : 'manual'
}

/** `upload token 4f1c`, `workflow of repository 123`: a voucher as people read it. */
export function formatVoucher(voucher: Voucher): string {
  if (voucher === 'manual') return 'manual upload'
  const [kind, id = ''] = [
    voucher.slice(0, voucher.indexOf(':')),
    voucher.slice(voucher.indexOf(':') + 1),
  ]
  return kind === 'token' ? `upload token ${id}` : `workflow of repository ${id.split(' ').at(-1)}`
}

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
