import type { z } from 'zod'
import { recordAudit } from '../../db/audit-store.ts'
import { database } from '../../db/database.ts'
import { withDatabaseErrors } from '../../db/database-error.ts'
import type { Db, DbOrTx } from '../../db/db.ts'
import { findLastOfAll, listEntriesOn } from '../../db/ledger-store.ts'
import {
  findRegistrationOfRun,
  listRegistrations,
  type RegisterEntry,
  saveRegistration,
} from '../../db/plan-store.ts'
import { findRun, listRunsOfPlan } from '../../db/run-store.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { Actor } from '../../domain/accounts/index.ts'
import type { planRegistrationsSchema, registrationResponseSchema } from '../../domain/api/index.ts'
import { canonicalJson, type Digest } from '../../domain/digest/index.ts'
import {
  CLOCK_TOLERANCE_MS,
  type LedgerEntry,
  type RegisteredRun,
  type RegistrationRequest,
  readRegistrations,
  refuseRequest,
  type Sender,
} from '../../domain/ledger/index.ts'
import { AppError } from '../../errors.ts'

type RegistrationOrder = {
  request: RegistrationRequest
  sender: Sender
  actor: Actor
  requestId: string | null
  now: Date
}

/** `registered` = it was written; `known` = the same sender registered it before, nothing was written. */
export type Registered = { status: 'registered' | 'known'; entry: RegisterEntry }

/**
 * Writes a registration with its audit line. Throws an AppError with one sentence, and writes nothing, when it is
 * refused.
 */
export async function registerPlan(db: Db, order: RegistrationOrder): Promise<Registered> {
  const { request, now } = order
  const refusal = refuseRequest(request, now)
  if (refusal) throw refused('invalid-request', refusal)
  const wanted = normalise(request)
  const work = inTransaction(db, async (tx): Promise<Registered> => {
    const earlier = await listRegistrations(tx, wanted.planDigest)
    const same = earlier.find((entry) => isSame(entry, wanted, order.sender))
    if (same) return { status: 'known', entry: same }
    const conflict = await findConflict(tx, { ...wanted, earlier, again: request.again }, now)
    if (conflict) throw refused('conflict', conflict)
    const { sender, actor, requestId } = order
    const registration = { ...wanted, plan: request.plan ?? null, sender }
    const entry = await saveRegistration(tx, registration, await afterLast(tx, now))
    const detail = {
      entry: entry.sequence,
      runs: wanted.runs.map(({ runId }) => runId).slice(0, 20),
      expected: wanted.expected,
      body: sender.bodyDigest,
    }
    const target = wanted.planDigest
    await recordAudit(tx, { actor, action: 'plan.register', target, detail, requestId }, now)
    return { status: 'registered', entry }
  })
  return withDatabaseErrors(() => work)
}

type RequestedRegistration = { planDigest: Digest; runs: RegisteredRun[]; expected: number }

function normalise({
  plan,
  planDigest,
  runs,
  expected,
}: RegistrationRequest): RequestedRegistration {
  const digest = plan?.planDigest ?? planDigest
  if (!digest) throw new Error('a request that was checked names a plan')
  const named = runs.map(({ runId, shard }) => {
    return { runId, shard: shard && shard.count > 1 ? shard : null }
  })
  named.sort((a, b) => (a.runId < b.runId ? -1 : 1))
  return { planDigest: digest, runs: named, expected: expected ?? named.length }
}

function isSame(
  { action }: RegisterEntry,
  { runs, expected }: RequestedRegistration,
  sender: Sender,
): boolean {
  return (
    action.sender.voucher === sender.voucher &&
    action.expected === expected &&
    canonicalJson(action.runs) === canonicalJson(runs)
  )
}

type Question = RequestedRegistration & { earlier: readonly RegisterEntry[]; again: boolean }

async function findConflict(
  tx: DbOrTx,
  { planDigest, runs, earlier, again }: Question,
  now: Date,
): Promise<string | null> {
  const last = await findLastOfAll(tx)
  if (last && now.getTime() < Date.parse(last.at) - CLOCK_TOLERANCE_MS)
    return `the clock of this server is behind the last entry of its ledger, which is from ${last.at}: set it first`
  for (const { runId } of runs) {
    const run = await findRun(tx, runId)
    if (run && run.plan.planDigest !== planDigest) return `${runId} is a run of another plan`
    if (run) return `${runId} was already uploaded: register a plan before its first episode`
    const named = await findRegistrationOfRun(tx, runId)
    if (named) return `${runId} is already registered, by ${tell(named)}`
  }
  const [first] = earlier
  if (!first || again) return null
  return `this plan is already registered, by ${tell(first)}: to register more runs of it, use again (--again)`
}

function tell({ action, sequence }: RegisterEntry): string {
  return `${action.sender.name} in ledger entry ${sequence}`
}

/** Returns a time that is not before the ledger's last entry, even if the clock was set back slightly. */
async function afterLast(tx: DbOrTx, now: Date): Promise<Date> {
  const last = await findLastOfAll(tx)
  return new Date(Math.max(now.getTime(), last ? Date.parse(last.at) + 1 : 0))
}

function refused(code: 'conflict' | 'invalid-request', why: string): AppError {
  return new AppError(code, `Nothing was registered: ${why}.`)
}

/** Returns the state of a plan's registrations; null = the plan was never registered here. */
export async function getRegistrations(
  planDigest: string,
): Promise<z.infer<typeof planRegistrationsSchema> | null> {
  const entries = await listEntriesOfPlan(database(), planDigest)
  const book = readRegistrations(entries)
  const registrations = entries.flatMap((entry) => {
    const { action, sequence } = entry
    if (action.kind !== 'register' || action.target !== planDigest) return []
    const received = [...book.matched].flatMap(([runId, one]) =>
      one.sequence === sequence && !book.removed.has(runId) ? runId : [],
    )
    const removed = action.runs.flatMap(({ runId }) => (book.removed.has(runId) ? runId : []))
    return { ...describeRegistration({ ...entry, action }), received: received.sort(), removed }
  })
  const [first] = registrations
  return first ? { planDigest: first.planDigest, registrations } : null
}

/** Lists the ledger entries of a plan and its runs: no other entry decides which of them are expected. */
async function listEntriesOfPlan(db: Db, planDigest: string): Promise<LedgerEntry[]> {
  const registered = await listRegistrations(db, planDigest)
  const named = registered.flatMap(({ action }) => action.runs.map(({ runId }) => runId))
  if (registered.length === 0) return []
  const runs = new Set([...named, ...(await listRunsOfPlan(db, planDigest))])
  return listEntriesOn(db, [planDigest, ...runs])
}

type Described = Omit<
  z.infer<typeof registrationResponseSchema>,
  'status' | 'summary' | 'requestId'
>

/** Returns a ledger entry in the form of the API. */
export function describeRegistration({ action, sequence, at, hash }: RegisterEntry): Described {
  const { target: planDigest, plan, runs, expected, sender } = action
  const { voucher, name } = sender
  return { planDigest, sequence, receivedAt: at, hash, plan, runs, expected, voucher, sender: name }
}
