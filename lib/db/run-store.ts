import { PROVENANCE_LEVELS, type Provenance } from '#lib/domain/board/episode-fact.ts'
import type { Digest } from '#lib/domain/digest.ts'
import { type Shard, shardSchema } from '#lib/domain/expand-plan.ts'
import { isFrozen, type Plan } from '#lib/domain/plan.ts'
import type { Voucher } from '#lib/domain/voucher.ts'
import { AppError } from '#lib/errors.ts'
import { withDatabaseErrors } from './database-error.ts'
import type { Db, DbOrTx } from './open-db.ts'
import { planFromRow, savePlan } from './plan-store.ts'
import { registerLocalRun } from './registration-store.ts'

export type RunRecord = {
  runId: string
  plan: Plan
  provenance: Provenance
  /** Who sent it; null = it was run here, or that is not known. */
  voucher: Voucher | null
  /** Null = the run is expected to hold its whole plan. */
  shard: Shard | null
  createdAt: string
}

export type NewRun = Omit<RunRecord, 'createdAt' | 'shard' | 'voucher'> & {
  voucher?: Voucher | null
  shard?: Shard | undefined
  jobId: string | null
  /** Set = it is about to start on this machine and is registered now, in the public ledger under this name. */
  registeredBy?: string
}

/** Keeps a run with its plan and ties it to its job. Saving it again changes nothing; another plan is a conflict. */
export async function saveRun(db: Db, run: NewRun, now: Date): Promise<void> {
  const { runId, plan, provenance, jobId, shard } = run
  const work = db.$transaction(async (tx) => {
    const earlier = await tx.run.findUnique({ where: { runId } })
    if (earlier && earlier.planDigest !== plan.planDigest) {
      throw new AppError('conflict', `${runId} is already stored with another plan`)
    }
    await savePlan(tx, plan)
    if (!earlier) await tx.run.create({ data: runColumns({ runId, plan, provenance, shard }, now) })
    if (run.registeredBy !== undefined && isFrozen(plan))
      await registerLocalRun(tx, { runId, plan, shard, by: run.registeredBy }, now)
    if (jobId) await tx.job.updateMany({ where: { id: jobId, runId: null }, data: { runId } })
  })
  await withDatabaseErrors(() => work)
}

/** Every column of a new run's row. */
export function runColumns(run: Omit<NewRun, 'jobId' | 'registeredBy'>, now: Date) {
  const { runId, plan, provenance, shard, voucher = null } = run
  const { planDigest, suiteId } = plan
  const part = shard && shard.count > 1 ? `${shard.index}/${shard.count}` : null
  return { runId, planDigest, suiteId, provenance, voucher, shard: part, createdAt: now }
}

export async function findRun(db: DbOrTx, runId: string): Promise<RunRecord | null> {
  const row = await db.run.findUnique({ where: { runId }, include: { plan: true } })
  return row && toRun(row)
}

/** The newest runs first; `suiteId` narrows them to one suite. */
export async function listRuns(
  db: DbOrTx,
  { limit, suiteId }: { limit: number; suiteId?: string | undefined },
): Promise<RunRecord[]> {
  const rows = await db.run.findMany({
    ...(suiteId && { where: { suiteId } }),
    include: { plan: true },
    orderBy: [{ createdAt: 'desc' }, { runId: 'desc' }],
    take: limit,
  })
  return rows.map(toRun)
}

/** Every run of one version of a suite: what its board expects to be complete. */
export async function listRunsOfSuite(db: DbOrTx, suiteDigest: Digest): Promise<RunRecord[]> {
  const where = { plan: { suiteDigest } }
  const rows = await db.run.findMany({ where, include: { plan: true }, orderBy: { runId: 'asc' } })
  return rows.map(toRun)
}

export async function countRuns(db: DbOrTx): Promise<number> {
  return db.run.count()
}

type Row = {
  runId: string
  provenance: string
  voucher: string | null
  shard: string | null
  createdAt: Date
  plan: { document: string }
}

export function toRun(row: Row): RunRecord {
  return {
    runId: row.runId,
    plan: planFromRow(row.plan),
    provenance: toProvenance(row.provenance),
    voucher: row.voucher,
    shard: parseShard(row.shard),
    createdAt: row.createdAt.toISOString(),
  }
}

/** `i/n`, or null for the whole plan, as this room keeps it. */
export function parseShard(text: string | null): Shard | null {
  if (text === null) return null
  const [index, count] = text.split('/').map(Number)
  return shardSchema.parse({ index, count })
}

export function toProvenance(text: string): Provenance {
  const level = PROVENANCE_LEVELS.find((known) => known === text)
  if (level) return level
  throw new AppError('database-unusable', `the database holds an unknown provenance: ${text}`)
}
