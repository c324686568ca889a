import { z } from 'zod'
import {
  EXECUTORS,
  type ExecutorName,
  executorSender,
  SHARD_STATES,
  type ShardState,
} from '../domain/executors/index.ts'
import { expandPlan, type Plan } from '../domain/record/index.ts'
import { withDatabaseErrors } from './database-error.ts'
import type { Db, DbOrTx } from './db.ts'
import type { RemoteRun as RemoteRow, RemoteShard as ShardRow } from './generated/sqlite/client.ts'
import { findRegistrationOfRun, savePlan, saveRegistration } from './plan-store.ts'
import { afterLastEntry } from './results-store.ts'
import { runColumns } from './run-store.ts'
import { inTransaction } from './transaction.ts'

export type RemoteShard = Omit<ShardRow, 'state' | 'journal'> & {
  state: ShardState
  /** Journal lines of attempts that its last try began and has not finished. */
  journal: string[]
}

/** A run on other machines, without the hash of its token. */
export type RemoteRun = Omit<RemoteRow, 'executor' | 'tokenHash'> & {
  executor: ExecutorName
  parts: RemoteShard[]
}

/** Sender of the results of an executor's runs, as stored in ledger and rows. */
export type RemoteSender = { provenance: 'token' | 'oidc'; voucher: string; name: string }

/** Returns the sender of runs whose shards report with a run token. */
export function tokenSender(executor: ExecutorName): RemoteSender {
  const voucher = `token:${executorSender(executor)}`
  return { provenance: 'token', voucher, name: `${executor} executor` }
}

type NewRemoteRun = {
  runId: string
  jobId: string
  plan: Plan
  executor: ExecutorName
  shards: number
  tokenHash: string
  tokenExpiresAt: Date
  sender: RemoteSender
  /** False = its results create the run, as an upload does. */
  ownsRun: boolean
}

/**
 * Stores a run on other machines and registers its plan in one transaction, before any shard can start. Idempotent,
 * also after a kill.
 */
export async function createRemoteRun(db: Db, remote: NewRemoteRun, now: Date): Promise<void> {
  const { runId, jobId, plan, executor, shards, tokenHash, tokenExpiresAt, sender } = remote
  const work = inTransaction(db, async (tx) => {
    if (await tx.remoteRun.findUnique({ where: { runId } })) return
    await savePlan(tx, plan)
    if (remote.ownsRun) {
      const { provenance, voucher } = sender
      await tx.run.create({ data: runColumns({ runId, plan, provenance, voucher }, now) })
      await tx.job.updateMany({ where: { id: jobId, runId: null }, data: { runId } })
    }
    if (!(await findRegistrationOfRun(tx, runId))) {
      const { planDigest } = plan
      const runs = [{ runId, shard: null }]
      const registration = { planDigest, plan, runs, expected: 1 }
      const at = await afterLastEntry(tx, now)
      await saveRegistration(tx, { ...registration, sender: { ...sender, bodyDigest: null } }, at)
    }
    const data = { runId, executor, shards, tokenHash, tokenExpiresAt, createdAt: now }
    await tx.remoteRun.create({ data })
    await tx.remoteShard.createMany({
      data: Array.from({ length: shards }, (_, index) => ({
        runId,
        number: index + 1,
        state: 'waiting',
        planned: expandPlan(plan, { index: index + 1, count: shards }).length,
      })),
    })
  })
  await withDatabaseErrors(() => work)
}

const withParts = { parts: { orderBy: { number: 'asc' } } } as const

export async function findRemoteRun(db: DbOrTx, runId: string): Promise<RemoteRun | null> {
  const row = await db.remoteRun.findUnique({ where: { runId }, include: withParts })
  return row && toRemote(row)
}

/** Finds the run of a token, valid or not. */
export async function findRemoteRunByToken(
  db: DbOrTx,
  tokenHash: string,
): Promise<RemoteRun | null> {
  const row = await db.remoteRun.findUnique({ where: { tokenHash }, include: withParts })
  return row && toRemote(row)
}

/** Replaces a run's token; the previous one becomes invalid. */
export async function replaceRunToken(
  db: DbOrTx,
  runId: string,
  { hash, expiresAt }: { hash: string; expiresAt: Date },
): Promise<void> {
  const data = { tokenHash: hash, tokenExpiresAt: expiresAt, tokenRevokedAt: null }
  await db.remoteRun.update({ where: { runId }, data })
}

/** Stores the executor's own id of a run. */
export async function saveEngineId(
  db: DbOrTx,
  runId: string,
  { engineId, engineUrl }: { engineId: string | null; engineUrl: string | null },
): Promise<void> {
  await db.remoteRun.update({ where: { runId }, data: { engineId, engineUrl } })
}

export type ShardChange = Partial<
  Pick<
    ShardRow,
    'host' | 'sealed' | 'reason' | 'startedAt' | 'reportedAt' | 'endedAt' | 'tries'
  > & { state: ShardState; journal: readonly string[] }
>

/** Updates a shard; with `from` only in one of these states. False = it was in another. */
export async function changeShard(
  db: DbOrTx,
  { runId, number, from }: { runId: string; number: number; from?: readonly ShardState[] },
  { journal, ...change }: ShardChange,
): Promise<boolean> {
  const where = { runId, number, ...(from && { state: { in: [...from] } }) }
  const data = { ...change, ...(journal && { journal: journal.join('\n') }) }
  return (await db.remoteShard.updateMany({ where, data })).count === 1
}

/** Ends a launch on an executor: no shard can report to it any more, and a resumed run is launched again. */
export async function endLaunch(db: DbOrTx, runId: string, now: Date): Promise<void> {
  await db.remoteRun.updateMany({
    where: { runId, tokenRevokedAt: null },
    data: { tokenRevokedAt: now },
  })
  const data = { engineId: null, launch: { increment: 1 } }
  await db.remoteRun.update({ where: { runId }, data })
}

/** Resets shards that ended without finishing, for a run that is resumed. */
export async function reopenShards(db: DbOrTx, runId: string): Promise<void> {
  await db.remoteShard.updateMany({
    where: { runId, state: { not: 'done' } },
    data: { state: 'waiting', endedAt: null, reason: null },
  })
}

function toRemote({ tokenHash: _, ...row }: RemoteRow & { parts: ShardRow[] }): RemoteRun {
  const executor = z.enum(EXECUTORS).parse(row.executor)
  const parts = row.parts.map((part) => ({
    ...part,
    state: z.enum(SHARD_STATES).parse(part.state),
    journal: part.journal === '' ? [] : part.journal.split('\n'),
  }))
  return { ...row, executor, parts }
}
