import { reportedFacts, type StoredEpisode } from '#lib/domain/formats/index.ts'
import type { Sender, Voucher } from '#lib/domain/ledger/index.ts'
import {
  type AnyEpisode,
  type AnyPlan,
  type OutcomeStatus,
  type Provenance,
  parseAnyEpisode,
  type Shard,
  type Subject,
} from '#lib/domain/record/index.ts'
import type { DbOrTx } from './db.ts'
import { jsonRows } from './dialect.ts'
import { findLastEntry } from './ledger-store.ts'
import { savePlan } from './plan-store.ts'
import { parseShard, runColumns, toProvenance } from './run-store.ts'
import { includeFirst } from './seal-run.ts'
import { rederiveEpisode, storedText, unpackEnvelope } from './stored-episode.ts'
import { saveSubject } from './subject-store.ts'

/** The parts of a stored run that new results must match. */
export type StoredRun = {
  runId: string
  planDigest: string
  provenance: Provenance
  voucher: Voucher | null
  /** Account of the sender, from the ledger; undefined = none is recorded. */
  account: string | undefined
  shard: Shard | null
  episodes: StoredEpisode[]
}

const SLOT_COLUMNS = {
  episodeId: true,
  seal: true,
  runId: true,
  taskId: true,
  repetition: true,
  attempt: true,
  status: true,
  directory: true,
} as const

/** Reads the stored state of these runs, by run id. */
export async function readStoredRuns(
  db: DbOrTx,
  runIds: readonly string[],
): Promise<Map<string, StoredRun>> {
  const stored = new Map<string, StoredRun>()
  for (const runId of runIds) {
    const select = { planDigest: true, provenance: true, voucher: true, shard: true }
    const run = await db.run.findUnique({ where: { runId }, select })
    if (!run) continue
    const rows = await db.episode.findMany({ where: { runId }, select: SLOT_COLUMNS })
    // The column was derived from a parsed envelope.
    const facts = await readFacts(db, runId)
    const episodes = rows.map((row) => ({
      ...row,
      status: row.status as OutcomeStatus,
      facts: facts.get(row.episodeId) ?? null,
    }))
    const { planDigest, provenance, voucher, shard } = run
    const include = await findLastEntry(db, 'include', runId)
    const account = include?.action.receipt?.account
    const origin = {
      provenance: toProvenance(provenance),
      voucher,
      account,
      shard: parseShard(shard),
    }
    stored.set(runId, { runId, planDigest, ...origin, episodes })
  }
  return stored
}

/** Reads reported facts of a run's episodes, to compare them with another record of it whose bytes may differ. */
async function readFacts(db: DbOrTx, runId: string) {
  const where = { runId, mode: 'reported', envelope: { contains: '"format":"ts-bench"' } }
  const rows = await db.episode.findMany({ where, select: { episodeId: true, envelope: true } })
  return new Map(
    rows.flatMap(({ episodeId, envelope }) => {
      const parsed = parseAnyEpisode(JSON.parse(unpackEnvelope(envelope)))
      const facts = parsed.ok ? reportedFacts(parsed.value) : null
      return facts ? [[episodeId, facts] as const] : []
    }),
  )
}

type EpisodeColumns = ReturnType<typeof rederiveEpisode> & { envelope: string }

/** Serialises an episode and all its columns as one line, for the disk. */
export function episodeLine(episode: AnyEpisode): string {
  const row: EpisodeColumns = { ...rederiveEpisode(episode), envelope: storedText(episode) }
  return JSON.stringify(row)
}

export type Origin = {
  provenance: Provenance
  voucher: Voucher | null
  receivedAt: Date
  sender?: Sender
}

/** Stores a new run with its plan. */
export async function saveNewRun(
  tx: DbOrTx,
  run: { runId: string; plan: AnyPlan; shard: Shard | null },
  { provenance, voucher, receivedAt }: Origin,
): Promise<void> {
  const { runId, plan, shard } = run
  await savePlan(tx, plan)
  const data = runColumns(
    { runId, plan, provenance, voucher, shard: shard ?? undefined },
    receivedAt,
  )
  await tx.run.create({ data })
}

/**
 * Stores episodes of known runs, from their lines by episode id; `directories` = locations of their evidence. The lines
 * go to the database unparsed, which extracts the columns.
 */
export async function saveEpisodeLines(
  tx: DbOrTx,
  lines: ReadonlyMap<string, string>,
  directories: ReadonlyMap<string, string>,
  { provenance, receivedAt }: Omit<Origin, 'voucher'>,
): Promise<void> {
  const received = JSON.stringify({ provenance, receivedAt }).slice(1, -1)
  const rows = [...lines].map(([episodeId, line]) => {
    const directory = JSON.stringify(directories.get(episodeId) ?? null)
    return `${line.slice(0, -1)},"directory":${directory},${received}}`
  })
  await tx.$executeRaw`
    INSERT INTO "Episode" (
      "episodeId", "envelope", "provenance", "directory", "receivedAt", "runId", "planDigest", "suiteId", "suiteDigest",
      "taskId", "taskDigest", "subjectId", "repetition", "attempt", "status", "failureCategory", "mode", "verdict",
      "startedAt", "totalMs", "seal", "fact")
    SELECT
      "episodeId", "envelope", "provenance", "directory", "receivedAt", "runId", "planDigest", "suiteId", "suiteDigest",
      "taskId", "taskDigest", "subjectId", "repetition", "attempt", "status", "failureCategory", "mode", "verdict",
      "startedAt", "totalMs", "seal", "fact"
    FROM ${jsonRows(tx, `[${rows.join(',')}]`, LINE)}`
}

const LINE = {
  text: [
    ...['episodeId', 'envelope', 'provenance', 'directory', 'runId', 'planDigest', 'suiteId'],
    ...['suiteDigest', 'taskId', 'taskDigest', 'subjectId', 'status', 'failureCategory', 'mode'],
    ...['verdict', 'seal', 'fact'],
  ],
  integer: ['repetition', 'attempt'],
  real: ['totalMs'],
  instant: ['receivedAt', 'startedAt'],
} as const

export async function saveSubjects(tx: DbOrTx, subjects: Iterable<Subject>): Promise<void> {
  for (const subject of subjects) await saveSubject(tx, subject)
}

/** Returns `now`, or the first instant after the ledger's last entry when that is later. */
export async function afterLastEntry(tx: DbOrTx, now: Date): Promise<Date> {
  const last = await tx.ledgerEntry.findFirst({ orderBy: { sequence: 'desc' } })
  return new Date(Math.max(now.getTime(), (last?.at.getTime() ?? 0) + 1))
}

/** Includes a run in the ledger unless it had episodes before. */
export async function includeNewRun(tx: DbOrTx, runId: string, origin: Origin): Promise<void> {
  await includeFirst(tx, runId, origin)
}

/** Records the location of evidence that arrived later than its envelope. */
export async function saveDirectory(
  tx: DbOrTx,
  episodeId: string,
  directory: string,
): Promise<void> {
  await tx.episode.updateMany({ where: { episodeId, directory: null }, data: { directory } })
}

/** Returns the evidence folder of an episode, if it is stored under this seal. */
export async function findDirectory(
  db: DbOrTx,
  episodeId: string,
  seal: string,
): Promise<string | null> {
  const row = await db.episode.findFirst({
    where: { episodeId, seal },
    select: { directory: true },
  })
  return row?.directory ?? null
}
