import os from 'node:os'
import type { EnclosedLimits } from './isolation.ts'

/** More at a time is no way to solve an exercise; looked at while the subject runs. */
export const MOST_PROCESSES = 256

// The kernel counts threads, of which a process of a modern agent has a dozen and more.
const MOST_THREADS = 1024
const MEMORY_BYTES = 4 * 2 ** 30

/** What a sandbox may take of this machine. */
export function enclosedLimits(diskQuotaBytes: number): EnclosedLimits {
  return {
    diskQuotaBytes,
    maxThreads: MOST_THREADS,
    memoryBytes: MEMORY_BYTES,
    cpus: os.cpus().length || 1,
  }
}

/** Enough to find out whether a sandbox starts. */
export const PROBE_LIMITS: EnclosedLimits = enclosedLimits(64 << 20)
