import type { Digest } from '#lib/domain/digest.ts'
import { countSlots, type Shard } from '#lib/domain/expand-plan.ts'
import type { LedgerAction } from '#lib/domain/ledger/ledger-action.ts'
import type { LedgerEntry } from '#lib/domain/ledger/ledger-entry.ts'
import type { RegisteredRun, Sender } from '#lib/domain/ledger/registration-schema.ts'
import { THIS_SERVER } from '#lib/domain/ledger/voucher-key.ts'
import type { FrozenPlan } from '#lib/domain/plan.ts'
import { withDatabaseErrors } from './database-error.ts'
import { appendLedger, listEntriesOn } from './ledger-store.ts'
import type { Db, DbOrTx } from './open-db.ts'
import { planFromRow, savePlan } from './plan-store.ts'

type RegisterAction = LedgerAction & { kind: 'register' }
export type RegisterEntry = LedgerEntry & { action: RegisterAction }

type NewRegistration = {
  planDigest: Digest
  /** Null = registered by its digest alone. */
  plan: FrozenPlan | null
  runs: readonly RegisteredRun[]
  expected: number
  sender: Sender
}

/** Writes a registration into the ledger and stores the plan, if it came along. Call it inside a transaction. */
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

async function describePlan(tx: DbOrTx, plan: FrozenPlan): Promise<RegisterAction['plan']> {
  await savePlan(tx, plan)
  const { planDigest, suiteId, suiteDigest, subject, settings } = plan
  // The same plan may have been frozen before: the ledger vouches for the document that is stored.
  const row = await tx.plan.findUniqueOrThrow({ where: { planDigest } })
  const frozenAt = planFromRow(row).frozenAt ?? plan.frozenAt
  return { suiteId, suiteDigest, subject, settings, frozenAt, episodes: countSlots(plan) }
}

/** Every registration of a plan, oldest first. */
export async function listRegistrations(db: DbOrTx, planDigest: string): Promise<RegisterEntry[]> {
  const entries = await listEntriesOn(db, [planDigest])
  return entries.flatMap((entry) => (isRegister(entry) ? entry : []))
}

/** The registration that names a run; null = none does. */
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

/** Of these runs those that a registration by another sender names. */
export async function listForeignRuns(
  db: DbOrTx,
  runIds: readonly string[],
  voucher: string,
): Promise<Set<string>> {
  const foreign = new Set<string>()
  for (const runId of runIds) {
    const named = await findRegistrationOfRun(db, runId)
    if (named && named.action.sender.voucher !== voucher) foreign.add(runId)
  }
  return foreign
}

type LocalRun = { runId: string; plan: FrozenPlan; shard?: Shard | undefined; by: string }

/** Registers a run that is about to start on this machine; nothing where that was done. Inside a transaction. */
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

/** A run of this machine that ended before anything was measured is owed no longer; the ledger says so. */
export async function withdrawEmptyRun(db: Db, runId: string, now: Date): Promise<void> {
  const work = db.$transaction(async (tx) => {
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
