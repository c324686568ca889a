import { readFileSync, statfsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import os from 'node:os'
import { join } from 'node:path'
import type { Settings } from '#lib/domain/settings/index.ts'
import { inScratch } from '../../scratch.ts'
import type { CappedLog } from '../process/capped-log.ts'
import { type ProcessEnding, runProcess } from '../process/run-process.ts'
import { runTool, type ToolEnding, toArgv } from '../process/run-tool.ts'
import type {
  EnclosedLimits,
  EncloseRequest,
  Enclosure,
  GatewaySocket,
  Isolation,
  Mount,
  Places,
  ProgramFolder,
} from './isolation.ts'
import { INSIDE, INSIDE_PATH } from './isolation.ts'
import { checkPrograms } from './system-mounts.ts'

const GRACE_MS = 1500

/** One program of a subject, with paths inside the sandbox. */
export type EnclosedProgram = {
  /** A shell command line, or a program and its arguments, which no shell reads. */
  command: string | readonly string[]
  env: Record<string, string>
  /** A file of this machine for stdin; absent = stdin is closed. */
  stdin?: string | null
  /** A time limit instead of the plan's, for steps before the subject starts. */
  mostMs?: number
  programs?: readonly ProgramFolder[]
  gateway?: GatewaySocket | null
  /** See `ProcessRequest`. */
  finished?: AbortSignal | undefined
}

/** Limits of one program; absent = the default. */
export type EnclosedSettings = Pick<
  Settings,
  'timeoutMs' | 'diskQuotaBytes' | 'memoryBytes' | 'maxProcesses'
> & { cpus?: number | null }

/** The parts of an attempt that are needed to start programs. */
export type EnclosedAttempt = Places & {
  isolation: Isolation
  /** Contains all places; nothing outside of it can be written. */
  folder: string
  settings: EnclosedSettings
  /** Bytes in `folder` at the start, which do not count towards limits; absent = none. */
  baseBytes?: number
  /** Identifies its processes; unique in the run. */
  marker: string
  runMark: string
  log: CappedLog
  signal: AbortSignal
  /** See `ProcessRequest`. */
  lostMs?: () => number
  /** See `EncloseRequest`. */
  network?: boolean
  /** See `EncloseRequest`. */
  mounts?: readonly Mount[]
}

/** Ending of a program; `isDiskFull` = this machine's disk was full at that time. */
export type EnclosedEnding = ProcessEnding & { isDiskFull?: true }

/** Runs a subject's program at the plan's isolation level. Returns when all of its processes are gone. */
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
    mounts: attempt.mounts ?? [],
    stdin,
    limits: enclosedLimits(settings),
    marker,
    runMark,
  })
  const killsBefore = countMemoryKills()
  const ending = await runProcess({
    stdin,
    ...enclosure,
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

/** Number of out-of-memory kills on this machine since boot; 0 if unknown. */
function countMemoryKills(): number {
  try {
    const [, count] = /^oom_kill (\d+)$/m.exec(readFileSync('/proc/vmstat', 'utf8')) ?? []
    return Number(count ?? 0)
  } catch {
    return 0
  }
}

/** Less free space means that others filled the disk: a subject's own quota ends it earlier. */
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
 * Returns true if the sandbox failed, not the subject. Both can exit with the same code, so the machine is probed
 * again, which a subject cannot influence.
 */
async function failedItself(
  { ownFailure, available }: Isolation,
  { cause, exitCode }: ProcessEnding,
): Promise<boolean> {
  if (cause !== 'exited' || ownFailure === null || exitCode !== ownFailure) return false
  return (await available()) !== null
}

/** Default limit of concurrent processes, checked while the subject runs. */
export const DEFAULT_PROCESSES = 256
export const DEFAULT_MEMORY_BYTES = 4 * 2 ** 30

// The kernel counts threads, and one process of an agent can have more than a dozen.
const THREADS_PER_PROCESS = 4

/** Limits of a sandbox. */
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

/** Limits for a probe that only checks whether a sandbox starts. */
const PROBE_LIMITS: EnclosedLimits = enclosedLimits({ diskQuotaBytes: 64 << 20 })

const PROBE = 'proofboard-probe'

/** Starts `node --version` the way an attempt starts an agent, to check that the sandbox works. */
export function probeNode(enclose: Enclose): Promise<ToolEnding> {
  return probeProgram(enclose, { command: ['node', '--version'], programs: [] })
}

type Enclose = (request: EncloseRequest) => Promise<Enclosure>

/** A large program starts slowly the first time on a busy machine. */
const MAX_PROBE_MS = 120_000

/** Starts a program the way an attempt does. */
export async function probeProgram(
  enclose: Enclose,
  { command: requested, programs }: Pick<EncloseRequest, 'command' | 'programs'>,
): Promise<ToolEnding> {
  return inScratch(PROBE, async (folder) => {
    const places = {
      workspace: join(folder, 'workspace'),
      home: join(folder, 'home'),
      temporary: join(folder, 'tmp'),
    }
    for (const path of Object.values(places)) await mkdir(path)
    const { command, env, end } = await enclose({
      command: requested,
      env: { PATH: INSIDE_PATH, HOME: INSIDE.home, TMPDIR: INSIDE.temporary },
      places,
      folder,
      programs,
      gateway: null,
      stdin: null,
      limits: PROBE_LIMITS,
      marker: PROBE,
      runMark: PROBE,
    })
    const ending = await runTool(toArgv(command), { env, timeoutMs: MAX_PROBE_MS })
    await end()
    return ending
  })
}
