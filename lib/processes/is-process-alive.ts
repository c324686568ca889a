import { hostId } from '#lib/setup/host.mjs'

/** True while a process of this number exists on this machine. */
export function isProcessAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

/**
 * What can be said here of a process that was noted down with its machine: `elsewhere` = it runs, or ran, on another
 * one, where its number means something else. Notes of earlier versions name no machine and are of this one.
 */
export function locateProcess(
  pid: number,
  host: string | null | undefined,
): 'alive' | 'gone' | 'elsewhere' {
  if (host && host !== hostId()) return 'elsewhere'
  return pid > 0 && isProcessAlive(pid) ? 'alive' : 'gone'
}
