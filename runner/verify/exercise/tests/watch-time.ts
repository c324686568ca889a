import { readdirSync, readFileSync } from 'node:fs'

/** The upper limit of a wait on a busy machine, as a multiple of the limit. */
export const PATIENCE = 6

const LOOK_EACH_MS = 250

/**
 * Calls `stop` when a process has used up `limitMs`: wall time less the time for which it was ready to run and the
 * machine gave it no processor, so that a busy machine is not the solution's fault. Where the kernel does not report it
 * (macOS), wall time counts whole.
 */
export function watchTime(
  pid: number | undefined,
  limitMs: number,
  stop: () => void,
): { end: () => void } {
  const startedAt = performance.now()
  const waitedBefore = starvedMs(pid)
  let timer: NodeJS.Timeout
  const look = (): void => {
    const wall = performance.now() - startedAt
    const left = limitMs - (wall - (starvedMs(pid) - waitedBefore))
    if (left <= 0 || wall >= limitMs * PATIENCE) stop()
    else timer = setTimeout(look, Math.max(LOOK_EACH_MS, left))
  }
  timer = setTimeout(look, limitMs)
  return { end: () => clearTimeout(timer) }
}

/** Milliseconds for which the processes of a tree were ready and had to wait (Linux schedstat). */
function starvedMs(pid: number | undefined): number {
  return pid === undefined ? 0 : treeOf(pid).reduce((sum, one) => sum + waitOf(one), 0)
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
