import { z } from 'zod'
import { digestJson, digestSchema } from '../digest.ts'
import { instantSchema } from '../names.ts'

/** What can be done to something published; each is an entry of its own, nothing is ever taken back silently. */
export const ledgerKindSchema = z.enum(['include', 'remove', 'invalidate', 'rescore'])

/** One line of the public ledger. `hash` covers every other member, `previousHash` is the entry before's hash. */
export const ledgerEntrySchema = z.object({
  sequence: z.number().int().positive(),
  at: instantSchema,
  kind: ledgerKindSchema,
  /** What it is about: a run id. */
  target: z.string().min(1),
  /** Digest of what the target stood for at that moment (a run's plan); null = nothing of its own. */
  digest: digestSchema.nullable(),
  reason: z.string().min(1),
  previousHash: digestSchema.nullable(),
  hash: digestSchema,
})
export type LedgerEntry = z.infer<typeof ledgerEntrySchema>
export type LedgerDraft = Pick<LedgerEntry, 'kind' | 'target' | 'digest' | 'reason'>

/** The entry that follows `previous`; null = the ledger is empty. */
export function chainEntry(
  previous: LedgerEntry | null,
  draft: LedgerDraft,
  { now }: { now: string },
): LedgerEntry {
  const body = {
    ...draft,
    sequence: (previous?.sequence ?? 0) + 1,
    at: now,
    previousHash: previous?.hash ?? null,
  }
  return { ...body, hash: digestJson(body) }
}

/** Sequence number of the first entry that was changed, removed or slipped in; null = the whole chain holds. */
export function findBrokenLink(entries: readonly LedgerEntry[]): number | null {
  let previous: LedgerEntry | null = null
  for (const entry of entries) {
    const { kind, target, digest, reason } = entry
    const expected = chainEntry(previous, { kind, target, digest, reason }, { now: entry.at })
    if (expected.hash !== entry.hash || expected.sequence !== entry.sequence) return entry.sequence
    previous = entry
  }
  return null
}
