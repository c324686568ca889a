import { z } from 'zod'
import { canonicalJson, digestSchema } from '../digest/index.ts'
import { instantSchema } from '../record/index.ts'
import type { LedgerEntry } from './ledger-entry.ts'

const base64 = z.string().regex(/^[A-Za-z0-9+/]+={0,2}$/, 'expected base64')

/** The public half of the key that signs a server's ledger head. */
export const ledgerKeySchema = z.object({
  algorithm: z.literal('ed25519'),
  /** Digest of the raw public key. */
  keyId: digestSchema,
  /** The 32 raw bytes. */
  publicKey: base64.max(60),
})
export type LedgerKey = z.infer<typeof ledgerKeySchema>

const HEAD_KIND = 'proofboard-ledger-head'

/** The signed content: sequence and hash of the last entry, which cover all entries before it. */
const headSchema = z.strictObject({
  kind: z.literal(HEAD_KIND),
  schemaVersion: z.literal(1),
  sequence: z.number().int().positive(),
  hash: digestSchema,
  /** Time of that entry. */
  at: instantSchema,
  /** Lines of the audit log up to that moment and a digest of them; null = unknown. */
  audit: z.strictObject({ lines: z.number().int().nonnegative(), digest: digestSchema }).nullable(),
})

export const signedHeadSchema = headSchema.extend({
  key: ledgerKeySchema,
  /** Ed25519 over the canonical JSON of all other members but `key`. */
  signature: base64.max(100),
})
export type SignedHead = z.infer<typeof signedHeadSchema>
export type UnsignedHead = z.infer<typeof headSchema>

/** Describes the head of a ledger that ends with this entry. */
export function describeHead(
  { sequence, hash, at }: LedgerEntry,
  audit: UnsignedHead['audit'],
): UnsignedHead {
  return { kind: HEAD_KIND, schemaVersion: 1, sequence, hash, at, audit }
}

/** The bytes that a signature covers. */
export function headText({
  key: _,
  signature: __,
  ...head
}: SignedHead | (UnsignedHead & { key?: never; signature?: never })): string {
  return canonicalJson(head)
}

/** Returns why a chain does not continue this head, in one sentence; null = the head's entry is unchanged. */
export function findForeignHead(
  head: Pick<SignedHead, 'sequence' | 'hash'>,
  entries: readonly LedgerEntry[],
): string | null {
  const last = entries.at(-1)?.sequence ?? 0
  if (last < head.sequence)
    return `the head names entry ${head.sequence} and this ledger ends at entry ${last}: its end was cut off`
  const entry = entries[head.sequence - 1]
  if (entry?.hash === head.hash) return null
  return `entry ${head.sequence} is not the one that the head names: the ledger was rewritten`
}

/** A line of the audit log as it is digested; `at` as ISO 8601. */
type AuditLine = {
  id: number
  at: string
  actorKind: string
  actorId: string | null
  actor: string
  action: string
  target: string | null
  detail: string
  requestId: string | null
}

/** The digested bytes of one line of the audit log: its columns as canonical JSON. */
export function auditLineText(line: AuditLine): string {
  const { id, at, actorKind, actorId, actor, action, target, detail, requestId } = line
  const recorded = { id, at, actorKind, actorId, actor, action, target, detail, requestId }
  return `${canonicalJson(recorded)}\n`
}
