import { randomBytes } from 'node:crypto'
import { existsSync, readdirSync } from 'node:fs'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseJson } from '#lib/domain/text/index.ts'
import type { Db } from '../db/db.ts'
import { appendEvaluation, type PendingEvaluation } from '../db/evaluation-store.ts'
import { POLICY_VERSION } from '../domain/eligibility/index.ts'
import {
  type Evaluation,
  type EvaluationLine,
  type EvaluationRequest,
  evaluationLineSchema,
  isMeasured,
  type ModelEvidence,
  type Plan,
  parseAnyEpisode,
  type Verifier,
} from '../domain/record/index.ts'
import { runsBrowser } from '../domain/tasks/index.ts'
import { env } from '../env.ts'
import { createLog } from '../log.ts'
import { spawnRunner } from '../processes/spawn-runner.ts'
import { evidenceStore } from '../server/evidence/configured-store.ts'
import { stagingRoot } from '../server/ingest/evidence-staging.ts'
import { checkModelEvidence } from './check-model-evidence.ts'

/** A process silent for this long is stuck: no single evaluation takes longer. */
const SILENT_MS = 15 * 60_000
const log = createLog('evaluations')

type Batch = {
  db: Db
  signal: AbortSignal
  /** Null = no sandbox works here, so uploaded code never runs. */
  verifier: Verifier | null
  /** The arms of the run's plan; absent = it has none. */
  arms?: Plan['arms']
  /** Returns whether files that are not here by now will never arrive. */
  isSettled: (one: PendingEvaluation) => boolean
  /** Called after a result is stored. */
  onKept: () => void
}
type Answer = Pick<Evaluation, 'result' | 'reason' | 'after' | 'isUntouched'> & {
  modelEvidence?: ModelEvidence | undefined
}
type Prepared = PendingEvaluation & {
  folder: string | null
  modelEvidence: ModelEvidence
  /** Releases the folder. */
  release: () => Promise<void>
}
type StoreResult = (one: Prepared, result: Answer, verifier: Verifier | null) => Promise<void>

/** Asks the runner for its verifier; undefined = the query failed. */
export async function inspectVerifier(signal: AbortSignal): Promise<Verifier | null | undefined> {
  let verifier: Verifier | null | undefined
  const onStdout = (line: string) => {
    const parsed = readLine(line)
    if (parsed?.kind === 'verifier') verifier = parsed.verifier
  }
  const { lastMessage } = await spawnRunner(['evaluate', '--stop-with-stdin'], { onStdout }, signal)
  if (verifier === undefined && !signal.aborted)
    log.error('the verifier could not be queried', { reason: lastMessage })
  return verifier
}

/**
 * Evaluates pending episodes of one suite in one runner process and stores each result at once; returns how many were
 * stored. If the process is killed, the current episode stays pending. Throws if evidence cannot be read or a result
 * cannot be stored, after the runner has ended and all evidence is released.
 */
export async function evaluateBatch(
  waiting: readonly PendingEvaluation[],
  batch: Batch,
): Promise<number> {
  // Queried after the rows were read, when all evidence staged by their commit is in its final place.
  const isSettled = countStaged() === 0
  const prepared = await prepareAll(waiting)
  try {
    return await answerAll(prepared, batch, isSettled)
  } finally {
    await releaseAll(prepared)
  }
}

async function answerAll(
  prepared: readonly Prepared[],
  batch: Batch,
  isSettled: boolean,
): Promise<number> {
  const { db, verifier, onKept } = batch
  let stored = 0
  const keep: StoreResult = async (one, result, by) => {
    // The runner reads recordings; it can only find more than the worker did.
    const modelEvidence = result.modelEvidence ?? one.modelEvidence
    const isMissing = modelEvidence === 'missing' || result.result === 'no-solution'
    if (isMissing && !(isSettled && batch.isSettled(one))) return
    const { episodeId, seal, number } = one
    const at = new Date().toISOString()
    const about = { episodeId, seal, number, at, policyVersion: POLICY_VERSION }
    const record = { ...about, ...result, verifier: by, modelEvidence }
    if (!(await appendEvaluation(db, record))) return
    stored++
    onKept()
  }
  const toJudge: Prepared[] = []
  for (const one of prepared) {
    const result = resultWithoutRunner(one, verifier)
    if (result) await keep(one, result, null)
    else toJudge.push(one)
  }
  if (toJudge.length > 0) await judge(toJudge, batch, keep)
  return stored
}

/** Checks out the evidence of all episodes or of none: throws the first failure after releasing the others. */
async function prepareAll(waiting: readonly PendingEvaluation[]): Promise<Prepared[]> {
  const results = await Promise.allSettled(waiting.map(prepare))
  const prepared = results.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
  const failure = results.find(({ status }) => status === 'rejected')
  if (failure?.status !== 'rejected') return prepared
  await releaseAll(prepared)
  throw failure.reason
}

async function releaseAll(prepared: readonly Prepared[]): Promise<void> {
  await Promise.all(prepared.map(({ release }) => release()))
}

async function prepare(one: PendingEvaluation): Promise<Prepared> {
  const parsed = parseAnyEpisode(JSON.parse(one.envelope))
  if (!parsed.ok) throw new Error(`the stored envelope of ${one.episodeId} cannot be read`)
  const { directory } = one
  const { evidence } = parsed.value
  const { folder, release } =
    directory === null
      ? { folder: null, release: async () => {} }
      : await evidenceStore().checkOut(directory, evidence)
  try {
    // Another harness has no log of a gateway; the rules say so by its mode and meter.
    const modelEvidence = isMeasured(parsed.value)
      ? await checkModelEvidence(parsed.value, folder)
      : 'not-needed'
    return { ...one, folder, release, modelEvidence }
  } catch (error) {
    await release()
    throw error
  }
}

/** Returns a result that needs no runner; null = the runner has to evaluate. */
function resultWithoutRunner(one: Prepared, verifier: Verifier | null): Answer | null {
  const bare = { reason: null, after: null }
  if (!one.hasTask) return { ...bare, result: 'no-task' }
  if (one.folder === null) return { ...bare, result: 'no-evidence' }
  // A workflow is judged by its stored state, which runs no code.
  const needsSandbox = !runsBrowser(one.suiteKind)
  return verifier === null && needsSandbox ? { ...bare, result: 'no-sandbox' } : null
}

async function judge(toJudge: readonly Prepared[], batch: Batch, keep: StoreResult): Promise<void> {
  const { signal } = batch
  let { verifier } = batch
  const open = new Map(toJudge.map((one) => [one.episodeId, one]))
  /** Fires when the runner is silent for too long, or a result cannot be stored. */
  const broken = new AbortController()
  let timer: NodeJS.Timeout | undefined
  const listen = () => {
    clearTimeout(timer)
    timer = setTimeout(() => broken.abort(), SILENT_MS)
  }
  // Sequential: results are stored in the order in which they arrive.
  let keeping: Promise<void> = Promise.resolve()
  const onStdout = (text: string) => {
    listen()
    const line = readLine(text)
    if (line?.kind === 'verifier') verifier = line.verifier
    if (line?.kind !== 'evaluated') return
    const one = open.get(line.episodeId)
    if (!one || !open.delete(line.episodeId)) return
    const by = verifier
    keeping = keeping.then(() => keep(one, toAnswer(line), by))
    // Thrown below, once the runner has ended; this avoids an unhandled rejection until then.
    keeping.catch(() => broken.abort())
  }
  const file = await writeOrder(toJudge, batch)
  try {
    listen()
    const args = ['evaluate', '--order', file, '--stop-with-stdin']
    const stop = AbortSignal.any([signal, broken.signal])
    const { lastMessage } = await spawnRunner(args, { onStdout }, stop)
    await keeping
    const [unanswered] = open.values()
    if (signal.aborted || !unanswered) return
    // The current one; the others wait for the next runner.
    const reason = (lastMessage || 'the verifier ended without an answer').slice(0, 300)
    log.error('an evaluation failed', { episodeId: unanswered.episodeId, reason })
    await keep(unanswered, { result: 'trouble', reason, after: null }, verifier)
  } finally {
    clearTimeout(timer)
    await rm(file, { force: true })
  }
}

/** Converts the runner's line. A missing task is a fault of this server and may be fixed, so it is retried. */
function toAnswer(line: EvaluationLine & { kind: 'evaluated' }): Answer {
  const { result, reason, after, isUntouched, modelEvidence } = line
  const found = { ...(isUntouched && { isUntouched }), ...(modelEvidence && { modelEvidence }) }
  return { result: result === 'no-task' ? 'trouble' : result, reason, after, ...found }
}

async function writeOrder(
  episodes: readonly Prepared[],
  { arms = [] }: Pick<Batch, 'arms'>,
): Promise<string> {
  const folder = ordersFolder()
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const file = join(folder, `${process.pid}-${randomBytes(6).toString('hex')}.json`)
  const request: EvaluationRequest = {
    suiteId: episodes[0]?.suiteId ?? '',
    episodes: episodes.map(({ envelope, folder: own }) => ({ envelope, folder: own })),
    ...(arms.length > 0 && { arms: [...arms] }),
  }
  await writeFile(file, JSON.stringify(request), { mode: 0o600 })
  return file
}

/** Removes request files left by a killed worker. */
export async function removeEvaluationRequests(): Promise<void> {
  await rm(ordersFolder(), { recursive: true, force: true })
}

const ordersFolder = (): string => join(env().dataDir, 'evaluations')

/** Counts commits that are moving files, or were killed before and wait for cleanup. */
function countStaged(): number {
  const root = stagingRoot()
  return existsSync(root) ? readdirSync(root).length : 0
}

function readLine(text: string): EvaluationLine | null {
  return evaluationLineSchema.safeParse(parseJson(text)).data ?? null
}
