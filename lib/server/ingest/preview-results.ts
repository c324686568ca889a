import { rm } from 'node:fs/promises'
import { setImmediate as breathe } from 'node:timers/promises'
import type { DbOrTx } from '../../db/db.ts'
import { listForeignRuns } from '../../db/plan-store.ts'
import { readStoredRuns } from '../../db/results-store.ts'
import { subjectId } from '../../db/subject-store.ts'
import type { Actor } from '../../domain/accounts/index.ts'
import type { UploadPreview } from '../../domain/api/index.ts'
import { reportedFacts, type SubmissionDetails } from '../../domain/formats/index.ts'
import { senderOfActor, voucherOfActor } from '../../domain/ledger/index.ts'
import {
  type AnyEpisode,
  type Provenance,
  parseAnyEpisode,
  type Shard,
  subjectLabel,
} from '../../domain/record/index.ts'
import { countOf, type ParseResult, type Problem } from '../../domain/text/index.ts'
import { AppError } from '../../errors.ts'
import { compareRecords, leaveOutRest, noValidRun, placeOf } from './compare-records.ts'
import { decideResults, describePreview } from './describe-preview.ts'
import { openScratch } from './evidence-staging.ts'
import type { IncomingEnvelope, IncomingRun, Inspected, InspectedRun, LeftOut } from './format.ts'
import { MAX_EPISODES } from './limits.ts'
import {
  clockTolerance,
  matchEvidence,
  membershipOf,
  type OpenContext,
  openRun,
} from './open-run.ts'
import type { Body } from './read-body.ts'
import { type Recognised, recognise } from './recognise.ts'
import { findElsewhere, type RemoteLimits } from './remote-limits.ts'

/** The sender, the results, and their provenance. `shard` overrides the bundle's own. */
export type SubmissionOptions = {
  body: Body
  provenance: Provenance
  shard?: Shard | undefined
  remote?: RemoteLimits | undefined
  /** Details from the sender that the file's format has no field for. */
  details?: SubmissionDetails | undefined
  now: Date
}

type PreviewOrder = SubmissionOptions & { actor: Actor }

/** Returns what committing a body would write; stores nothing. Throws an AppError when the format is not recognised. */
export async function previewResults(
  db: DbOrTx,
  { body, provenance, actor, shard, details, now }: PreviewOrder,
): Promise<UploadPreview> {
  const scratch = await openScratch()
  try {
    const recognised = await recognise(body, scratch.folder, details)
    const inspected = await inspectResults(recognised, { db, now, shard })
    const kept = await readStoredRuns(
      db,
      inspected.runs.map(({ runId }) => runId),
    )
    const unknown = inspected.runs.filter(({ runId }) => !kept.has(runId))
    const runIds = unknown.map(({ runId }) => runId)
    const { account, ...own } = senderOfActor(actor, provenance, body.digest)
    const foreign = await listForeignRuns(db, runIds, { ...own, account })
    const sender = { provenance, voucher: voucherOfActor(actor, provenance), account, foreign }
    return describePreview(inspected, decideResults(inspected, kept, sender))
  } finally {
    await rm(scratch.folder, { recursive: true, force: true })
    scratch.release()
  }
}

/** Files of a run folder besides evidence. */
const OWN_FILE = /(^|\/)((result[^/]*|plan|lock|episode)\.json|journal\.ndjson|runner\.pid)$/
/** Maximum time before other work of the process may run. */
const STRETCH_MS = 25

type Context = OpenContext & {
  /** Called with every complete episode, in order, so that a commit can store it. */
  keep?: (episode: AnyEpisode) => Promise<void>
  remote?: RemoteLimits | undefined
}
type Opened = { run: InspectedRun; findStranger: (episode: AnyEpisode) => Problem | null }

/** Reads every run and envelope of an upload. Its content never makes this throw, except when it is too large. */
export async function inspectResults(
  { format, content, staging }: Recognised,
  context: Context,
): Promise<Inspected> {
  const inspection = new Inspection(format.title, context)
  for await (const run of format.toRuns(content, staging)) await inspection.add(run)
  inspection.requireRuns()
  const paths = content.kind === 'archive' ? [...content.files.keys()] : []
  return inspection.finish(paths.filter((path) => !OWN_FILE.test(path)).length)
}

class Inspection {
  readonly #context: Context
  readonly #inspected: Inspected
  readonly #runs = new Map<string, Opened | null>()
  readonly #slots = new Set<string>()
  #count = 0
  #stretchStart = performance.now()

  constructor(format: string, context: Context) {
    this.#context = context
    const evidence = { wrong: 0, extra: 0 }
    this.#inspected = { format, runs: [], rejected: [], leftOut: [], files: new Map(), evidence }
  }

  async add(incoming: IncomingRun | LeftOut): Promise<void> {
    if ('reason' in incoming) this.#inspected.leftOut.push(incoming)
    else if (incoming.isRepeatable) await this.#addRepeatable(incoming)
    else await this.#addRun(incoming)
  }

  /**
   * Adds a run, or leaves it out when it cannot be stored; another record of an accepted run is only compared with it.
   */
  async #addRepeatable(incoming: IncomingRun): Promise<void> {
    const { rejected } = this.#inspected
    const read = this.#readWhole(incoming)
    if (!read.ok) return this.#leaveOut(incoming, read.problems[0])
    const earlier = this.#runs.get(JSON.stringify(incoming.runId))
    if (earlier) return this.#compare(read.value, earlier.run, incoming)
    const before = rejected.length
    await this.#addRun(incoming)
    // Problems of such a run are found before the first of its episodes is stored.
    const [problem] = rejected.splice(before)
    if (!problem) return
    this.#runs.delete(JSON.stringify(incoming.runId))
    this.#leaveOut(incoming, problem)
  }

  #readWhole({ envelopes }: IncomingRun): ParseResult<AnyEpisode[]> {
    const episodes: AnyEpisode[] = []
    for (const envelope of envelopes) {
      const parsed = readEnvelope(envelope)
      if (!parsed.ok) return parsed
      const problem = this.#findFuture(parsed.value)
      if (problem) return { ok: false, problems: [problem] }
      episodes.push(parsed.value)
    }
    return { ok: true, value: episodes }
  }

  #leaveOut({ path }: IncomingRun, problem: Problem | undefined): void {
    const where = problem?.path.replace(path, '')
    const reason = `${where ? `${where} ` : ''}${problem?.message ?? 'cannot be read'}`
    this.#inspected.leftOut.push({ path: placeOf({ path }), reason })
  }

  #compare(episodes: readonly AnyEpisode[], run: InspectedRun, incoming: IncomingRun): void {
    const place = placeOf(incoming)
    this.#count += episodes.length
    if (this.#count > MAX_EPISODES) throw tooMany()
    const { contradictions, more } = compareRecords(episodes, run)
    for (const { message, runId, episodeId } of contradictions)
      this.#reject(place, message, runId, episodeId)
    if (more > 0)
      this.#inspected.leftOut.push({ ...leaveOutRest(more, run, run.episodes.length), path: place })
    run.notes.push(`Another record of this run, ${place || 'the next'}, was compared with it.`)
  }

  async #addRun(incoming: IncomingRun): Promise<void> {
    this.#slots.clear()
    if (incoming.runId !== null && !(await this.#open(incoming, incoming.runId))) return
    if (incoming.envelopes.length === 0)
      this.#reject(incoming.path || '(root)', 'contains no episodes')
    for (const envelope of incoming.envelopes) {
      if (++this.#count > MAX_EPISODES) throw tooMany()
      await this.#read(envelope, incoming)
      if (performance.now() - this.#stretchStart > STRETCH_MS) {
        await breathe()
        this.#stretchStart = performance.now()
      }
    }
  }

  /** Throws an AppError when every run of an upload had to be left out: it contains nothing to store. */
  requireRuns(): void {
    const { runs, rejected, leftOut } = this.#inspected
    if (leftOut.length > 0 && runs.length + rejected.length === 0) throw noValidRun(leftOut)
  }

  finish(files: number): Inspected {
    const inspected = this.#inspected
    const matched = [...inspected.files.values()].reduce((sum, list) => sum + list.length, 0)
    const extra = Math.max(0, files - matched - inspected.evidence.wrong)
    inspected.evidence.extra = extra
    return inspected
  }

  /** Opens the run of this id once; null = it is refused, which was reported. */
  async #open(incoming: IncomingRun, runId: unknown): Promise<Opened | null> {
    const key = JSON.stringify(runId)
    const earlier = this.#runs.get(key)
    if (earlier !== undefined) return this.#checkSame(earlier, incoming)
    const opened = await openRun(incoming, runId, this.#context)
    if (!opened.ok) {
      this.#runs.set(key, null)
      for (const { path, message } of opened.problems.slice(0, 20))
        this.#reject(`${incoming.path}${path}`, message, typeof runId === 'string' ? runId : null)
      return null
    }
    const run = opened.value
    const entry = { run, findStranger: membershipOf(run, incoming) }
    this.#runs.set(key, entry)
    this.#inspected.runs.push(run)
    return entry
  }

  /** Reports several bundles of one run with different plans. */
  #checkSame(earlier: Opened | null, { plan, path }: IncomingRun): Opened | null {
    const stated = (plan as { planDigest?: unknown } | null)?.planDigest
    if (!earlier || plan === null || stated === earlier.run.plan.planDigest) return earlier
    this.#reject(`${path}plan`, 'the same run is in this upload with another plan')
    return null
  }

  async #read(envelope: IncomingEnvelope, incoming: IncomingRun): Promise<void> {
    const { path, slot } = envelope
    if (slot !== null && this.#slots.has(slot)) return
    const parsed = readEnvelope(envelope)
    if (!parsed.ok) {
      const [first, ...more] = parsed.problems
      const rest = more.length > 0 ? ` (and ${countOf(more.length, 'more problem')})` : ''
      this.#reject(`${path}.${first?.path}`, `${first?.message}${rest}`)
      return
    }
    const episode = parsed.value
    const opened = await this.#open(incoming, incoming.runId ?? episode.runId)
    if (opened) await this.#accept(episode, path, opened, incoming)
  }

  async #accept(
    episode: AnyEpisode,
    path: string,
    { run, findStranger }: Opened,
    incoming: IncomingRun,
  ): Promise<void> {
    const { episodeId, seal, runId, taskId, repetition, attempt } = episode
    const problem =
      findStranger(episode) ??
      this.#findFuture(episode) ??
      findElsewhere(episode, this.#context.remote)
    if (problem) {
      this.#reject(`${path}.${problem.path}`, problem.message, runId, episodeId)
      return
    }
    const evidence = matchEvidence(episode, incoming.findEvidence)
    if (evidence.wrong.length > 0) {
      this.#inspected.evidence.wrong += evidence.wrong.length
      const message = `${evidence.wrong[0]} is not the file that was sealed: its digest differs`
      this.#reject(`${path}.evidence`, message, runId, episodeId)
      return
    }
    if (incoming.findEvidence) this.#slots.add(`${taskId}/r${repetition}-a${attempt}`)
    if (evidence.matched.length > 0) this.#inspected.files.set(episodeId, evidence.matched)
    run.subjects.set(subjectId(episode.subject), episode.subject)
    const { status } = episode.outcome
    const subject = subjectLabel(episode.subject)
    const found = { matched: evidence.matched.length, missing: evidence.missing }
    const slot = { taskId, repetition, attempt, status, facts: reportedFacts(episode) }
    run.episodes.push({ path, episodeId, seal, runId, ...slot, subject, evidence: found })
    await this.#context.keep?.(episode)
  }

  /** Reports an episode that ends after it was sent: it was moved behind the registration of its plan. */
  #findFuture(episode: AnyEpisode): Problem | null {
    const { startedAt, endedAt } = episode
    const latest = this.#context.now.getTime() + clockTolerance(episode)
    if (Date.parse(startedAt) > latest) return { path: 'startedAt', message: 'is in the future' }
    if (Date.parse(endedAt) > latest) return { path: 'endedAt', message: 'is in the future' }
    return null
  }

  #reject(
    path: string,
    message: string,
    runId: string | null = null,
    episodeId: string | null = null,
  ): void {
    this.#inspected.rejected.push({ path, message, runId, episodeId })
  }
}

function readEnvelope({ read }: IncomingEnvelope): ParseResult<AnyEpisode> {
  try {
    return parseAnyEpisode(read())
  } catch (error) {
    if (!(error instanceof AppError) || error.code === 'too-large') throw error
    return { ok: false, problems: [{ path: '(root)', message: error.message }] }
  }
}

function tooMany(): AppError {
  const message = `the upload contains more than ${MAX_EPISODES} episodes: split it into smaller uploads`
  return new AppError('too-large', message)
}
