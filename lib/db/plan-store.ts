import { canonicalJson, type Digest } from '../domain/digest/index.ts'
import {
  isSameSender,
  type LedgerAction,
  type LedgerEntry,
  type RegisteredRun,
  type Sender,
  THIS_SERVER,
} from '../domain/ledger/index.ts'
import {
  type AnyPlan,
  anyPlanSchema,
  countSlots,
  digestPlan,
  entriesOf,
  type Plan,
  planSchema,
  type Shard,
} from '../domain/record/index.ts'
import { formatIssues, problemLines } from '../domain/text/index.ts'
import { AppError } from '../errors.ts'
import { withDatabaseErrors } from './database-error.ts'
import type { Db, DbOrTx } from './db.ts'
import { appendLedger, listEntriesOn } from './ledger-store.ts'
import { saveSubject, subjectId } from './subject-store.ts'
import { inTransaction } from './transaction.ts'

/** Parses a frozen plan. Throws when it is invalid or was edited after freezing. */
export function parsePlan(input: unknown): Plan {
  const parsed = planSchema.safeParse(input)
  if (!parsed.success) {
    const lines = problemLines(formatIssues(parsed.error.issues), 3)
    throw new AppError('invalid-request', `the plan cannot be read: ${lines.join('; ')}`)
  }
  if (digestPlan(parsed.data) === parsed.data.planDigest) return parsed.data
  throw new AppError(
    'invalid-request',
    'the plan does not match its digest: it was edited after it was frozen',
  )
}

/** Returns the plan of a stored run, byte for byte; null = no such run. */
export async function findPlanText(db: DbOrTx, runId: string): Promise<string | null> {
  const run = await db.run.findUnique({ where: { runId }, select: { plan: true } })
  return run?.plan.document ?? null
}

/** Stores a plan, unless it is stored already. */
export async function savePlan(tx: DbOrTx, plan: AnyPlan): Promise<void> {
  const { planDigest } = plan
  await saveSubject(tx, plan.subject)
  await tx.plan.upsert({ where: { planDigest }, create: planColumns(plan), update: {} })
}

/** Returns every column of a plan's row, for saving and for checking a database. */
export function planColumns(plan: AnyPlan) {
  const { planDigest, suiteId, suiteDigest, repetitions } = plan
  return {
    planDigest,
    suiteId,
    suiteDigest,
    subjectId: subjectId(plan.subject),
    repetitions,
    planned: countSlots(plan),
    frozenAt: plan.frozenAt === null ? null : new Date(plan.frozenAt),
    document: canonicalJson(plan),
  }
}

export function planFromRow(row: { document: string }): AnyPlan {
  return anyPlanSchema.parse(JSON.parse(row.document))
}

type RegisterAction = LedgerAction & { kind: 'register' }
export type RegisterEntry = LedgerEntry & { action: RegisterAction }

type NewRegistration = {
  planDigest: Digest
  /** Null = only its digest is registered. */
  plan: Plan | null
  runs: readonly RegisteredRun[]
  expected: number
  sender: Sender
}

/** Writes a registration into the ledger and stores the plan, if provided. Call it inside a transaction. */
export async function saveRegistration(
  tx: DbOrTx,
  { planDigest, plan, runs, expected, sender }: NewRegistration,
  now: Date,
): Promise<RegisterEntry> {
  const action: RegisterAction = {
    kind: 'register',
    target: planDigest,
    plan: plan && (await describePlan(tx, plan)),
    runs: [...runs],
    expected,
    sender,
  }
  const reason = 'the plan is registered before its first episode'
  const entry = await appendLedger(tx, { author: sender.name.slice(0, 200), reason, action }, now)
  return { ...entry, action }
}

async function describePlan(tx: DbOrTx, plan: Plan): Promise<RegisterAction['plan']> {
  await savePlan(tx, plan)
  const { planDigest, suiteId, suiteDigest, subject, settings } = plan
  const entries = plan.arms && { entries: entriesOf(plan) }
  // The plan may be stored already: the ledger records the stored document.
  const row = await tx.plan.findUniqueOrThrow({ where: { planDigest } })
  const frozenAt = planFromRow(row).frozenAt ?? plan.frozenAt
  const about = { suiteId, suiteDigest, subject, settings, ...entries }
  return { ...about, frozenAt, episodes: countSlots(plan) }
}

/** Lists registrations of a plan, oldest first. */
export async function listRegistrations(db: DbOrTx, planDigest: string): Promise<RegisterEntry[]> {
  const entries = await listEntriesOn(db, [planDigest])
  return entries.flatMap((entry) => (isRegister(entry) ? entry : []))
}

/** Returns the registration that names a run; null = none does. */
export async function findRegistrationOfRun(
  db: DbOrTx,
  runId: string,
): Promise<RegisterEntry | null> {
  const where = { kind: 'register', action: { contains: JSON.stringify(runId) } }
  const rows = await db.ledgerEntry.findMany({ where, select: { target: true } })
  const targets = [...new Set(rows.map(({ target }) => target))]
  const entries = await listEntriesOn(db, targets)
  return (
    entries
      .flatMap((entry) => (isRegister(entry) ? entry : []))
      .find(({ action }) => action.runs.some((run) => run.runId === runId)) ?? null
  )
}

/** Lists those of these runs that another sender registered. */
export async function listForeignRuns(
  db: DbOrTx,
  runIds: readonly string[],
  sender: Pick<Sender, 'voucher' | 'account'>,
): Promise<Set<string>> {
  const foreign = new Set<string>()
  for (const runId of runIds) {
    const named = await findRegistrationOfRun(db, runId)
    if (named && !isSameSender(named.action.sender, sender)) foreign.add(runId)
  }
  return foreign
}

type LocalRun = { runId: string; plan: Plan; shard?: Shard | undefined; by: string }

/** Registers a run that is about to start on this machine, unless it is registered. Inside a transaction. */
export async function registerLocalRun(
  tx: DbOrTx,
  { runId, plan, shard, by }: LocalRun,
  now: Date,
): Promise<void> {
  if (await findRegistrationOfRun(tx, runId)) return
  const sender: Sender = {
    provenance: 'local',
    voucher: THIS_SERVER,
    name: by,
    bodyDigest: null,
  }
  const part = shard && shard.count > 1 ? shard : null
  const runs = [{ runId, shard: part }]
  await saveRegistration(tx, { planDigest: plan.planDigest, plan, runs, expected: 1, sender }, now)
}

/** Withdraws the registration of a local run that ended before anything was measured, in the ledger. */
export async function withdrawEmptyRun(db: Db, runId: string, now: Date): Promise<void> {
  const work = inTransaction(db, async (tx) => {
    const episode = await tx.episode.findFirst({ where: { runId }, select: { episodeId: true } })
    if (episode !== null || !(await findRegistrationOfRun(tx, runId))) return
    const earlier = await listEntriesOn(tx, [runId])
    if (earlier.at(-1)?.action.kind === 'remove') return
    const reason = 'the run ended before its first episode: nothing was measured'
    await appendLedger(
      tx,
      { author: 'server', reason, action: { kind: 'remove', target: runId } },
      now,
    )
  })
  await withDatabaseErrors(() => work)
}

function isRegister(entry: LedgerEntry): entry is RegisterEntry {
  return entry.action.kind === 'register'
}
