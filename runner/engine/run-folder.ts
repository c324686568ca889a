import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { chmod, open, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { z } from 'zod'
import {
  BUNDLE_KIND,
  type Bundle,
  compareEpisodes,
  isRunId,
  type Plan,
  planSchema,
} from '#lib/domain/record/index.ts'
import { BEAT_MS, hostId, isSilent } from '#lib/setup/host.mjs'
import { placeError } from '../runner-error.ts'
import { identifyProcess, isSameAlive } from '../sandbox/process/list-processes.ts'
import { writeAtomic } from './files.ts'
import { Journal } from './journal.ts'

/** The layout of one run on disk: the request (plan), the resolved environment (lock), the results (episodes), in that order. */
export class RunFolder {
  readonly path: string

  constructor(path: string) {
    this.path = path
  }

  get planPath(): string {
    return join(this.path, 'plan.json')
  }
  get lockPath(): string {
    return join(this.path, 'lock.json')
  }
  get journalPath(): string {
    return join(this.path, 'journal.ndjson')
  }
  get resultPath(): string {
    return join(this.path, 'result.json')
  }
  get holderPath(): string {
    return join(this.path, 'runner.pid')
  }
  /** Processes and folders in use outside this folder; exists only while a runner runs, or after one was killed. */
  get outsidePath(): string {
    return join(this.path, 'outside.json')
  }
  get episodesPath(): string {
    return join(this.path, 'episodes')
  }

  /** Lists the folder of every attempt, sealed or not. */
  listAttempts(): string[] {
    return foldersIn(this.episodesPath).flatMap(foldersIn)
  }

  /** Returns one attempt's folder, relative to the run, so that events and envelopes can name it. */
  attemptPath(taskId: string, repetition: number, attempt: number): string {
    return join('episodes', taskId, `r${repetition}-a${attempt}`)
  }
}

const namedSchema = z.object({ runId: z.string() })

/** Returns the run that is already in a folder, or null; its id is null if nothing there states it. */
export function existingRun(out: string): { plan: Plan; runId: string | null } | null {
  const folder = new RunFolder(out)
  if (!existsSync(folder.planPath)) return null
  const parsed = planSchema.safeParse(readQuietly(folder.planPath))
  return parsed.success ? { plan: parsed.data, runId: findRunId(folder) } : null
}

/** Returns the folder for a new run. Throws if it contains files but no plan that shows it to be a run's. */
export function refuseUnowned(out: string): string {
  const folder = new RunFolder(out)
  const { planPath, lockPath, journalPath, resultPath } = folder
  const ours = [planPath, lockPath, journalPath, resultPath, ...folder.listAttempts()]
  const unowned = ours.find(existsSync)
  if (unowned === undefined) return out
  throw placeError(
    `${unowned} would be overwritten, and ${out} contains no plan of a run: choose another --out`,
  )
}

/**
 * Reads the id from the first envelope found; all are validated later, when they are counted. A run killed before its
 * first seal is identified by its journal, else by its folder: under another id its first attempts would be missing,
 * and a board would not find the run.
 */
function findRunId(folder: RunFolder): string | null {
  for (const attempt of folder.listAttempts()) {
    const named = namedSchema.safeParse(readQuietly(join(attempt, 'episode.json')))
    if (named.success) return named.data.runId
  }
  const name = basename(folder.path)
  return new Journal(folder.journalPath).readRunId() ?? (isRunId(name) ? name : null)
}

/** Lists folders only; stray files of a file manager are ignored. */
function foldersIn(path: string): string[] {
  if (!existsSync(path)) return []
  return readdirSync(path, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => join(path, entry.name))
}

function readQuietly(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    return null
  }
}

/**
 * Locks the run's folder for this process: two runners in one folder would run the same slots twice. A killed holder
 * leaves its file; it counts only while its process lives (pid and start time, because pids are reused), or, on another
 * machine, while it keeps updating the file.
 */
export async function lockRunFolder(holderPath: string): Promise<() => Promise<void>> {
  for (let tries = 0; tries < 3; tries++) {
    try {
      const file = await open(holderPath, 'wx')
      const text = `${identifyProcess(process.pid).replace('@', ' ')} ${hostId()}\n`
      await file.write(text, 0)
      const heart = setInterval(() => file.write(text, 0).catch(() => {}), BEAT_MS).unref()
      return async () => {
        clearInterval(heart)
        await file.close()
        await rm(holderPath, { force: true })
      }
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
      await dropStale(holderPath)
    }
  }
  throw placeError(
    `another runner is using this folder (${holderPath}): wait for it or choose another --out`,
  )
}

async function dropStale(holderPath: string): Promise<void> {
  const holder = findHolder(holderPath)
  if (holder !== null)
    throw placeError(`${holder} works in this folder: wait for it or choose another --out`)
  await rm(holderPath, { force: true })
}

/** Describes the runner that works in a folder now; null = none. */
function findHolder(holderPath: string): string | null {
  const text = existsSync(holderPath) ? readFileSync(holderPath, 'utf8') : ''
  const [pid, started, host = hostId()] = text.trim().split(' ')
  const isElsewhere = host !== hostId()
  if (!pid || !(isElsewhere ? !isSilent(holderPath) : isSameAlive(`${pid}@${started}`))) return null
  return `runner ${pid}${isElsewhere ? ` on ${host}` : ''}`
}

/**
 * Finds a run of this plan below `runs` that was killed between its registration at a board and its first attempt. The
 * board expects that run, so the same command has to continue it. Null = none.
 */
export function findOwedRun(runs: string, planDigest: string, to: string): string | null {
  const found = foldersIn(runs).find((path) => {
    const folder = new RunFolder(path)
    if (existsSync(folder.resultPath) || folder.listAttempts().length > 0) return false
    return (
      new Journal(folder.journalPath).readBoard() === to &&
      existingRun(path)?.plan.planDigest === planDigest &&
      findHolder(folder.holderPath) === null
    )
  })
  return found ?? null
}

/** Restricts access to a run of an earlier version; a folder that is not a run's stays unchanged. */
export async function closeRunFolder({ path, planPath }: RunFolder): Promise<void> {
  if (existsSync(planPath) && (statSync(path).mode & 0o077) !== 0) await chmod(path, 0o700)
}

/** Keeps an existing plan byte for byte: its author may compare. */
export async function writePlan({ path, planPath }: RunFolder, plan: Plan): Promise<void> {
  if (existingRun(path)?.plan.planDigest === plan.planDigest) return
  await writeAtomic(planPath, `${JSON.stringify(plan, null, 2)}\n`)
}

type Result = Pick<Bundle, 'runId' | 'plan' | 'lock' | 'shard' | 'episodes'>

/** Writes the bundle that CI submits; it contains every attempt, in a fixed order. */
export async function writeResult(folder: RunFolder, result: Result): Promise<void> {
  const { runId, plan, lock, shard } = result
  const episodes = [...result.episodes].sort(compareEpisodes)
  const bundle: Bundle = {
    kind: BUNDLE_KIND,
    schemaVersion: plan.schemaVersion,
    runId,
    plan,
    lock,
    shard,
    episodes,
  }
  await writeAtomic(folder.resultPath, `${JSON.stringify(bundle)}\n`)
}
