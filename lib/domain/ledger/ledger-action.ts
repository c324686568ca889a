import { z } from 'zod'
import { PROVENANCE_LEVELS } from '../board/episode-fact.ts'
import { verdictSchema } from '../contract.ts'
import { digestSchema } from '../digest.ts'
import { thresholdsSchema } from '../eligibility/policy.ts'
import { shardSchema } from '../expand-plan.ts'
import { instantSchema, slugSchema } from '../names.ts'
import { outcomeStatusSchema } from '../outcome.ts'
import { voucherSchema } from '../voucher.ts'
import {
  MOST_REGISTERED_RUNS,
  registeredPlanSchema,
  registeredRunSchema,
  senderSchema,
} from './registration-schema.ts'

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
    /** How it came in; absent in entries from before this was recorded. `frozenAt` is the plan's. */
    receipt: senderSchema
      .extend({ receivedAt: instantSchema, frozenAt: instantSchema.nullable() })
      .optional(),
    /** Who sent it (`lib/domain/voucher.ts`); absent = it was run here, or came in before senders were recorded. */
    voucher: voucherSchema.optional(),
    /** The policy in force when the run came in; absent = it came in before this was recorded. */
    policyVersion: z.number().int().positive().optional(),
  }),
  /** A frozen plan is known here before its first episode: these runs are owed. The entry's own time counts. */
  z.object({
    kind: z.literal('register'),
    target: digestSchema,
    plan: registeredPlanSchema.nullable(),
    runs: z.array(registeredRunSchema).max(MOST_REGISTERED_RUNS),
    /** Runs that are owed in all, also those without a name yet. */
    expected: z.number().int().min(1).max(MOST_REGISTERED_RUNS),
    sender: senderSchema,
  }),
  /** What a run held when it ended: its episodes' seals under one digest. A sealed run cannot lose an episode unseen. */
  z.object({
    kind: z.literal('seal-run'),
    target: targetSchema,
    episodes: z.number().int().nonnegative(),
    digest: digestSchema,
    /** Of who sent each episode and when it was received; see `digestReceipts`. Absent in older entries. */
    receipts: digestSchema.optional(),
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
    /** The suite's own thresholds, null = none; absent in older entries. */
    thresholds: thresholdsSchema.partial().nullable().optional(),
  }),
])
export type LedgerAction = z.infer<typeof ledgerActionSchema>
export type LedgerKind = LedgerAction['kind']

/** False for what only records: it changes no row. */
export function changesBoards(kind: LedgerKind): boolean {
  return kind !== 'seal-run' && kind !== 'task-version'
}

export const LEDGER_KINDS = ledgerActionSchema.options.map((option) => option.shape.kind.value)
