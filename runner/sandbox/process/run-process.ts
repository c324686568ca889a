import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { lstat, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { CappedLog } from './capped-log.ts'
import { endOverMemory } from './process-memory.ts'
import { MARKER_VARIABLE, ProcessTree } from './process-tree.ts'

const STOP_GRACE_MS = 700
const MAX_DRAIN_MS = 200

export type ProcessRequest = {
  /** A shell command line, run by /bin/sh; or a program and its arguments, which no shell ever reads. */
  command: string | readonly string[]
  /** A file that stdin reads from; without one stdin is closed. */
  stdin?: string | null
  cwd: string
  /** The whole environment: nothing of ours is inherited. */
  env: Record<string, string>
  /** Unique among running subjects; marks the tree. */
  marker: string
  /** Everything the subject may write is below; also identifies its processes. */
  folder: string
  timeoutMs: number
  /** Wall time that other programs took from it so far, which `timeoutMs` does not count; at most as much again. */
  lostMs?: (() => number) | undefined
  diskQuotaBytes: number
  /** Bytes below `folder` at the start, which the quota does not count; absent = none. */
  baseBytes?: number | undefined
  maxProcesses: number
  /** Memory of each process, above which it is killed as the kernel would; absent = no limit, or the sandbox has its own. */
  memoryBytes?: number
  /** Between SIGTERM and SIGKILL. */
  graceMs: number
  log: CappedLog
  signal: AbortSignal
  /** Ends it in order, as `finished`: its work is done, and it stays. */
  finished?: AbortSignal | undefined
  /** The started program only wraps the subject: it gets no signal to end, because it would end the subject too. */
  holdsSubject?: boolean
  /** Who it is started as; absent = ourselves. */
  user?: { uid: number; gid: number }
  /** Asks what no signal of this machine reaches to end. */
  askToEnd?: () => Promise<void>
  /** Reads what the sandbox knows about the ending. Called once, before `end`. */
  inspect?: () => Promise<SandboxState>
  /** Ends what signals cannot reach, such as a container; false when it could not. Called once, at every ending. */
  end?: () => Promise<boolean>
}

/** What a sandbox knows about a program that ended. */
export type SandboxState = {
  /** False = the sandbox failed before the program ran. */
  hasStarted: boolean
  /** The kernel killed one of its processes at the memory limit. */
  isOutOfMemory: boolean
}

export type ProcessEnding = {
  cause: 'exited' | 'finished' | 'timeout' | 'cancelled' | 'spawn-failed' | Violation
  exitCode: number | null
  signal: string | null
  /** Processes that were still there when the subject itself had ended. */
  leftBehind: number
  /** False when something could not be killed. */
  clean: boolean
  /** From the time limit to the end of its last process; absent when it ended before. */
  overrunMs?: number
  /** The kernel killed a process for want of memory, in its container or on this machine; absent = no, or unknown. */
  isOutOfMemory?: true
}

/**
 * Runs one command and answers only when its whole tree is gone: by itself, at a limit, or at `signal`. Every ending
 * is a value. stdin is closed at once or a file that ends, because an open pipe makes several agents wait for it.
 */
export async function runProcess(request: ProcessRequest): Promise<ProcessEnding> {
  const child = start(request)
  const exited = waitForExit(child)
  if (child.pid === undefined) {
    const clean = (await request.end?.()) ?? true
    return { ...(await exited), cause: 'spawn-failed', leftBehind: 0, clean }
  }
  pipeOutput(child, request.log)
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
  // The run is being stopped, and the subject's last output no longer matters.
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
  // What it wrote last may still be in the pipes; one that could not be ended may hold them open.
  await Promise.race([drained, sleep(MAX_DRAIN_MS, undefined, { ref: false })])
  child.stdout?.destroy()
  child.stderr?.destroy()
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

/** A file-size limit kills with SIGXFSZ: the disk quota by another name. */
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
  // POSIX counts blocks of 512 bytes. A shell that counts 1024 allows twice; then the measured folder ends it.
  const blocks = Math.ceil(request.diskQuotaBytes / 512)
  const words =
    typeof request.command === 'string' ? ['/bin/sh', '-c', request.command] : request.command
  // Ours is strict; the subject works with the one that every shell starts with.
  const script = `umask 022; ulimit -c 0; ulimit -f ${blocks}; exec "$@"`
  const input = request.stdin ? openSync(request.stdin, 'r') : null
  try {
    return spawn('/bin/sh', ['-c', script, 'sh', ...words], {
      cwd: request.cwd,
      env: { ...request.env, [MARKER_VARIABLE]: request.marker } as unknown as NodeJS.ProcessEnv, // Next's types want NODE_ENV
      detached: true,
      ...request.user,
      stdio: [input ?? 'ignore', 'pipe', 'pipe'],
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

/** Returns `cause` when `signal` aborts or `stop` does; without a signal it never ends. */
async function aborted<C>(signal: AbortSignal | undefined, stop: AbortSignal, cause: C) {
  if (!signal) return new Promise<never>(() => {})
  if (!signal.aborted) await once(signal, 'abort', { signal: stop }).catch(() => {})
  return cause
}

/** SIGTERM to the tree, then wait: a well-behaved subject may close its files. */
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
/** The pause between two looks, as a multiple of the time that a look takes. */
const IDLE_SHARE = 5

type WatchedLimits = Pick<
  ProcessRequest,
  'folder' | 'diskQuotaBytes' | 'baseBytes' | 'maxProcesses' | 'memoryBytes'
> & { onMemory: () => void }

/**
 * Looks at a running tree up to four times a second and returns the first limit that it breaks; never returns when `stop`
 * comes first. The looks also teach the tree its members before they can hide.
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
    // A folder of many files takes seconds to measure, and must not take a whole processor.
    wait = Math.max(LOOK_EVERY_MS, IDLE_SHARE * (performance.now() - startedAt))
  }
}

const INODE_BYTES = 4096

/** Bytes on disk below a folder, as the quota counts them. */
export const measureFolder = (folder: string): Promise<number> => folderSize(folder, Infinity)

/**
 * Bytes on disk below a folder, links not followed. Stops counting once `limit` is passed, so that a hostile tree of
 * a million files costs no more than the answer "too much". Counts an inode's worth (4 KiB) for each entry.
 */
async function folderSize(folder: string, limit: number): Promise<number> {
  let total = 0
  for (const waiting = [folder]; waiting.length > 0 && total <= limit; ) {
    const current = waiting.pop() as string
    const entries = await readdir(current, { withFileTypes: true }).catch(() => [])
    total += entries.length * INODE_BYTES
    for (const entry of entries) {
      if (entry.isDirectory()) waiting.push(join(current, entry.name))
      else if (total <= limit) total += await sizeOf(join(current, entry.name))
    }
  }
  return total
}

async function sizeOf(path: string): Promise<number> {
  try {
    const { blocks, size } = await lstat(path)
    // A sparse file claims a size it does not take.
    return Math.min(size, blocks * 512)
  } catch {
    return 0
  }
}
