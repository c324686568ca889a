import { z } from 'zod'
import { PROVENANCE_LEVELS } from '../board/episode-fact.ts'
import { verdictSchema } from '../contract.ts'
import { digestSchema } from '../digest.ts'
import { shardSchema } from '../expand-plan.ts'
import { slugSchema } from '../names.ts'
import { outcomeStatusSchema } from '../outcome.ts'
import { voucherSchema } from '../voucher.ts'

const targetSchema = z.string().min(1).max(200)

/**
 * What can be done to something published. Each is an entry of its own; nothing is ever taken back silently: what a
 * later entry says of the same target holds.
 */
export const ledgerActionSchema = z.discriminatedUnion('kind', [
  /** A run counts on the board. Said again after `remove`, it counts again. */
  z.object({
    kind: z.literal('include'),
    target: targetSchema,
    planDigest: digestSchema,
    provenance: z.enum(PROVENANCE_LEVELS),
    shard: shardSchema.nullable(),
    /** Who sent it (`lib/domain/voucher.ts`); absent = it was run here, or came in before senders were recorded. */
    voucher: voucherSchema.optional(),
    /** The policy in force when the run came in; absent = it came in before this was recorded. */
    policyVersion: z.number().int().positive().optional(),
  }),
  /** What a run held when it ended: its episodes' seals under one digest. A sealed run cannot lose an episode unseen. */
  z.object({
    kind: z.literal('seal-run'),
    target: targetSchema,
    episodes: z.number().int().nonnegative(),
    digest: digestSchema,
  }),
  /** A run does not count and has no row; its page stays. */
  z.object({ kind: z.literal('remove'), target: targetSchema }),
  /** A run or a row stays visible and is no claim; an episode counts as void. */
  z.object({ kind: z.literal('invalidate'), target: targetSchema }),
  /** Takes an `invalidate` back. */
  z.object({ kind: z.literal('reinstate'), target: targetSchema }),
  /** An episode's verdict is replaced by what its contract said when it was evaluated again. */
  z.object({
    kind: z.literal('rescore'),
    target: targetSchema,
    from: outcomeStatusSchema,
    to: outcomeStatusSchema,
    verdict: verdictSchema.nullable(),
  }),
  /** Findings of the tamper detectors were looked at and are no cheating. */
  z.object({ kind: z.literal('resolve-findings'), target: targetSchema }),
  /** A suite has new task versions: earlier rows stay with the version they ran. */
  z.object({
    kind: z.literal('task-version'),
    target: slugSchema,
    from: digestSchema.nullable(),
    to: digestSchema,
    changed: z.array(slugSchema),
    added: z.array(slugSchema),
    removed: z.array(slugSchema),
  }),
])
export type LedgerAction = z.infer<typeof ledgerActionSchema>
export type LedgerKind = LedgerAction['kind']

/** False for what only records: it changes no row. */
export function changesBoards(kind: LedgerKind): boolean {
  return kind !== 'seal-run' && kind !== 'task-version'
}

export const LEDGER_KINDS = ledgerActionSchema.options.map((option) => option.shape.kind.value)
