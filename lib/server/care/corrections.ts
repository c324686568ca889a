import { type AuditRecord, recordAudit } from '../../db/audit-store.ts'
import { findRowSubject, hasRow } from '../../db/board-store.ts'
import { database } from '../../db/database.ts'
import { withDatabaseErrors } from '../../db/database-error.ts'
import type { DbOrTx } from '../../db/db.ts'
import { findEpisode } from '../../db/episode-store.ts'
import { appendLedger, listEntriesOn, listLedger } from '../../db/ledger-store.ts'
import { copyRegradesOf, listRegrades } from '../../db/regrade-store.ts'
import { findRun } from '../../db/run-store.ts'
import { describeInclude } from '../../db/seal-run.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { Actor } from '../../domain/accounts/index.ts'
import {
  type CorrectionNote,
  type CorrectionOffer,
  correctionNotes,
} from '../../domain/api/index.ts'
import { listIncluded } from '../../domain/board/index.ts'
import {
  applyLedger,
  type CorrectionTarget,
  type LedgerAction,
  type LedgerEntry,
  ledgerDraftSchema,
  refuseCorrection,
  targetKind,
} from '../../domain/ledger/index.ts'
import { listDisagreeing } from '../../domain/record/index.ts'
import { formatIssues, problemLines } from '../../domain/text/index.ts'
import { env } from '../../env.ts'
import { AppError } from '../../errors.ts'

/** The ledger is public, so it names the role. The audit log names the person. */
const PUBLIC_AUTHOR = 'administrator'

type Request = { kind: CorrectionOffer; target: string; reason: string }

/** Writes a correction by a signed-in administrator together with its audit line. Throws an AppError. */
export async function requestCorrection(
  { kind, target, reason }: Request,
  audit: { actor: Actor; requestId: string | null },
): Promise<LedgerEntry> {
  const action =
    kind === 'rescore' ? await describeOwnRescore(target) : await describeCorrection(kind, target)
  return correct({ author: PUBLIC_AUTHOR, reason, action, audit })
}

type Rescore = LedgerAction & { kind: 'rescore' }

/** Returns what the newest regrade of an episode would correct; null = it agrees, or there is none. */
export async function describeRescore(episodeId: string): Promise<Rescore | null> {
  const db = database()
  const record = await findEpisode(db, episodeId)
  if (!record) return null
  await copyRegradesOf(db, env().runsDir, record.episode.runId)
  const lines = await listRegrades(db, record.episode.runId)
  const last = listDisagreeing(lines).find((line) => line.episodeId === episodeId)
  if (!last) return null
  const { rescored } = applyLedger(await listEntriesOn(db, [episodeId]))
  const from = rescored.get(episodeId)?.status ?? record.episode.outcome.status
  const { status: to, verdict } = last.after
  return { kind: 'rescore', target: episodeId, from, to, verdict }
}

async function describeOwnRescore(episodeId: string): Promise<Rescore> {
  const action = await describeRescore(episodeId)
  if (action) return action
  throw new AppError(
    'conflict',
    `nothing was written: no regrade of ${episodeId} disagrees with what was sealed`,
  )
}

type CorrectionRequest = {
  author: string
  reason: string
  action: LedgerAction
  /** The actor for the audit log, whose line is written in the entry's transaction. */
  audit?: Pick<AuditRecord, 'actor' | 'requestId'>
}

/**
 * Writes a correction into the public ledger; the worker updates the boards. Throws an AppError with one sentence and
 * writes nothing when it is not possible.
 */
export async function correct(
  { audit, ...request }: CorrectionRequest,
  now = new Date(),
): Promise<LedgerEntry> {
  const trimmed = { ...request, author: request.author.trim(), reason: request.reason.trim() }
  const draft = ledgerDraftSchema.safeParse(trimmed)
  if (!draft.success) {
    const [line] = problemLines(formatIssues(draft.error.issues), 1)
    throw new AppError('invalid-request', `nothing was written: ${line}`)
  }
  const { action } = draft.data
  const work = inTransaction(database(), async (tx) => {
    const standing = await findStanding(tx, action.target, await listLedger(tx))
    const refusal = refuseCorrection(action, standing)
    if (refusal) throw new AppError('conflict', `nothing was written: ${refusal}`)
    const entry = await appendLedger(tx, draft.data, now)
    if (audit) await recordAudit(tx, toAuditRecord(entry, audit), now)
    return entry
  })
  return withDatabaseErrors(() => work)
}

function toAuditRecord(
  { sequence, reason, action }: LedgerEntry,
  audit: Pick<AuditRecord, 'actor' | 'requestId'>,
): AuditRecord {
  const { kind, target, ...rest } = action
  return {
    ...audit,
    action: `ledger.${kind}`,
    target,
    detail: { entry: sequence, reason, ...rest },
  }
}

/** Returns what is stored of a target, and its state in the ledger. */
async function findStanding(
  tx: DbOrTx,
  target: string,
  entries: readonly LedgerEntry[],
): Promise<CorrectionTarget> {
  const kind = targetKind(target)
  const ending = kind === 'episode' ? await findEnding(tx, target) : null
  const isKept = {
    run: async () => (await findRun(tx, target)) !== null,
    row: () => hasRow(tx, target),
    episode: async () => ending !== null,
  }
  return {
    kind,
    exists: kind !== null && (await isKept[kind]()),
    isIncluded: listIncluded(entries).has(target),
    isOwed: kind === 'run' && isExpected(target, entries),
    ending,
    subject: kind === 'row' ? await findRowSubject(tx, target) : null,
    state: applyLedger(entries),
  }
}

function isExpected(runId: string, entries: readonly LedgerEntry[]): boolean {
  return entries.some(
    ({ action }) =>
      action.kind === 'register' && action.runs.some((registered) => registered.runId === runId),
  )
}

async function findEnding(tx: DbOrTx, episodeId: string): Promise<CorrectionTarget['ending']> {
  const record = await findEpisode(tx, episodeId)
  if (!record) return null
  const { outcome, contract, integrity } = record.episode
  const verdict = contract?.verdict ?? null
  return { status: outcome.status, verdict, findings: integrity?.findings.length ?? 0 }
}

/** Lists the corrections that apply to a run or an episode in the current ledger. */
export async function listOffers(
  target: string,
  rescore: (LedgerAction & { kind: 'rescore' }) | null = null,
): Promise<CorrectionOffer[]> {
  const db = database()
  const standing = await findStanding(db, target, await listLedger(db))
  const offers: CorrectionOffer[] = []
  for (const kind of ['invalidate', 'reinstate', 'remove', 'resolve-findings'] as const) {
    if (refuseCorrection({ kind, target }, standing) === null) offers.push(kind)
  }
  if (standing.kind === 'run' && standing.state.removed.has(target)) offers.push('include')
  if (rescore && refuseCorrection(rescore, standing) === null) offers.push('rescore')
  return offers
}

/** Lists the ledger's corrections of these targets that still apply, in the order of the targets. */
export async function listCorrections(targets: readonly string[]): Promise<CorrectionNote[]> {
  return correctionNotes(applyLedger(await listEntriesOn(database(), targets)), targets)
}

/** Corrections that need only kind and target. */
export const SIMPLE_KINDS = [
  'remove',
  'invalidate',
  'reinstate',
  'resolve-findings',
  'include',
  'accept-library',
] as const
export type SimpleKind = (typeof SIMPLE_KINDS)[number]

/** Returns the whole action of a correction; an `include` repeats what is stored of the run. */
export async function describeCorrection(kind: SimpleKind, target: string): Promise<LedgerAction> {
  if (kind !== 'include') return { kind, target }
  const db = database()
  const run = await findRun(db, target)
  if (run) return describeInclude(db, target, run.provenance)
  throw new AppError('not-found', `nothing was written: no run ${target} is stored here`)
}
