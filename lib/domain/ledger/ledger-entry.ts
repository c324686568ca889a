import { z } from 'zod'
import { type Digest, digestJson, digestSchema } from '../digest/index.ts'
import {
  instantSchema,
  isRunId,
  outcomeStatusSchema,
  PROVENANCE_LEVELS,
  runIdSchema,
  shardSchema,
  slugSchema,
  subjectSchema,
  verdictSchema,
} from '../record/index.ts'
import { settingsSchema } from '../settings/index.ts'
import { thresholdsSchema } from '../tasks/index.ts'
import { countOf } from '../text/index.ts'
import { formatVoucher, senderSchema, voucherSchema } from './voucher.ts'

export const MAX_REGISTERED_RUNS = 1000

/** A registered run; `shard` null = the entire plan. */
export const registeredRunSchema = z.object({ runId: runIdSchema, shard: shardSchema.nullable() })
export type RegisteredRun = z.infer<typeof registeredRunSchema>

/** The part of a plan that decides which row its runs belong to; null in an entry = registered by its digest alone. */
export const registeredPlanSchema = z.object({
  suiteId: slugSchema,
  suiteDigest: digestSchema,
  subject: subjectSchema,
  settings: settingsSchema,
  /** The entries of a plan with arms; absent = the plan has one entry. */
  entries: z.array(z.object({ subject: subjectSchema, settings: settingsSchema })).optional(),
  frozenAt: instantSchema,
  episodes: z.number().int().positive(),
})

/** Allowed clock difference in milliseconds by which an episode can appear to start before its registration. */
export const CLOCK_TOLERANCE_MS = 30_000

/** Rejects lone surrogates: they cannot be stored in a file, so the hash would never match. */
function textSchema(max: number) {
  const message = 'expected well-formed text'
  return z
    .string()
    .min(1)
    .max(max)
    .refine((text) => !/\p{Cs}/u.test(text), message)
}

const targetSchema = z.string().min(1).max(200)

/** Actions on published results. Each is a separate entry; the latest entry about a target applies. */
export const ledgerActionSchema = z.discriminatedUnion('kind', [
  /** The run counts on the board. A new entry after `remove` includes it again. */
  z.object({
    kind: z.literal('include'),
    target: targetSchema,
    planDigest: digestSchema,
    provenance: z.enum(PROVENANCE_LEVELS),
    shard: shardSchema.nullable(),
    /**
     * The sender of the run, and the digest of the bytes; absent in entries from before this was recorded. `frozenAt` is the
     * plan's.
     */
    receipt: senderSchema
      .extend({ receivedAt: instantSchema, frozenAt: instantSchema.nullable() })
      .optional(),
    /** The sender (`lib/domain/ledger/voucher.ts`); absent = run here, or received before senders were recorded. */
    voucher: voucherSchema.optional(),
    /** The policy in force when the run was received; absent in entries from before this was recorded. */
    policyVersion: z.number().int().positive().optional(),
  }),
  /**
   * A frozen plan was received before its first episode; all these runs have to be uploaded. The time of the entry
   * counts.
   */
  z.object({
    kind: z.literal('register'),
    target: digestSchema,
    plan: registeredPlanSchema.nullable(),
    runs: z.array(registeredRunSchema).max(MAX_REGISTERED_RUNS),
    /** Total number of runs to upload, including those without an id yet. */
    expected: z.number().int().min(1).max(MAX_REGISTERED_RUNS),
    sender: senderSchema,
  }),
  /** The content of a finished run: its episodes' seals under one digest, so that a lost episode is detected. */
  z.object({
    kind: z.literal('seal-run'),
    target: targetSchema,
    episodes: z.number().int().nonnegative(),
    digest: digestSchema,
    /** Digest of each episode's sender and time of receipt; see `digestReceipts`. Absent in older entries. */
    receipts: digestSchema.optional(),
  }),
  /** The run does not count and has no row; its page remains. */
  z.object({ kind: z.literal('remove'), target: targetSchema }),
  /** A run or row stays visible but is not ranked; an episode is excluded from scoring. */
  z.object({ kind: z.literal('invalidate'), target: targetSchema }),
  /** Undoes an `invalidate`. */
  z.object({ kind: z.literal('reinstate'), target: targetSchema }),
  /** An episode's result is replaced by the result of a regrade. */
  z.object({
    kind: z.literal('rescore'),
    target: targetSchema,
    from: outcomeStatusSchema,
    to: outcomeStatusSchema,
    verdict: verdictSchema.nullable(),
  }),
  /** Findings of the tamper detectors were reviewed and are not cheating. */
  z.object({ kind: z.literal('resolve-findings'), target: targetSchema }),
  /** A reviewer read the code of a row's own library, in the version and with the digests that the row names. */
  z.object({ kind: z.literal('accept-library'), target: targetSchema }),
  /** The suite has new task versions: earlier rows stay with the version they ran. */
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

/** One line of the public ledger. `hash` covers every other member; `previousHash` is the hash of the entry before. */
export const ledgerEntrySchema = z.object({
  sequence: z.number().int().positive(),
  at: instantSchema,
  /** `worker`, an account, or the name of an upload token. */
  author: textSchema(200),
  reason: textSchema(2000),
  action: ledgerActionSchema,
  previousHash: digestSchema.nullable(),
  hash: digestSchema,
})
export type LedgerEntry = z.infer<typeof ledgerEntrySchema>

/** A requested entry; the chain adds sequence, time and hashes. */
export const ledgerDraftSchema = ledgerEntrySchema.pick({
  author: true,
  reason: true,
  action: true,
})
export type LedgerDraft = z.infer<typeof ledgerDraftSchema>

/** Builds the entry that follows `previous`; null = the ledger is empty. */
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
export type LedgerAction = z.infer<typeof ledgerActionSchema>
export type LedgerKind = LedgerAction['kind']

/** False for entries that change no row. */
export function changesBoards(kind: LedgerKind): boolean {
  return kind !== 'seal-run' && kind !== 'task-version'
}

export const LEDGER_KINDS = ledgerActionSchema.options.map((option) => option.shape.kind.value)

/** The place of a break in the chain, counted from 1, and the problem in one sentence. */
type BrokenLink = { place: number; problem: string }

/**
 * Returns the first entry that was changed, removed, moved or inserted; null = the chain is intact. Entries cut off at
 * the end leave an intact chain: compare the last hash with one noted elsewhere. `before` = the entry before the first.
 */
export function findBrokenLink(
  entries: readonly LedgerEntry[],
  before: LedgerEntry | null = null,
): BrokenLink | null {
  let previous = before
  for (const [index, entry] of entries.entries()) {
    const expected = chainEntry(previous, entry, { now: entry.at })
    const problem = findProblem(entry, expected)
    if (problem) return { place: index + 1, problem }
    previous = entry
  }
  return null
}

/** Checks entries that need not be consecutive, each by its own hash; returns the first problem, or null. */
export function findChangedEntry(entries: readonly LedgerEntry[]): string | null {
  const changed = entries.find(({ hash, ...body }) => hash !== digestJson(body))
  return changed ? wasChanged(changed) : null
}

function wasChanged({ sequence }: LedgerEntry): string {
  return `entry ${sequence} was changed after it was written`
}

function findProblem(entry: LedgerEntry, expected: LedgerEntry): string | null {
  if (entry.sequence !== expected.sequence)
    return `entry ${expected.sequence} is missing: found entry ${entry.sequence} in its place`
  if (entry.previousHash !== expected.previousHash)
    return `entry ${entry.sequence} does not follow the entry before it`
  if (entry.hash !== expected.hash) return wasChanged(entry)
  return null
}

/** Digest of a run in `seal-run`: ids and seals of its episodes, in the order of the ids. */
export function digestRun(episodes: readonly { episodeId: string; seal: string }[]): Digest {
  const pairs = episodes.map(({ episodeId, seal }) => [episodeId, seal])
  return digestJson(pairs.sort(([a = ''], [b = '']) => (a < b ? -1 : a > b ? 1 : 0)))
}

/** Digest of a run's receipts in `seal-run`: each episode's sender and time of receipt, in the order of the ids. */
export function digestReceipts(
  receipts: readonly { episodeId: string; provenance: string; receivedAt: string }[],
): Digest {
  const rows = receipts.map(({ episodeId, provenance, receivedAt }) => [
    episodeId,
    provenance,
    receivedAt,
  ])
  return digestJson(rows.sort(([a = ''], [b = '']) => (a < b ? -1 : a > b ? 1 : 0)))
}

/** Details of an entry beyond its kind and target; empty if none. */
export function describeAction(action: LedgerAction): string {
  switch (action.kind) {
    case 'include':
      return describeInclude(action)
    case 'seal-run':
      return `${countOf(action.episodes, 'episode')}`
    case 'rescore':
      return `${action.from} → ${action.to}`
    case 'task-version': {
      const { changed, added, removed } = action
      const parts = Object.entries({ changed, added, removed })
        .filter(([, ids]) => ids.length > 0)
        .map(([word, ids]) => `${ids.length} ${word}`)
      return `tasks: ${parts.join(', ') || 'unchanged'}`
    }
    case 'register': {
      const { expected, sender, plan } = action
      const runs = `${countOf(expected, 'run')}`
      return `${runs} of ${plan ? plan.subject.name : 'a plan registered by digest only'}, by ${sender.name}`
    }
    case 'remove':
    case 'invalidate':
    case 'reinstate':
    case 'resolve-findings':
    case 'accept-library':
      return ''
  }
}

function describeInclude({ provenance, shard, voucher }: LedgerAction & { kind: 'include' }) {
  return [
    `provenance ${provenance}`,
    ...(voucher === undefined || voucher === 'manual' ? [] : [formatVoucher(voucher)]),
    ...(shard ? [`shard ${shard.index} of ${shard.count}`] : []),
  ].join(', ')
}

type Version = {
  suiteId: string
  digest: Digest
  tasks: readonly { taskId: string; digest: string }[]
}

/** Describes a suite's new version for its entry; `earlier` null = the suite is new. Task ids are sorted. */
export function compareVersions(
  earlier: Version | null,
  { suiteId, digest, tasks }: Version,
): LedgerAction & { kind: 'task-version' } {
  const was = new Map(earlier?.tasks.map((task) => [task.taskId, task.digest]))
  const is = new Map(tasks.map((task) => [task.taskId, task.digest]))
  const ids = [...new Set([...was.keys(), ...is.keys()])].sort()
  return {
    kind: 'task-version',
    target: suiteId,
    from: earlier?.digest ?? null,
    to: digest,
    changed: ids.filter((id) => was.has(id) && is.has(id) && was.get(id) !== is.get(id)),
    added: ids.filter((id) => !was.has(id)),
    removed: ids.filter((id) => !is.has(id)),
  }
}

const KINDS = {
  run: isRunId,
  row: (text: string) => /^row_[0-9a-f]{24}$/.test(text),
  episode: (text: string) => /^ep_[0-9a-f]{32}$/.test(text),
} as const

/** Returns the kind of an entry's target from its prefix; null = a suite or unknown. */
export function targetKind(target: string): keyof typeof KINDS | null {
  const kinds = ['run', 'row', 'episode'] as const
  return kinds.find((kind) => KINDS[kind](target)) ?? null
}
