import { readdirSync, readFileSync, statSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { listProcesses, type RunningProcess } from './list-processes.ts'
import { runTool } from './run-tool.ts'
import { RUN_VARIABLE } from './start-guard.ts'

/** Marks a subject's processes; all descendants inherit it. */
export const MARKER_VARIABLE = 'PROOFBOARD_EPISODE'

/**
 * The processes of one subject: its descendants, and those that have its marker variable, share a group or session with
 * one of them, or work inside its folder. `seen` remembers members, so that a daemon which cleared its environment and
 * left its parent is still recognised.
 */
export class ProcessTree {
  readonly #seen = new Set<string>()
  readonly #rootPid: number
  readonly #marker: string
  readonly #folder: string

  constructor(options: { rootPid: number; marker: string; folder: string }) {
    this.#rootPid = options.rootPid
    this.#marker = `${MARKER_VARIABLE}=${options.marker}`
    this.#folder = options.folder
  }

  /** Members that are alive now. */
  look(): RunningProcess[] {
    const all = listProcesses().filter((one) => one.pid !== process.pid)
    const members = new Set(all.filter((one) => this.#belongs(one)).map((one) => one.pid))
    for (let grew = true; grew; ) {
      const before = members.size
      for (const one of all) {
        if (members.has(one.parent) || members.has(one.group) || members.has(one.session))
          members.add(one.pid)
      }
      grew = members.size > before
    }
    const found = all.filter((one) => members.has(one.pid))
    for (const { identity } of found) this.#seen.add(identity)
    return found
  }

  /** Signals every member but `spared`; members that are gone are not an error. */
  signal(signal: NodeJS.Signals, spared: number | null = null): number {
    const members = this.look()
    for (const { pid } of members) {
      if (pid === spared) continue
      try {
        process.kill(pid, signal)
      } catch {
        // already gone
      }
    }
    return members.length
  }

  /**
   * Sends SIGKILL and looks again until no process is left; false if some survived `rounds` attempts (uninterruptible
   * sleep).
   */
  async destroy(rounds = 50): Promise<boolean> {
    for (let round = 0; round < rounds; round++) {
      // SIGSTOP first, so that a forking tree does not outrun the killing.
      if (round > 0) this.signal('SIGSTOP')
      if (this.signal('SIGKILL') === 0) return true
      await sleep(Math.min(5 * (round + 1), 100))
    }
    return this.look().length === 0
  }

  #belongs(one: RunningProcess): boolean {
    if (one.environment.includes(this.#marker)) return true
    if (one.cwd === this.#folder || one.cwd.startsWith(`${this.#folder}/`)) return true
    // The root leads the group and session that it was started in, also after it is gone.
    const led = one.group === this.#rootPid || one.session === this.#rootPid
    return led || one.pid === this.#rootPid || this.#seen.has(one.identity)
  }
}

const ROUNDS = 50
/** Separators of variables: NUL from the kernel, a space from ps where there is no /proc. */
const BETWEEN = /[\0 ]/

/** Sends SIGKILL to every process with a run's mark until none is left; false if some cannot be ended. */
export async function endMarked(mark: string): Promise<boolean> {
  for (let round = 0; round < ROUNDS; round++) {
    const marked = listProcesses().filter(
      ({ pid, environment }) =>
        pid !== process.pid && environment.split(BETWEEN).includes(`${RUN_VARIABLE}=${mark}`),
    )
    if (marked.length === 0) return true
    for (const { pid } of marked) endOne(pid)
    await sleep(Math.min(5 * (round + 1), 100))
  }
  return false
}

/** Sends SIGKILL to one process. */
export function endOne(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // already gone
  }
}

const USER_ROUNDS = 20

/**
 * Ends every process of a user that was allocated to one subject. A process of that user signals all others in one
 * call, which forking cannot outrun. False if some survived. Needs root.
 */
export async function endUser(user: { uid: number; gid: number }): Promise<boolean> {
  for (let round = 0; round < USER_ROUNDS; round++) {
    await runTool(['/bin/sh', '-c', 'kill -9 -1'], {
      env: { PATH: '/usr/bin:/bin' },
      timeoutMs: 10_000,
      user,
    })
    if (!hasProcesses(user.uid)) return true
    await sleep(Math.min(5 * (round + 1), 100))
  }
  return false
}

/** True if a process of this user is alive. Without /proc, the result of the signal is trusted. */
function hasProcesses(uid: number): boolean {
  if (process.platform !== 'linux') return false
  return readdirSync('/proc').some((entry) => /^\d+$/.test(entry) && isAliveOf(entry, uid))
}

function isAliveOf(pid: string, uid: number): boolean {
  try {
    if (statSync(`/proc/${pid}`).uid !== uid) return false
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    return !/^[ZX]/.test(stat.slice(stat.lastIndexOf(')') + 2))
  } catch {
    return false // already gone
  }
}
