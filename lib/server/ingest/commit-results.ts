import { createReadStream } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { join } from 'node:path'
import { recordAudit } from '../../db/audit-store.ts'
import { withDatabaseErrors } from '../../db/database-error.ts'
import type { Db, DbOrTx, Tx } from '../../db/db.ts'
import { listForeignRuns } from '../../db/plan-store.ts'
import {
  afterLastEntry,
  episodeLine,
  includeNewRun,
  type Origin,
  readStoredRuns,
  saveDirectory,
  saveEpisodeLines,
  saveNewRun,
  saveSubjects,
} from '../../db/results-store.ts'
import { sealRunWithin } from '../../db/seal-run.ts'
import { saveReportedSuite } from '../../db/suite-store.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { Actor } from '../../domain/accounts/index.ts'
import { canCommit, type UploadPreview } from '../../domain/api/index.ts'
import { senderOfActor, voucherOfActor } from '../../domain/ledger/index.ts'
import { createLog } from '../../log.ts'
import { type Decision, decideResults, describePreview } from './describe-preview.ts'
import { leaveToSweep, openScratch, settleEvidence, stageEvidence } from './evidence-staging.ts'
import type { Inspected } from './format.ts'
import { inspectResults, type SubmissionOptions } from './preview-results.ts'
import { recognise } from './recognise.ts'

type CommitOptions = SubmissionOptions & {
  actor: Actor
  requestId?: string | null
  /** Name of the action in the audit log. */
  action?: string
  /** The digest of the confirmed preview; null = there was no preview. */
  expected?: string | null
  /** Additional writes of the same transaction. */
  alsoWrite?: (tx: DbOrTx, preview: UploadPreview) => Promise<void>
}

/**
 * `committed`: everything was written. `duplicate`: everything was stored already, nothing was written. `refused`:
 * something cannot be stored, so nothing was. `changed`: it would write something else than the preview showed.
 */
export type Committed = {
  status: 'committed' | 'duplicate' | 'refused' | 'changed'
  preview: UploadPreview
}

/** Rows of one statement, and characters of them. */
const LINES_AT_ONCE = 200
const CHARACTERS_AT_ONCE = 1 << 20
const TRANSACTION_MS = 120_000
const log = createLog('ingest')

/**
 * Stores a body's results completely or not at all: plans, runs, episodes, their ledger entries and the audit line in
 * one transaction. Evidence is staged before it and moved after it; `sweepIngest` settles what a crash leaves between.
 * Throws an AppError when the format is not recognised.
 */
export async function commitResults(db: Db, options: CommitOptions): Promise<Committed> {
  const scratch = await openScratch()
  try {
    const lines = await LineFile.create(join(scratch.folder, 'episodes.ndjson'))
    try {
      const inspected = await inspect(db, options, { lines, folder: scratch.folder })
      return await write(db, options, { inspected, lines, folder: scratch.folder })
    } finally {
      await lines.close()
    }
  } finally {
    // Also after a failure: moves what was stored before, and removes the rest.
    await settleEvidence(db, scratch.folder)
      .catch(async (error: unknown) => {
        log.error('evidence was not moved to its place yet', { error })
        await leaveToSweep(scratch.folder)
      })
      .finally(scratch.release)
  }
}

/** Reads a whole body; its memory is released before anything is written. */
async function inspect(
  db: Db,
  { body, now, shard, details, remote }: CommitOptions,
  { lines, folder }: Omit<Prepared, 'inspected'>,
): Promise<Inspected> {
  const recognised = await recognise(body, folder, details)
  const keep = (episode: Parameters<typeof episodeLine>[0]) =>
    lines.add(episode.episodeId, episodeLine(episode))
  // All shards of a run on other machines are one run, which has its whole plan.
  const part = remote ? { index: 1, count: 1 } : shard
  const inspected = await inspectResults(recognised, { db, now, shard: part, keep, remote })
  await lines.flush()
  return inspected
}

type Prepared = { inspected: Inspected; lines: LineFile; folder: string }

async function write(db: Db, options: CommitOptions, prepared: Prepared): Promise<Committed> {
  const { inspected, folder } = prepared
  const foreseen = await judge(db, options, inspected)
  if (foreseen.status !== 'committed') return foreseen
  const receiving = [
    ...foreseen.decision.runs.flatMap(({ fresh }) => fresh),
    ...foreseen.decision.late,
  ]
  const directories = await stageEvidence(folder, receiving, inspected.files)
  const work = inTransaction(
    db,
    async (tx) => {
      await options.remote?.recheck(tx)
      const judged = await judge(tx, options, inspected)
      const { decision, status, preview } = judged
      if (status === 'committed') {
        await writeDecision(tx, options, { ...prepared, decision, directories })
        await options.alsoWrite?.(tx, preview)
      }
      return { status, preview }
    },
    { timeout: TRANSACTION_MS },
  )
  return withDatabaseErrors(() => work)
}

async function judge(
  db: DbOrTx,
  { provenance, actor, body, expected = null }: CommitOptions,
  inspected: Inspected,
): Promise<Committed & { decision: Decision }> {
  const runIds = inspected.runs.map(({ runId }) => runId)
  const kept = await readStoredRuns(db, runIds)
  const unknown = runIds.filter((runId) => !kept.has(runId))
  const { account, ...own } = senderOfActor(actor, provenance, body.digest)
  const foreign = await listForeignRuns(db, unknown, { ...own, account })
  const sender = { provenance, voucher: voucherOfActor(actor, provenance), account, foreign }
  const decision = decideResults(inspected, kept, sender)
  const preview = describePreview(inspected, decision)
  return { decision, preview, status: choose(preview, expected) }
}

function choose(preview: UploadPreview, expected: string | null): Committed['status'] {
  if (!canCommit(preview)) return 'refused'
  if (preview.counts.new === 0 && preview.evidence.added === 0) return 'duplicate'
  return expected === null || expected === preview.digest ? 'committed' : 'changed'
}

type Writing = Prepared & { decision: Decision; directories: ReadonlyMap<string, string> }

async function writeDecision(tx: Tx, options: CommitOptions, writing: Writing): Promise<void> {
  const { decision, directories } = writing
  const { actor, provenance, now, body, requestId = null, action = 'results.commit' } = options
  // Another process may have written since: a seal covers what was received up to its own time.
  const at = await afterLastEntry(tx, now)
  const sender = senderOfActor(actor, provenance, body.digest)
  const origin: Origin = {
    provenance,
    voucher: voucherOfActor(actor, provenance),
    receivedAt: at,
    sender,
  }
  const touched = decision.runs.filter(({ fresh }) => fresh.length > 0)
  for (const { run, isNew } of touched) {
    await saveSubjects(tx, run.subjects.values())
    await saveReportedSuite(tx, run.plan, at)
    if (isNew) await saveNewRun(tx, run, origin)
  }
  const fresh = new Set(touched.flatMap((one) => one.fresh.map(({ episodeId }) => episodeId)))
  await writeLines(tx, writing, fresh, origin)
  for (const { run } of touched.filter(({ isEmpty }) => isEmpty))
    await includeNewRun(tx, run.runId, origin)
  // A run that continues is sealed at its end.
  if (!options.remote) for (const { run } of touched) await sealRunWithin(tx, run.runId, at)
  for (const { episodeId } of decision.late) {
    await saveDirectory(tx, episodeId, directories.get(episodeId) ?? '')
  }
  const detail = {
    provenance,
    body: body.digest,
    runs: touched.map(({ run }) => run.runId).slice(0, 20),
    episodes: fresh.size,
    evidenceAddedTo: decision.late.length,
  }
  const target = touched[0]?.run.runId ?? decision.late[0]?.runId ?? null
  await recordAudit(tx, { actor, action, target, detail, requestId }, at)
}

async function writeLines(
  tx: DbOrTx,
  { lines, directories }: Writing,
  fresh: ReadonlySet<string>,
  origin: Origin,
): Promise<void> {
  const waiting = new Set(fresh)
  const batch = new Map<string, string>()
  let characters = 0
  for await (const { key, text } of lines.read()) {
    // An envelope may be in an upload twice: it is written once.
    if (!waiting.delete(key)) continue
    batch.set(key, text)
    characters += text.length
    if (batch.size < LINES_AT_ONCE && characters < CHARACTERS_AT_ONCE) continue
    await saveEpisodeLines(tx, batch, directories, origin)
    batch.clear()
    characters = 0
  }
  if (batch.size > 0) await saveEpisodeLines(tx, batch, directories, origin)
}

/** Characters held in memory before the disk is used, which uploads of usual size never need. */
const MAX_HELD_CHARACTERS = 8 << 20
const FLUSH_CHARACTERS = 1 << 20
const PIECE_BYTES = 1 << 18
const LINE_FEED = 0x0a

type Line = { key: string; text: string }

/**
 * Lines by key, the first in memory and the others on disk until they are read, so that no commit is in memory
 * completely.
 */
export class LineFile {
  readonly #path: string
  readonly #handle: FileHandle
  readonly #maxHeld: number
  readonly #held: Line[] = []
  #heldCharacters = 0
  #waiting: string[] = []
  #characters = 0
  #isOnDisk = false

  private constructor(path: string, handle: FileHandle, maxHeld: number) {
    this.#path = path
    this.#handle = handle
    this.#maxHeld = maxHeld
  }

  static async create(path: string, { maxHeld = MAX_HELD_CHARACTERS } = {}): Promise<LineFile> {
    return new LineFile(path, await open(path, 'wx', 0o600), maxHeld)
  }

  /** `text` is one line of JSON; `key` is ASCII without spaces. */
  async add(key: string, text: string): Promise<void> {
    if (this.#heldCharacters + text.length <= this.#maxHeld && !this.#isOnDisk) {
      this.#held.push({ key, text })
      this.#heldCharacters += text.length
      return
    }
    this.#isOnDisk = true
    this.#waiting.push(`${key} ${text}\n`)
    this.#characters += text.length
    if (this.#characters > FLUSH_CHARACTERS) await this.flush()
  }

  async flush(): Promise<void> {
    const lines = this.#waiting.join('')
    this.#waiting = []
    this.#characters = 0
    if (lines.length > 0) await this.#handle.writeFile(lines)
  }

  /**
   * Yields the lines, one piece of the file at a time: readline would read ahead while its reader waits for a database.
   */
  async *read(): AsyncGenerator<Line> {
    yield* this.#held
    if (!this.#isOnDisk) return
    let start: Buffer[] = []
    for await (const piece of createReadStream(this.#path, { highWaterMark: PIECE_BYTES })) {
      let rest: Buffer = piece
      for (let end = rest.indexOf(LINE_FEED); end !== -1; end = rest.indexOf(LINE_FEED)) {
        yield readLine(Buffer.concat([...start, rest.subarray(0, end)]))
        start = []
        rest = rest.subarray(end + 1)
      }
      if (rest.length > 0) start.push(rest)
    }
  }

  async close(): Promise<void> {
    await this.#handle.close()
  }
}

/** Copies both texts: a substring would keep the whole line in memory. */
function readLine(line: Buffer): Line {
  const space = line.indexOf(0x20)
  return { key: line.toString('latin1', 0, space), text: line.toString('utf8', space + 1) }
}
