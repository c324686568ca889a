import { readdirSync, readFileSync } from 'node:fs'

const PATIENCE = 6
const MAX_PATIENCE_MS = 120_000
const LOOK_EACH_MS = 250

/** Upper limit of the wall time in which a process has to use up its own limit, even on a busy machine. */
export function wallLimitMs(limitMs: number): number {
  return Math.min(limitMs * PATIENCE, limitMs + MAX_PATIENCE_MS)
}

/** Why a process was stopped: it used up its time, or the machine did not give it that time within the wall limit. */
export type OutOfTime = 'timeout' | 'starved'

/**
 * Calls `stop` when a process has used up `limitMs`: wall time minus the time for which it was ready to run without a
 * processor, so that a busy machine does not count against the solution. If the kernel does not report it (macOS), all
 * wall time counts. A process that waits for its own threads is not starved.
 */
export function watchTime(
  pid: number | undefined,
  limitMs: number,
  stop: (reason: OutOfTime) => void,
): { end: () => void } {
  const startedAt = performance.now()
  const [waitedBefore, ranBefore] = [starvedMs(pid), ranMs(pid)]
  let timer: NodeJS.Timeout
  const look = (): void => {
    const wall = performance.now() - startedAt
    const left = limitMs - (wall - (starvedMs(pid) - waitedBefore))
    const hasRun = ranMs(pid) - ranBefore >= limitMs
    // The kernel counts a wait once it is over.
    if (left <= 0 && (hasRun || !isReady(pid))) stop('timeout')
    else if (wall >= wallLimitMs(limitMs)) stop(hasRun ? 'timeout' : 'starved')
    else timer = setTimeout(look, Math.max(LOOK_EACH_MS, left))
  }
  timer = setTimeout(look, limitMs)
  return { end: () => clearTimeout(timer) }
}

/** Milliseconds for which the processes of a tree were ready and had to wait (Linux schedstat). */
function starvedMs(pid: number | undefined): number {
  return pid === undefined ? 0 : treeOf(pid).reduce((sum, one) => sum + waitOf(one), 0)
}

/** Milliseconds of CPU that all threads of a tree have used (Linux). */
function ranMs(pid: number | undefined): number {
  return pid === undefined ? 0 : treeOf(pid).reduce((sum, one) => sum + cpuOf(one), 0)
}

const TICK_MS = 10
/** Fields of `/proc/<pid>/stat` after the name: state, user and system time. */
const [STATE, UTIME, STIME] = [0, 11, 12]

function cpuOf(pid: number): number {
  const fields = statOf(pid)
  return (Number(fields[UTIME] ?? 0) + Number(fields[STIME] ?? 0)) * TICK_MS
}

/** Returns true if a process of the tree is running or ready to run. */
function isReady(pid: number | undefined): boolean {
  return pid !== undefined && treeOf(pid).some((one) => statOf(one)[STATE] === 'R')
}

function statOf(pid: number): string[] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  } catch {
    return []
  }
}

function waitOf(pid: number): number {
  try {
    const [, waited = '0'] = readFileSync(`/proc/${pid}/schedstat`, 'latin1').split(' ')
    return Number(waited) / 1e6
  } catch {
    return 0
  }
}

function treeOf(pid: number): number[] {
  try {
    const children = readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
      readFileSync(`/proc/${pid}/task/${thread}/children`, 'latin1').split(' ').filter(Boolean),
    )
    return [pid, ...children.flatMap((child) => treeOf(Number(child)))]
  } catch {
    return [pid]
  }
}
