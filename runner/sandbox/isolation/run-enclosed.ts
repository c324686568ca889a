import { readFileSync, statfsSync } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import os from 'node:os'
import { join } from 'node:path'
import type { Settings } from '#lib/domain/record/index.ts'
import { makeScratch } from '../../scratch.ts'
import type { CappedLog } from '../process/capped-log.ts'
import { type ProcessEnding, runProcess } from '../process/run-process.ts'
import { runTool, type ToolEnding } from '../process/run-tool.ts'
import type {
  EnclosedLimits,
  EncloseRequest,
  Enclosure,
  GatewaySocket,
  Isolation,
  Places,
  ProgramFolder,
} from './isolation.ts'
import { INSIDE, INSIDE_PATH } from './isolation.ts'
import { checkPrograms } from './system-mounts.ts'

const GRACE_MS = 1500

/** One program of a subject: what to start, with paths as the attempt's isolation shows them inside. */
export type EnclosedProgram = {
  /** A shell command line, or a program and its arguments, which no shell ever reads. */
  command: string | readonly string[]
  env: Record<string, string>
  /** A file of this machine that stdin reads from; without one stdin is closed. */
  stdin?: string | null
  /** Another time limit than the plan's, for a step before the subject's own. */
  mostMs?: number
  programs?: readonly ProgramFolder[]
  gateway?: GatewaySocket | null
  /** See `ProcessRequest`. */
  finished?: AbortSignal | undefined
}

/** The limits of one program; absent = the default. */
export type EnclosedSettings = Pick<
  Settings,
  'timeoutMs' | 'diskQuotaBytes' | 'memoryBytes' | 'maxProcesses'
> & { cpus?: number | null }

/** What of an attempt matters for starting programs. */
export type EnclosedAttempt = Places & {
  isolation: Isolation
  /** Above all places; nothing else may be written. */
  folder: string
  settings: EnclosedSettings
  /** Bytes of `folder` at the start, which count for no limit; absent = none. */
  baseBytes?: number
  /** Marks its processes; unique in the run. */
  marker: string
  runMark: string
  log: CappedLog
  signal: AbortSignal
  /** See `ProcessRequest`. */
  lostMs?: () => number
  /** See `EncloseRequest`. */
  network?: boolean
}

/** The ending of a program; `isDiskFull` = the disk of this machine was full at its end. */
export type EnclosedEnding = ProcessEnding & { isDiskFull?: true }

/** Runs a subject's program at the isolation level of its plan and returns when all of its processes are gone. */
export async function runEnclosed(
  attempt: EnclosedAttempt,
  program: EnclosedProgram,
): Promise<EnclosedEnding> {
  const { isolation, workspace, home, temporary, folder, marker, runMark, settings } = attempt
  const { stdin = null, mostMs = settings.timeoutMs, programs = [], gateway = null } = program
  const { diskQuotaBytes } = settings
  checkPrograms(programs)
  const enclosure = await isolation.enclose({
    command: program.command,
    env: isolation.path === null ? program.env : { ...program.env, PATH: isolation.path },
    places: { workspace, home, temporary },
    folder,
    programs,
    gateway,
    network: attempt.network === true,
    readsStdin: stdin !== null,
    limits: enclosedLimits(settings),
    marker,
    runMark,
  })
  const killsBefore = countMemoryKills()
  const ending = await runProcess({
    ...enclosure,
    stdin,
    folder,
    marker,
    timeoutMs: mostMs,
    lostMs: attempt.lostMs,
    diskQuotaBytes,
    baseBytes: attempt.baseBytes,
    maxProcesses: settings.maxProcesses ?? DEFAULT_PROCESSES,
    graceMs: GRACE_MS,
    log: attempt.log,
    signal: attempt.signal,
    finished: program.finished,
  })
  if (await failedItself(isolation, ending)) return { ...ending, cause: 'spawn-failed' }
  const isKilled = ending.signal === 'SIGKILL' || ending.exitCode === 128 + 9
  return {
    ...ending,
    ...(isKilled && countMemoryKills() > killsBefore && { isOutOfMemory: true }),
    ...(isDiskFull(folder) && { isDiskFull: true }),
  }
}

/** Processes that the kernel ended for want of memory since it started; 0 where it does not say. */
function countMemoryKills(): number {
  try {
    const [, count] = /^oom_kill (\d+)$/m.exec(readFileSync('/proc/vmstat', 'utf8')) ?? []
    return Number(count ?? 0)
  } catch {
    return 0
  }
}

/** Less than this is left only where others have filled the disk: a subject's own quota ends it before. */
const FULL_BELOW_BYTES = 1 << 20

function isDiskFull(folder: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(folder)
    return bavail * bsize < FULL_BELOW_BYTES
  } catch {
    return false
  }
}

/**
 * Whether the sandbox failed and not the subject. Both may end with that exit code, so the machine is asked again:
 * its answer is nothing a subject can bend.
 */
async function failedItself(
  { ownFailure, available }: Isolation,
  { cause, exitCode }: ProcessEnding,
): Promise<boolean> {
  if (cause !== 'exited' || ownFailure === null || exitCode !== ownFailure) return false
  return (await available()) !== null
}

/** Processes at a time where nothing else is declared; checked while the subject runs. */
export const DEFAULT_PROCESSES = 256
export const DEFAULT_MEMORY_BYTES = 4 * 2 ** 30

// The kernel counts threads, of which a process of a modern agent has a dozen and more.
const THREADS_PER_PROCESS = 4

/** What a sandbox may take of this machine. */
function enclosedLimits({
  diskQuotaBytes,
  memoryBytes = DEFAULT_MEMORY_BYTES,
  maxProcesses = DEFAULT_PROCESSES,
  cpus,
}: Omit<EnclosedSettings, 'timeoutMs'>): EnclosedLimits {
  const all = os.cpus().length || 1
  return {
    diskQuotaBytes,
    maxThreads: maxProcesses * THREADS_PER_PROCESS,
    memoryBytes,
    cpus: Math.min(cpus ?? all, all),
  }
}

/** Enough to find out whether a sandbox starts. */
const PROBE_LIMITS: EnclosedLimits = enclosedLimits({ diskQuotaBytes: 64 << 20 })

const PROBE = 'proofboard-probe'

/** Starts `node --version` as an attempt would start an agent, to find out whether a sandbox works here. */
export function probeNode(enclose: Enclose): Promise<ToolEnding> {
  return probeProgram(enclose, { command: ['node', '--version'], programs: [] })
}

type Enclose = (request: EncloseRequest) => Promise<Enclosure>

/** A large program needs long for its first start on a busy machine. */
const MAX_PROBE_MS = 120_000

/** Starts a program as an attempt would start it. */
export async function probeProgram(
  enclose: Enclose,
  { command: asked, programs }: Pick<EncloseRequest, 'command' | 'programs'>,
): Promise<ToolEnding> {
  const folder = await makeScratch(PROBE)
  try {
    const places = {
      workspace: join(folder, 'workspace'),
      home: join(folder, 'home'),
      temporary: join(folder, 'tmp'),
    }
    for (const path of Object.values(places)) await mkdir(path)
    const { command, env, end } = await enclose({
      command: asked,
      env: { PATH: INSIDE_PATH, HOME: INSIDE.home, TMPDIR: INSIDE.temporary },
      places,
      folder,
      programs,
      gateway: null,
      readsStdin: false,
      limits: PROBE_LIMITS,
      marker: PROBE,
      runMark: PROBE,
    })
    const argv = typeof command === 'string' ? ['/bin/sh', '-c', command] : command
    const ending = await runTool(argv, { env, timeoutMs: MAX_PROBE_MS })
    await end()
    return ending
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
