import { z } from 'zod'
import type { Actor } from '../accounts/index.ts'
import { digestSchema, type Provenance, provenanceSchema } from '../record/index.ts'

/**
 * The verified sender of uploaded results: `token:<id>`, `workflow:<issuer> <repository id>`, or `manual` for uploads
 * by administrators. Results of different senders never share a row. Runs on this server have no sender.
 */
export const voucherSchema = z
  .string()
  .regex(/^(manual|(token|workflow):[\x21-\x7e]+( [\x21-\x7e]+)?)$/, 'is not a sender')
  .max(600)
export type Voucher = z.infer<typeof voucherSchema>

/** The sender of an actor's uploads; null = run on this server. */
export function voucherOfActor(actor: Actor, provenance: Provenance): Voucher | null {
  if (provenance === 'local') return null
  // Administrators count as one sender, so any of them can complete an upload.
  const isProgram = actor.kind === 'token' || actor.kind === 'workflow'
  return isProgram && provenance !== 'manual' ? `${actor.kind}:${actor.id}` : 'manual'
}

/** `upload token 4f1c`, `workflow of repository 123`: display name of a sender. */
export function formatVoucher(voucher: Voucher): string {
  if (voucher === 'manual') return 'manual upload'
  const [kind, id = ''] = [
    voucher.slice(0, voucher.indexOf(':')),
    voucher.slice(voucher.indexOf(':') + 1),
  ]
  return kind === 'token' ? `upload token ${id}` : `workflow of repository ${id.split(' ').at(-1)}`
}

/** Runs on this server. */
export const THIS_SERVER = 'this server'

/** The sender's name in ledger entries. A plan's results count as registered only from the same sender. */
export function voucherKey(provenance: Provenance, actor: Actor): string {
  return voucherOfActor(actor, provenance) ?? THIS_SERVER
}

/** The sender's public name in the ledger: people only by role; the audit log has their names. */
export function publicName({ kind, name }: Pick<Actor, 'kind' | 'name'>): string {
  return kind === 'user' ? 'administrator' : name
}

/** Who sent something and what came: a part of the ledger's hash. */
export const senderSchema = z.object({
  provenance: provenanceSchema,
  /** Identifies the sender; see `voucherKey`. */
  voucher: z.string().min(1).max(700),
  /** For reading; see `publicName`. */
  name: z.string().min(1).max(700),
  /** Of the bytes that were sent; null = nothing was sent, it was made here. */
  bodyDigest: digestSchema.nullable(),
})
export type Sender = z.infer<typeof senderSchema>
