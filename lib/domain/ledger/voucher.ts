import { z } from 'zod'
import type { Actor } from '../accounts/index.ts'
import { type Digest, digestSchema } from '../digest/index.ts'
import { type Provenance, provenanceSchema } from '../record/index.ts'

/**
 * The verified sender of uploaded results: `token:<id>`, `workflow:<issuer> <repository id>`, or `manual` for uploads
 * by administrators. Results of different senders never share a row. Runs on this server have no sender.
 */
export const voucherSchema = z
  .string()
  .regex(/^(manual|(token|workflow):[\x21-\x7e]+( [\x21-\x7e]+)?)$/, 'is not a sender')
  .max(600)
export type Voucher = z.infer<typeof voucherSchema>

/** Returns the sender of an actor's uploads; null = run on this server. */
export function voucherOfActor(actor: Actor, provenance: Provenance): Voucher | null {
  if (provenance === 'local') return null
  // Administrators count as one sender, so any of them can complete an upload.
  const isProgram = actor.kind === 'token' || actor.kind === 'workflow'
  return isProgram && provenance !== 'manual' ? `${actor.kind}:${actor.id}` : 'manual'
}

/** Display name of a sender: `upload token 4f1c`, `workflow of repository 123`. */
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

/** The sender of these bytes, as recorded in the ledger. */
export function senderOfActor(actor: Actor, provenance: Provenance, bodyDigest: Digest): Sender {
  const account = accountOfActor(actor)
  return {
    provenance,
    voucher: voucherKey(provenance, actor),
    ...(account !== undefined && { account }),
    name: publicName(actor),
    bodyDigest,
  }
}

/**
 * Returns the account of an actor's uploads: that of the user, for all of their tokens, or of the repository owner;
 * undefined = unknown.
 */
export function accountOfActor(actor: Actor): string | undefined {
  return actor.kind === 'token' || actor.kind === 'workflow' ? actor.account : undefined
}

type Owned = { voucher: string | null; account?: string | undefined }

/** Returns true if one may send the runs of the other: the same token or repository, or tokens of one user. */
export function isSameSender(one: Owned, other: Owned): boolean {
  if (one.voucher === other.voucher) return true
  return isSameOwner(one, other) && one.account?.startsWith(USER_ACCOUNT) === true
}

/** Returns true if both are responsible for the same runs: the same sender, or the same account. */
export function isSameOwner(one: Owned, other: Owned): boolean {
  if (one.voucher === other.voucher) return true
  return one.account !== undefined && one.account === other.account
}

/** Prefix of users' accounts; those of repository owners begin with `owner:`. */
export const USER_ACCOUNT = 'account:'

/** The sender and the digest of what was sent; part of the ledger's hash. */
export const senderSchema = z.object({
  provenance: provenanceSchema,
  /** Identifies the sender; see `voucherKey`. */
  voucher: z.string().min(1).max(700),
  /** The account that the sender belongs to; see `accountOfActor`. Absent in older entries and for unknown accounts. */
  account: z.string().min(1).max(700).optional(),
  /** Display name; see `publicName`. */
  name: z.string().min(1).max(700),
  /** Digest of the bytes that were sent; null = created on this server. */
  bodyDigest: digestSchema.nullable(),
})
export type Sender = z.infer<typeof senderSchema>
