import { hostId } from '#lib/setup/host.mjs'

/** Returns whether a process with this id exists on this machine. */
export function isProcessAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

/**
 * Locates a recorded process: `elsewhere` = it runs, or ran, on another machine, where its id means something else.
 * Notes of earlier versions name no machine and count as local.
 */
export function locateProcess(
  pid: number,
  host: string | null | undefined,
): 'alive' | 'gone' | 'elsewhere' {
  if (host && host !== hostId()) return 'elsewhere'
  return pid > 0 && isProcessAlive(pid) ? 'alive' : 'gone'
}
