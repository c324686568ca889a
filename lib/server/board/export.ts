import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { database } from '../../db/database.ts'
import { type RunTotals, readRunTotals, streamEpisodes } from '../../db/export-store.ts'
import { listEpisodeEntries } from '../../db/ledger-store.ts'
import { findRun, type RunRecord } from '../../db/run-store.ts'
import { type BoardRow, leaderboardCells, successRate } from '../../domain/board/index.ts'
import {
  type BoardFormat,
  correctEpisode,
  type Exported,
  type ExportedEpisode,
  type ExportFormat,
  evaluationDetails,
  exportFileName,
  FILE_KINDS,
  gradingDetails,
  refuseTsBench,
  TRANSCRIPT_FORMATS,
  toEee,
  writeExport,
} from '../../domain/formats/index.ts'
import { applyLedger, correctedStatus, type LedgerState } from '../../domain/ledger/index.ts'
import {
  type Environment,
  environmentSchema,
  isFrozen,
  OUTCOME_STATUSES,
  type OutcomeStatus,
} from '../../domain/record/index.ts'
import { countTasks } from '../../domain/statistics/index.ts'
import { toCsv } from '../../domain/text/index.ts'
import { currentVersion, env } from '../../env.ts'
import { AppError } from '../../errors.ts'
import { evidenceStore } from '../evidence/configured-store.ts'
import { evidenceRef } from '../evidence/evidence-store.ts'
import { respondExport } from '../http/respond-stream.ts'
import { readWholeTranscript } from '../runs/transcript.ts'
import { getBoard } from './board.ts'
import { findRow } from './rows.ts'

/** Exports a suite's rows as a file: one line each, claims first as on the board. */
export async function exportBoard(
  suiteId: string,
  version: string | null,
  format: BoardFormat,
): Promise<{ name: string; type: string; text: string }> {
  const board = await getBoard(suiteId, version)
  if (!board) throw new AppError('not-found', `no board of suite ${suiteId} is stored here`)
  const name = `leaderboard-${suiteId}`
  if (format === 'csv')
    return { name: `${name}.csv`, type: 'text/csv', text: toCsv(leaderboardCells(board.rows)) }
  const lines = board.rows.map((row) => JSON.stringify(format === 'eee' ? rowToEee(row) : row))
  const ending = format === 'eee' ? 'eee.jsonl' : 'jsonl'
  const text = lines.map((line) => `${line}\n`).join('')
  return { name: `${name}.${ending}`, type: 'application/x-ndjson', text }
}

/** Converts a row's aggregate; its instances are in the export of the row itself. */
function rowToEee(row: BoardRow) {
  const { suiteId, suiteDigest, subject, settings, success, label, runIds } = row
  const source = {
    suiteId,
    suiteDigest,
    subject,
    settings,
    rate: success,
    startedAt: row.firstStartedAt,
    endedAt: row.lastStartedAt,
    // Reported results were measured by another program, which the row does not name.
    harness: row.modes.includes('reported')
      ? { name: 'unknown', version: null }
      : { name: 'proofboard', version: currentVersion() },
    details: {
      row: row.rowId,
      label,
      modes: row.modes.join(' '),
      provenance: row.provenance,
      runs: runIds.join(' '),
      ...gradingDetails(row.grading),
      ...evaluationDetails(row.evaluatedHere),
    },
  }
  return toEee(source, null)
}

type OpenExport = Exported & {
  /** Everything that determines the bytes, besides the plans and the outcomes of the slots. */
  state: readonly unknown[]
}

/** Prepares the export of a stored run. Throws an AppError when there is none, or the format cannot express it. */
export async function openRunExport(runId: string, format: ExportFormat): Promise<OpenExport> {
  const run = await findRun(database(), runId)
  if (!run) throw new AppError('not-found', `no run ${runId} is stored here`)
  return openRuns(`${run.plan.subject.name}-${runId}`, [run], format)
}

/** Prepares the export of a row's runs, with the board's rate. */
export async function openRowExport(rowId: string, format: ExportFormat): Promise<OpenExport> {
  const found = await findRow(rowId)
  if (!found) throw new AppError('not-found', `no board here has the row ${rowId}`)
  const { row } = found
  const runs = await Promise.all(row.runIds.map((runId) => findRun(database(), runId)))
  const exportable = runs.flatMap((run) => run ?? [])
  if (format === 'bundle' && exportable.length > 1) {
    const message = `a bundle is of one run, and this row counts ${exportable.length}: ask for /api/v1/runs/RUN/export of each`
    throw new AppError('invalid-request', message)
  }
  if (format === 'bundle' && row.subject.arm !== undefined) {
    const message =
      'a bundle is of a whole run, and this row is one arm of it: ask for /api/v1/runs/RUN/export'
    throw new AppError('invalid-request', message)
  }
  const exported = await openRuns(`${row.subject.name}-${rowId}`, exportable, format)
  return row.subject.arm === undefined
    ? { ...exported, rate: row.success }
    : { ...exported, ...(await pickArm(exported, row)), rate: row.success }
}

/** Selects the episodes of one arm from the runs of a plan with arms. */
async function pickArm(
  { episodes }: Exported,
  { subject }: BoardRow,
): Promise<Pick<Exported, 'subject' | 'endings' | 'episodes'>> {
  const isOwn = (one: ExportedEpisode) => one.read().subject.arm === subject.arm
  const own = async function* () {
    for await (const one of episodes()) if (isOwn(one)) yield one
  }
  const last = new Map<string, OutcomeStatus>()
  for await (const one of own()) {
    const { runId, taskId, repetition, outcome } = one.read()
    last.set(`${runId} ${taskId} ${repetition}`, outcome.status)
  }
  return {
    subject,
    endings: countEach([...last.values()].map((status) => ({ status }))),
    episodes: own,
  }
}

async function openRuns(
  name: string,
  runs: readonly RunRecord[],
  format: ExportFormat,
): Promise<OpenExport> {
  const [first] = runs
  const runIds = runs.map(({ runId }) => runId)
  const [figures, entries] = await Promise.all([
    readRunTotals(database(), runIds),
    listEpisodeEntries(database(), runIds),
  ])
  if (!first || figures.slots.length === 0)
    throw new AppError('conflict', 'no episode of it is stored yet, so there is nothing to export')
  const { suiteId, suiteDigest, subject } = first.plan
  const ledger = applyLedger(entries)
  const slots = figures.slots.map((slot) => ({ ...slot, status: correctedStatus(slot, ledger) }))
  const exported: OpenExport = {
    name,
    suiteId,
    suiteDigest,
    subject,
    runs: await Promise.all(runs.map(describeRun)),
    endings: countEach(slots),
    startedAt: figures.startedAt,
    endedAt: figures.endedAt,
    rate: successRate(countTasks(slots)),
    episodes: () => withTranscripts(corrected(streamEpisodes(database(), runIds), ledger)),
    state: [
      ...[currentVersion(), figures.episodes, figures.evaluations],
      entries.map(({ sequence }) => sequence),
      TRANSCRIPT_FORMATS.has(format) ? await listAtHand(figures.transcripts) : [],
    ],
  }
  if (format === 'ts-bench') await checkTsBench(exported)
  return exported
}

/** Applies the ledger's corrections to parsed envelopes; their text stays as sealed. */
async function* corrected(
  episodes: AsyncIterable<ExportedEpisode>,
  ledger: LedgerState,
): AsyncGenerator<ExportedEpisode> {
  for await (const one of episodes) yield { ...one, read: () => correctEpisode(one.read(), ledger) }
}

const LOOKS_AT_ONCE = 16

/** Lists the transcripts that can be read now: one may have been pruned, or is still being uploaded into the bucket. */
async function listAtHand(transcripts: RunTotals['transcripts']): Promise<string[]> {
  const store = evidenceStore()
  const refs = transcripts.flatMap(({ directory, file }) => evidenceRef(directory, file) ?? [])
  const found: string[] = []
  for (let at = 0; at < refs.length; at += LOOKS_AT_ONCE) {
    const some = refs.slice(at, at + LOOKS_AT_ONCE)
    const here = await Promise.all(some.map((ref) => store.has(ref)))
    found.push(...some.flatMap(({ place }, index) => (here[index] ? [place] : [])))
  }
  return found
}

/** Adds transcripts, read when a format needs them. */
async function* withTranscripts(
  episodes: AsyncIterable<ExportedEpisode>,
): AsyncGenerator<ExportedEpisode> {
  for await (const one of episodes)
    yield { ...one, transcript: () => readWholeTranscript(one.read().episodeId) }
}

async function describeRun({ runId, plan, shard }: RunRecord): Promise<Exported['runs'][number]> {
  const whole = shard ?? { index: 1, count: 1 }
  return { runId, plan, shard: whole, lock: isFrozen(plan) ? await findLock(runId) : null }
}

/** Returns the environment that was resolved before the first episode, else that of the first episode. */
async function findLock(runId: string): Promise<Exported['runs'][number]['lock']> {
  const own = readRunLock(runId)
  if (own) return own
  for await (const { read } of streamEpisodes(database(), [runId])) return read().environment
  return null
}

function countEach(slots: readonly { status: OutcomeStatus }[]): Exported['endings'] {
  const counts = Object.fromEntries(OUTCOME_STATUSES.map((status) => [status, 0]))
  for (const { status } of slots) counts[status] = (counts[status] ?? 0) + 1
  return counts as Record<OutcomeStatus, number>
}

async function checkTsBench({ episodes }: Exported): Promise<void> {
  for await (const { read } of episodes()) {
    const refusal = refuseTsBench(read())
    if (refusal) throw new AppError('conflict', `${refusal}: choose another format`)
  }
}

/** Returns the environment that this server's runner resolved for a run; null = the run was made elsewhere. */
function readRunLock(runId: string): Environment | null {
  try {
    const text = readFileSync(join(env().runsDir, runId, 'lock.json'), 'utf8')
    return environmentSchema.safeParse(JSON.parse(text)).data ?? null
  } catch {
    return null
  }
}

/**
 * Responds with a run or row as a file in one format. Sealed episodes never change, so the bytes depend on which exist,
 * their ledger corrections and evaluations, the readable transcripts, and the version of this program, which writes the
 * file.
 */
export function respondExported(
  request: Request,
  exported: OpenExport,
  format: ExportFormat,
): Promise<Response> {
  const { runs, endings, startedAt, endedAt, rate, state } = exported
  const data = runs.map(({ runId, plan, shard, lock }) => [runId, plan.planDigest, shard, lock])
  return respondExport(request, {
    name: exportFileName(exported, format),
    type: FILE_KINDS[format].type,
    tag: JSON.stringify([format, data, endings, startedAt, endedAt, rate, state]),
    pieces: () => writeExport(exported, format),
  })
}
