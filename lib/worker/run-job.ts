import { createWriteStream, existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import { parseJson } from '#lib/domain/text/index.ts'
import type { Db } from '../db/database.ts'
import { listStoredDirectories } from '../db/episode-store.ts'
import { parsePlan } from '../db/plan-store.ts'
import { findRun, saveRun } from '../db/run-store.ts'
import { saveEpisode } from '../db/save-episode.ts'
import {
  formatPause,
  isRunId,
  type RunEvent,
  relativePathSchema,
  runEventSchema,
} from '../domain/record/index.ts'
import { env } from '../env.ts'
import { AppError, type ErrorCode } from '../errors.ts'
import { createLog } from '../log.ts'
import { type RunnerEnding, STOPS_WITH_STDIN, spawnRunner } from '../processes/spawn-runner.ts'
import { directoryOf } from '../server/evidence/disk-store.ts'
import { noteSealed } from './upload-evidence.ts'
import type { WorkerContext } from './worker-context.ts'

export type RunOptions = {
  runId: string
  folder: string
  concurrency: number
  /** No episode starts once the run has cost this much; null = no cap. */
  spendCapMicroUsd: number | null
  /** Called when a new episode was stored. */
  onKept: () => Promise<void>
  /** Called with the reason when the run waits for its provider; null = it continues. */
  onPause: (pause: string | null) => Promise<void>
}

const log = createLog('runner')

/** Reason why a run ended before its plan was done, without a failure; null = it is done. */
type RunEnd = { leftOut: string | null }

/** Runs a frozen plan, or what is missing of it, and stores each episode when it is sealed. Throws RunFailure. */
export async function runJob(options: RunOptions, context: WorkerContext): Promise<RunEnd> {
  const { runId, folder } = options
  const journal = createWriteStream(join(folder, 'runner.log'), { flags: 'a' })
  journal.on('error', (error) => log.warn("the runner's log cannot be written", { runId, error }))
  let hasEnded = false
  let leftOut: string | null = null
  // Undefined until the first event about it: an earlier worker may have stored a pause.
  let paused: string | null | undefined
  let keeping: Promise<void> = Promise.resolve()
  const onStdout = (line: string) => {
    journal.write(`${line}\n`)
    const ended = readEarlyEnd(line)
    if (ended !== null) {
      leftOut = ended
      return
    }
    const event = readEvent(line, runId)
    if (event?.event === 'run-ended') hasEnded = true
    if (event?.event === 'episode-sealed')
      keeping = keeping.then(() => keep(event.path, options, context))
    const pause = event === null ? undefined : readPause(event)
    if (pause !== undefined && pause !== paused) {
      paused = pause
      keeping = keeping.then(() => options.onPause(pause))
    }
  }
  const onStderr = (line: string) => journal.write(`${line}\n`)
  try {
    const ending = await spawnRunner(runArguments(options), { onStdout, onStderr }, context.signal)
    await keeping
    // 0 = all sealed, 1 = some are void; 1 without an end event is a failure of this machine.
    const isDone = hasEnded && (ending.exitCode === 0 || ending.exitCode === 1)
    if (!isDone) throw new RunFailure(ending)
    return { leftOut }
  } finally {
    journal.end()
  }
}

/** Builds the command line that runs a frozen plan. */
export function runArguments({
  runId,
  folder,
  concurrency,
  spendCapMicroUsd,
}: Omit<RunOptions, 'onKept' | 'onPause'>): string[] {
  const args = ['run', '--plan', join(folder, 'plan.json'), '--run-id', runId, '--out', folder]
  const cap = spendCapMicroUsd === null ? [] : ['--spend-cap', (spendCapMicroUsd / 1e6).toFixed(6)]
  return [...args, '--concurrency', String(concurrency), ...cap, '--events', STOPS_WITH_STDIN]
}

/** Undefined = the event does not concern a pause. */
function readPause(event: RunEvent): string | null | undefined {
  if (event.event === 'attempt-started') return null
  return event.event === 'run-paused' ? formatPause(event) : undefined
}

const EARLY_ENDS = ['spend-cap-reached', 'run-given-up'] as const
const earlyEndSchema = z.object({ event: z.enum(EARLY_ENDS), reason: z.string() })

/** Returns why the runner starts nothing more: the run reached its cost limit, or its agent cannot start. */
function readEarlyEnd(line: string): string | null {
  if (!EARLY_ENDS.some((event) => line.includes(event))) return null
  return earlyEndSchema.safeParse(parseJson(line)).data?.reason ?? null
}

/**
 * Stores one envelope. A failure loses nothing: the file stays, and the folder is scanned after the runner has ended.
 */
async function keep(
  path: string,
  { folder, runId, onKept }: RunOptions,
  { db }: WorkerContext,
): Promise<void> {
  try {
    const file = join(folder, relativePathSchema.parse(path))
    if ((await keepEnvelope(db, file)) === 'saved') await onKept()
  } catch (error) {
    log.warn('a sealed episode was not stored at once', { runId, path, error })
  }
}

function readEvent(line: string, runId: string): RunEvent | null {
  if (!line.trim()) return null
  const { data = null } = runEventSchema.safeParse(parseJson(line))
  if (data === null)
    log.warn('the runner printed a line that is not an event', { runId, line: line.slice(0, 300) })
  return data
}

/** The runner refused a request. Final = a retry would give the same result. */
export class RunFailure extends Error {
  override readonly name = 'RunFailure'
  readonly isFinal: boolean
  /** Ended from outside: by a signal, or by the kernel when memory ran out. */
  readonly isKilled: boolean

  constructor({ exitCode, signal, lastMessage }: RunnerEnding) {
    const ended = signal
      ? `the runner was ended by ${signal}`
      : `the runner ended with exit code ${exitCode}`
    // A killed process cannot report it: its last output concerned something else.
    super(signal ? ended : lastMessage || ended)
    this.isFinal = exitCode === 2
    this.isKilled = signal !== null
  }
}

const episodesLog = createLog('episodes')

/** Stores one sealed envelope from this server's own run folder. */
async function keepEnvelope(db: Db, file: string): Promise<'saved' | 'duplicate'> {
  const directory = directoryOf(env().dataDir, dirname(file))
  const receipt = { provenance: 'local', directory, receivedAt: new Date() } as const
  const envelope = await readFile(file, 'utf8').catch((error: unknown) => {
    throw unreadable('not-found', file, error)
  })
  // Noted before the row is stored, so that after a kill the files are still uploaded.
  noteSealed(directory, envelope)
  return saveEpisode(db, envelope, receipt)
}

/** Stores missing episodes of every run folder; returns how many were new. */
export async function saveAllRuns(db: Db): Promise<number> {
  const { runsDir } = env()
  let stored = 0
  for (const runId of await names(runsDir)) {
    if (!isRunId(runId)) continue
    try {
      stored += await saveRunFolder(db, runId)
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      episodesLog.warn('a run folder is left out', {
        runId,
        code: error.code,
        reason: error.message,
      })
    }
  }
  if (stored > 0) episodesLog.info('episodes found on disk', { stored })
  return stored
}

/**
 * Stores the episodes that a run folder has and the database lacks: sealed while no worker ran, or by the command line.
 */
export async function saveRunFolder(db: Db, runId: string): Promise<number> {
  const folder = join(env().runsDir, runId)
  const known = await listStoredDirectories(db, runId)
  const files = await listEnvelopes(folder)
  const fresh = files.filter((file) => !known.has(directoryOf(env().dataDir, dirname(file))))
  if (fresh.length === 0) return 0
  await keepPlan(db, runId, folder)
  let stored = 0
  for (const file of fresh) {
    try {
      if ((await keepEnvelope(db, file)) === 'saved') stored++
    } catch (error) {
      // One bad file must not stop the others; a database failure is not the file's fault.
      if (
        !(error instanceof AppError) ||
        !['invalid-episode', 'conflict', 'not-found'].includes(error.code)
      )
        throw error
      episodesLog.warn('an envelope is refused', { file, code: error.code, reason: error.message })
    }
  }
  return stored
}

async function keepPlan(db: Db, runId: string, folder: string): Promise<void> {
  if (await findRun(db, runId)) return
  const plan = parsePlan(await readJson(join(folder, 'plan.json')))
  await saveRun(db, { runId, plan, provenance: 'local', jobId: null }, new Date())
}

async function readJson(file: string): Promise<unknown> {
  if (!existsSync(file)) throw new AppError('not-found', `${file} is missing`)
  try {
    return JSON.parse(await readFile(file, 'utf8'))
  } catch (error) {
    throw new AppError('invalid-request', `${file} is not JSON`, { cause: error })
  }
}

async function listEnvelopes(folder: string): Promise<string[]> {
  const files: string[] = []
  for (const taskId of await names(join(folder, 'episodes'))) {
    for (const attempt of await names(join(folder, 'episodes', taskId))) {
      const file = join(folder, 'episodes', taskId, attempt, 'episode.json')
      if (existsSync(file)) files.push(file)
    }
  }
  return files
}

/** Lists sub-folders by name; none when the folder does not exist. */
async function names(folder: string): Promise<string[]> {
  if (!existsSync(folder)) return []
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: unknown) => {
    throw unreadable('invalid-request', folder, error)
  })
  return entries
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort()
}

/** Returns the error for a path that cannot be read, so that the paths beside it are still stored. */
function unreadable(code: ErrorCode, path: string, cause: unknown): AppError {
  const why = cause instanceof Error ? cause.message : String(cause)
  return new AppError(code, `${path} cannot be read: ${why}`, { cause })
}
