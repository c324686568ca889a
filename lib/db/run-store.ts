import type { Digest } from '../domain/digest/index.ts'
import type { Voucher } from '../domain/ledger/index.ts'
import {
  type AnyPlan,
  instantSchema,
  isFrozen,
  PROVENANCE_LEVELS,
  type Provenance,
  type Shard,
  shardSchema,
} from '../domain/record/index.ts'
import type { SealedTimes, Spend } from '../domain/runs/index.ts'
import { AppError } from '../errors.ts'
import { withDatabaseErrors } from './database-error.ts'
import type { Db, DbOrTx } from './db.ts'
import { jsonMember } from './dialect.ts'
import { Prisma } from './generated/sqlite/client.ts'
import { type Job, toJob } from './job-store.ts'
import { planFromRow, registerLocalRun, savePlan } from './plan-store.ts'
import { inTransaction } from './transaction.ts'

export type RunRecord = {
  runId: string
  plan: AnyPlan
  provenance: Provenance
  /** The sender; null = it was run here, or is unknown. */
  voucher: Voucher | null
  /** Null = the run is expected to contain its whole plan. */
  shard: Shard | null
  createdAt: string
}

/** Lists the ids of the stored runs of a plan. */
export async function listRunsOfPlan(db: DbOrTx, planDigest: string): Promise<string[]> {
  const rows = await db.run.findMany({ where: { planDigest }, select: { runId: true } })
  return rows.map(({ runId }) => runId)
}

type NewRun = Omit<RunRecord, 'createdAt' | 'shard' | 'voucher'> & {
  voucher?: Voucher | null
  shard?: Shard | undefined
  jobId: string | null
  /** Set = the run is about to start on this machine; registers it in the public ledger under this name. */
  registeredBy?: string
}

/** Stores a run with its plan and its job. Saving it again changes nothing; another plan is a conflict. */
export async function saveRun(db: Db, run: NewRun, now: Date): Promise<void> {
  const { runId, plan, provenance, jobId, shard } = run
  const work = inTransaction(db, async (tx) => {
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

/** Returns every column of a new run's row. */
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

/** Lists the runs of one suite version, which its board expects to be complete. */
export async function listRunsOfSuite(db: DbOrTx, suiteDigest: Digest): Promise<RunRecord[]> {
  const where = { plan: { suiteDigest } }
  const rows = await db.run.findMany({ where, include: { plan: true }, orderBy: { runId: 'asc' } })
  return rows.map(toRun)
}

/** Returns the plans of those runs with these ids. */
export async function findRunsOfSuite(
  db: DbOrTx,
  suiteDigest: Digest,
  runIds: readonly string[],
): Promise<Pick<RunRecord, 'runId' | 'plan'>[]> {
  const found: Pick<RunRecord, 'runId' | 'plan'>[] = []
  for (let at = 0; at < runIds.length; at += MAX_AT_ONCE) {
    // Raw SQL, for every run that arrives: Prisma uses two statements, and more time than the database.
    const rows = await db.$queryRaw<{ runId: string; document: string }[]>`
      SELECT r."runId", p."document" FROM "Run" AS r JOIN "Plan" AS p ON p."planDigest" = r."planDigest"
      WHERE r."runId" IN (${Prisma.join(runIds.slice(at, at + MAX_AT_ONCE))})
        AND p."suiteDigest" = ${suiteDigest}`
    for (const row of rows) found.push({ runId: row.runId, plan: planFromRow(row) })
  }
  return found
}

/** Parameters per statement. */
const MAX_AT_ONCE = 500

/** Counts runs that were uploaded or queued: all except those of the command line in this data folder. */
export async function countReceivedRuns(db: DbOrTx): Promise<number> {
  return db.run.count({ where: { NOT: { provenance: 'local', job: { is: null } } } })
}

type SubjectOnSuite = { suiteId: string; digest: Digest; subject: string }

/** Returns whether this server's queue ran a subject only on earlier versions of a suite, not on version `digest`. */
export async function isOnEarlierVersionOnly(
  db: DbOrTx,
  { suiteId, digest, subject }: SubjectOnSuite,
): Promise<boolean> {
  const plan = { suiteId, subject: { name: subject } }
  const earlier = { plan: { ...plan, suiteDigest: { not: digest } }, job: { isNot: null } }
  if ((await db.run.count({ where: earlier })) === 0) return false
  return (await db.run.count({ where: { plan: { ...plan, suiteDigest: digest } } })) === 0
}

type Row = {
  runId: string
  provenance: string
  voucher: string | null
  shard: string | null
  createdAt: Date
  plan: { document: string }
}

function toRun(row: Row): RunRecord {
  return {
    runId: row.runId,
    plan: planFromRow(row.plan),
    provenance: toProvenance(row.provenance),
    voucher: row.voucher,
    shard: parseShard(row.shard),
    createdAt: row.createdAt.toISOString(),
  }
}

/** Parses a stored `i/n`, or null for the whole plan. */
export function parseShard(text: string | null): Shard | null {
  if (text === null) return null
  const [index, count] = text.split('/').map(Number)
  return shardSchema.parse({ index, count })
}

export function toProvenance(text: string): Provenance {
  const level = PROVENANCE_LEVELS.find((known) => known === text)
  if (level) return level
  throw new AppError('database-unusable', `the database contains an unknown provenance: ${text}`)
}

type Options = {
  suiteId?: string | undefined
  after: readonly [at: string, id: string] | null
  limit: number
}

/** Lists runs after a list position, latest first. */
export async function listRunsAfter(
  db: DbOrTx,
  { suiteId, after, limit }: Options,
): Promise<RunRecord[]> {
  const rows = await db.run.findMany({
    where: { ...(suiteId && { suiteId }), ...listedAfter('createdAt', 'runId', after) },
    include: { plan: true },
    orderBy: [{ createdAt: 'desc' }, { runId: 'desc' }],
    take: limit,
  })
  return rows.map(toRun)
}

/** Lists jobs without a run after a list position, latest first. */
export async function listQueuedJobsAfter(
  db: DbOrTx,
  { suiteId, after, limit }: Options,
): Promise<Job[]> {
  // The payload is JSON of this server, with its suite id written as this text.
  const named = suiteId && { payload: { contains: `"suiteId":${JSON.stringify(suiteId)}` } }
  const rows = await db.job.findMany({
    where: { runId: null, ...named, ...listedAfter('createdAt', 'id', after) },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    take: limit,
  })
  return rows.map(toJob)
}

/**
 * Filters a newest-first list to what follows a position; new items do not shift it. Throws an AppError for a position
 * of another list.
 */
export function listedAfter<T extends string, I extends string>(
  time: T,
  id: I,
  after: readonly [at: string, id: string] | null,
): object {
  if (after === null) return {}
  const at = instantSchema.safeParse(after[0])
  if (!at.success)
    throw new AppError(
      'invalid-request',
      'cursor: it belongs to another list. Start again without a cursor.',
    )
  const moment = new Date(at.data)
  return {
    // The alternatives alone would read an index from its start.
    [time]: { lte: moment },
    OR: [{ [time]: { lt: moment } }, { [time]: moment, [id]: { lt: after[1] } }],
  }
}

/**
 * Sums the duration of a run's scored attempts, and the cost of all sealed ones: an interrupted attempt was paid too,
 * but does not predict the duration of the next.
 */
export async function sumAttempts(
  db: DbOrTx,
  runId: string,
): Promise<{ times: SealedTimes; spend: Spend }> {
  type Row = Record<'count' | 'timed' | 'sumMs' | 'sumSquaresMs', number | bigint | null> & {
    cost: number | bigint | null
    metered: number | bigint
  }
  const cost = jsonMember(db, 'fact', 'costMicroUsd')
  const [row] = await db.$queryRaw<Row[]>`
    SELECT COUNT(*) AS "count", COUNT("ms") AS "timed", SUM("ms") AS "sumMs", SUM("ms" * "ms") AS "sumSquaresMs",
      SUM("cost") AS "cost", COUNT("cost") AS "metered"
    FROM (
      SELECT CASE WHEN "status" NOT IN ('void', 'cancelled') THEN "totalMs" END AS "ms",
        CAST(${cost} AS NUMERIC) AS "cost"
      FROM "Episode" WHERE "runId" = ${runId}) AS "attempts"`
  const count = Number(row?.count ?? 0)
  return {
    times: {
      count: Number(row?.timed ?? 0),
      sumMs: Number(row?.sumMs ?? 0),
      sumSquaresMs: Number(row?.sumSquaresMs ?? 0),
    },
    spend: {
      microUsd: row?.cost == null ? null : Number(row.cost),
      unmetered: count - Number(row?.metered ?? 0),
    },
  }
}

/** Returns whether a run is stored here. */
export async function hasRun(db: DbOrTx, runId: string): Promise<boolean> {
  return (await db.run.findUnique({ where: { runId }, select: { runId: true } })) !== null
}
