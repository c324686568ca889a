import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { endOne } from './process-tree.ts'

/**
 * Bytes of address space that node 24 reserves for each isolate's code and hardly uses. The kernel's data limit
 * (`RLIMIT_DATA`) counts them as memory.
 */
export const ISOLATE_RESERVE_BYTES = 512 * 2 ** 20

/**
 * The kernel's data limit for a process that may use `memoryBytes`, with room for the isolates that a test runner
 * starts in one process, one per processor.
 */
export function dataLimit(memoryBytes: number): number {
  return memoryBytes + ISOLATE_RESERVE_BYTES * (1 + availableParallelism())
}

/**
 * Kills processes that use more than `memoryBytes`, as the kernel would; absent = no limit. Returns true if there were
 * any.
 */
export function endOverMemory(
  running: readonly { pid: number }[],
  memoryBytes: number | undefined,
): boolean {
  if (memoryBytes === undefined) return false
  const over = running.filter(({ pid }) => usedMemory(pid) > memoryBytes)
  for (const { pid } of over) endOne(pid)
  return over.length > 0
}

/** Bytes of private memory of a process; 0 if it is gone or the system does not report it. */
function usedMemory(pid: number): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'latin1')
    return Number(/^RssAnon:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) * 1024
  } catch {
    return 0
  }
}
