import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, lstatSync, openSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import type { Socket } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { takeBreaks } from '../../take-breaks.ts'
import type { CappedLog } from './capped-log.ts'
import { endOverMemory } from './process-memory.ts'
import { MARKER_VARIABLE, ProcessTree } from './process-tree.ts'
import { toArgv } from './run-tool.ts'

const STOP_GRACE_MS = 700
const MAX_DRAIN_MS = 200

export type ProcessRequest = {
  /** A shell command line for /bin/sh, or a program and its arguments, which no shell reads. */
  command: string | readonly string[]
  /** A file for stdin; without one, stdin is closed. */
  stdin?: string | null
  cwd: string
  /** The complete environment: nothing is inherited. */
  env: Record<string, string>
  /** Identifies the process tree; unique among running subjects. */
  marker: string
  /** Contains everything that the subject may write; also identifies its processes. */
  folder: string
  timeoutMs: number
  /** Wall time lost to other programs so far, which `timeoutMs` does not count; at most as much again. */
  lostMs?: (() => number) | undefined
  diskQuotaBytes: number
  /** Bytes in `folder` at the start, which do not count towards the quota; absent = none. */
  baseBytes?: number | undefined
  maxProcesses: number
  /** Memory limit of each process, which is killed above it; absent = none, or the sandbox has its own. */
  memoryBytes?: number
  /** Time between SIGTERM and SIGKILL. */
  graceMs: number
  log: CappedLog
  signal: AbortSignal
  /** Ends it in order, as `finished`: its work is done, but it does not exit. */
  finished?: AbortSignal | undefined
  /** The started program only wraps the subject. It gets no signal to end, because it would end the subject too. */
  holdsSubject?: boolean
  /** The user that it is started as; absent = the runner's. */
  user?: { uid: number; gid: number }
  /** Receives descriptor 3, a socket; absent = it has none. */
  carry?: (pipe: Socket) => void
  /** Asks processes that no signal of this machine reaches to end. */
  askToEnd?: () => Promise<void>
  /** Reads the sandbox's state at the end. Called once, before `end`. */
  inspect?: () => Promise<SandboxState>
  /** Ends what signals cannot reach, such as a container; false if that failed. Called once, at every ending. */
  end?: () => Promise<boolean>
}

/** A sandbox's report on a program that ended. */
export type SandboxState = {
  /** False if the sandbox failed before the program ran. */
  hasStarted: boolean
  /** True if the kernel killed one of its processes at the memory limit. */
  isOutOfMemory: boolean
}

export type ProcessEnding = {
  cause: 'exited' | 'finished' | 'timeout' | 'cancelled' | 'spawn-failed' | Violation
  exitCode: number | null
  signal: string | null
  /** Number of processes still running when the subject itself had ended. */
  leftBehind: number
  /** False if something could not be killed. */
  clean: boolean
  /** Time from the time limit to the end of its last process; absent = it ended earlier. */
  overrunMs?: number
  /**
   * True if the kernel killed a process for lack of memory, in its container or on this machine; absent = no, or
   * unknown.
   */
  isOutOfMemory?: true
}

/**
 * Runs one command and resolves when its whole process tree is gone: after it ended, at a limit, or at `signal`. Every
 * ending is a value. stdin is closed or a file, because several agents wait for an open pipe.
 */
export async function runProcess(request: ProcessRequest): Promise<ProcessEnding> {
  const child = start(request)
  const exited = waitForExit(child)
  if (child.pid === undefined) {
    const clean = (await request.end?.()) ?? true
    return { ...(await exited), cause: 'spawn-failed', leftBehind: 0, clean }
  }
  pipeOutput(child, request.log)
  request.carry?.(child.stdio[3] as Socket)
  const drained = once(child, 'close').catch(() => {})
  const tree = new ProcessTree({
    rootPid: child.pid,
    marker: request.marker,
    folder: request.folder,
  })
  const stop = new AbortController()
  let isOutOfMemory = false
  const onMemory = () => {
    isOutOfMemory = true
  }
  const cause = await Promise.race([
    exited.then(() => 'exited' as const),
    watchLimits(tree, { ...request, onMemory }, stop.signal),
    timeUp(request, stop.signal),
    aborted(request.signal, stop.signal, 'cancelled' as const),
    aborted(request.finished, stop.signal, 'finished' as const),
  ])
  const causeAtMs = performance.now()
  stop.abort()
  const spared = request.holdsSubject ? child.pid : null
  // The run is being stopped, so the subject's last output does not matter.
  const graceMs = cause === 'cancelled' ? Math.min(request.graceMs, STOP_GRACE_MS) : request.graceMs
  if (cause !== 'exited') {
    void request.askToEnd?.()
    await askToEnd(tree, exited, { graceMs, spared })
  }
  const leftBehind = cause === 'exited' ? tree.look().length : 0
  const state = await request.inspect?.()
  const ended = (await request.end?.()) ?? true
  const clean = (await tree.destroy()) && ended
  const status = await Promise.race([
    exited,
    sleep(1000, { exitCode: null, signal: null }, { ref: false }),
  ])
  // Its last output may still be in the pipes; a process that could not be ended may keep them open.
  await Promise.race([drained, sleep(MAX_DRAIN_MS, undefined, { ref: false })])
  for (const stream of child.stdio) stream?.destroy()
  const overrun =
    cause === 'timeout' ? { overrunMs: Math.round(performance.now() - causeAtMs) } : {}
  const memory = isOutOfMemory || state?.isOutOfMemory ? { isOutOfMemory: true as const } : {}
  return {
    ...status,
    cause: nameCause(cause, status, state),
    leftBehind,
    clean,
    ...overrun,
    ...memory,
  }
}

/** SIGXFSZ, from the file-size limit, counts as the disk quota. */
function nameCause(
  cause: ProcessEnding['cause'],
  { exitCode, signal }: Pick<ProcessEnding, 'exitCode' | 'signal'>,
  state: SandboxState | undefined,
): ProcessEnding['cause'] {
  if (cause !== 'exited') return cause
  if (state?.hasStarted === false) return 'spawn-failed'
  return signal === 'SIGXFSZ' || exitCode === 128 + 25 ? 'disk' : cause
}

function start(request: ProcessRequest): ChildProcess {
  // POSIX counts blocks of 512 bytes. A shell that counts 1024 allows twice as much, which the folder's size limits.
  const blocks = Math.ceil(request.diskQuotaBytes / 512)
  // Proofboard's umask is strict; the subject gets the usual one.
  const script = `umask 022; ulimit -c 0; ulimit -f ${blocks}; exec "$@"`
  const input = request.stdin ? openSync(request.stdin, 'r') : null
  try {
    return spawn('/bin/sh', ['-c', script, 'sh', ...toArgv(request.command)], {
      cwd: request.cwd,
      env: { ...request.env, [MARKER_VARIABLE]: request.marker } as unknown as NodeJS.ProcessEnv, // Next's types want NODE_ENV
      detached: true,
      ...request.user,
      stdio: [input ?? 'ignore', 'pipe', 'pipe', ...(request.carry ? ['pipe' as const] : [])],
    })
  } finally {
    if (input !== null) closeSync(input)
  }
}

function waitForExit(
  child: ChildProcess,
): Promise<{ exitCode: number | null; signal: string | null }> {
  return new Promise((resolve) => {
    child.once('exit', (exitCode, signal) => resolve({ exitCode, signal }))
    child.once('error', () => resolve({ exitCode: null, signal: null }))
  })
}

function pipeOutput(child: ChildProcess, log: CappedLog): void {
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer) => log.write(chunk))
    stream?.on('error', () => {})
  }
}

async function timeUp({ timeoutMs, lostMs = () => 0 }: ProcessRequest, signal: AbortSignal) {
  let waited = 0
  for (let limit = timeoutMs; waited < limit && !signal.aborted; ) {
    await sleep(limit - waited, undefined, { signal }).catch(() => {})
    waited = limit
    limit = timeoutMs + Math.min(timeoutMs, Math.round(lostMs()))
  }
  return 'timeout' as const
}

/** Returns `cause` when `signal` or `stop` aborts. Never resolves without a signal. */
async function aborted<C>(signal: AbortSignal | undefined, stop: AbortSignal, cause: C) {
  if (!signal) return new Promise<never>(() => {})
  if (!signal.aborted) await once(signal, 'abort', { signal: stop }).catch(() => {})
  return cause
}

/** Sends SIGTERM to the tree and waits, so that a well-behaved subject can close its files. */
async function askToEnd(
  tree: ProcessTree,
  exited: Promise<unknown>,
  { graceMs, spared }: { graceMs: number; spared: number | null },
): Promise<void> {
  tree.signal('SIGTERM', spared)
  const waiting = new AbortController()
  await Promise.race([
    exited,
    sleep(graceMs, undefined, { signal: waiting.signal }).catch(() => {}),
  ])
  waiting.abort()
}

type Violation = 'disk' | 'processes'

const LOOK_EVERY_MS = 250
/** The pause between two checks, as a multiple of the time that a check takes. */
const IDLE_SHARE = 5

type WatchedLimits = Pick<
  ProcessRequest,
  'folder' | 'diskQuotaBytes' | 'baseBytes' | 'maxProcesses' | 'memoryBytes'
> & { onMemory: () => void }

/**
 * Checks a running tree up to four times a second and returns the first limit that it exceeds; never returns if `stop`
 * comes first. Each check also records new members of the tree before they can hide.
 */
async function watchLimits(
  tree: ProcessTree,
  limits: WatchedLimits,
  stop: AbortSignal,
): Promise<Violation> {
  const { folder, diskQuotaBytes, baseBytes = 0, maxProcesses, memoryBytes, onMemory } = limits
  const maxBytes = diskQuotaBytes + baseBytes
  for (let wait = 25; ; ) {
    await sleep(wait, undefined, { signal: stop }).catch(() => {})
    if (stop.aborted) return new Promise<never>(() => {})
    const running = tree.look()
    if (running.length > maxProcesses) return 'processes'
    if (endOverMemory(running, memoryBytes)) onMemory()
    const startedAt = performance.now()
    if ((await folderSize(folder, maxBytes)) > maxBytes) return 'disk'
    // Measuring a folder of many files takes seconds, and must not occupy a processor.
    wait = Math.max(LOOK_EVERY_MS, IDLE_SHARE * (performance.now() - startedAt))
  }
}

const INODE_BYTES = 4096

/** Bytes on disk below a folder, as counted for the quota. */
export const measureFolder = (folder: string): Promise<number> => folderSize(folder, Infinity)

/**
 * Bytes on disk below a folder, without following links. Stops at `limit`, so that a hostile tree of a million files is
 * cheap to reject. Each entry counts for at least an inode (4 KiB).
 */
async function folderSize(folder: string, limit: number): Promise<number> {
  let total = 0
  const pause = takeBreaks()
  for (const waiting = [folder]; waiting.length > 0 && total <= limit; ) {
    const current = waiting.pop() as string
    const entries = await readdir(current, { withFileTypes: true }).catch(() => [])
    total += entries.length * INODE_BYTES
    for (const entry of entries) {
      if (entry.isDirectory()) waiting.push(join(current, entry.name))
      else if (total <= limit) total += sizeOf(join(current, entry.name))
      await pause()
    }
  }
  return total
}

function sizeOf(path: string): number {
  const found = lstatSync(path, { throwIfNoEntry: false })
  // A sparse file occupies less than its size.
  return found === undefined ? 0 : Math.min(found.size, found.blocks * 512)
}
