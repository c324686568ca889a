import { z } from 'zod'
import { digestJson, digestSchema } from '../digest.ts'
import { instantSchema } from '../names.ts'
import { ledgerActionSchema } from './ledger-action.ts'

/** Half of a surrogate pair is no text: no file could hold it, so its hash would fit nothing that is kept. */
function textSchema(most: number) {
  const message = 'expected well-formed text'
  return z
    .string()
    .min(1)
    .max(most)
    .refine((text) => !/\p{Cs}/u.test(text), message)
}

/** One line of the public ledger. `hash` covers every other member, `previousHash` is the entry before's hash. */
export const ledgerEntrySchema = z.object({
  sequence: z.number().int().positive(),
  at: instantSchema,
  /** Who did it: `worker`, an account, an upload token's name. */
  author: textSchema(200),
  reason: textSchema(2000),
  action: ledgerActionSchema,
  previousHash: digestSchema.nullable(),
  hash: digestSchema,
})
export type LedgerEntry = z.infer<typeof ledgerEntrySchema>

/** What somebody asks to be written; the chain adds place, time and hashes. */
export const ledgerDraftSchema = ledgerEntrySchema.pick({
  author: true,
  reason: true,
  action: true,
})
export type LedgerDraft = z.infer<typeof ledgerDraftSchema>

/** The entry that follows `previous`; null = the ledger is empty. */
export function chainEntry(
  previous: LedgerEntry | null,
  { author, reason, action }: LedgerDraft,
  { now }: { now: string },
): LedgerEntry {
  const body = {
    sequence: (previous?.sequence ?? 0) + 1,
    at: now,
    author,
    reason,
    action,
    previousHash: previous?.hash ?? null,
  }
  return { ...body, hash: digestJson(body) }
}
