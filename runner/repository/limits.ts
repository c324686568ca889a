import type { RepositoryTask, TaskLimits } from '#lib/domain/tasks/index.ts'
import { countOf, formatBytes } from '#lib/domain/text/index.ts'
import {
  DEFAULT_MEMORY_BYTES,
  DEFAULT_PROCESSES,
  type EnclosedSettings,
} from '../sandbox/isolation/run-enclosed.ts'
import type { ProcessEnding } from '../sandbox/process/run-process.ts'
import type { TreeLimits } from './tree.ts'

type TimedPart = 'setup' | 'verify'
type Limited = Pick<RepositoryTask, 'limits' | 'verify'>

/** Bytes that a command of the task may write if the task declares no limit. */
const DEFAULT_DISK_BYTES = 2 * 2 ** 30
const DEFAULT_FILES = 60_000
const DEFAULT_SETUP_MS = 20 * 60_000

/** Returns the limits of set-up or verifier: the task's own, or the defaults. */
export function partLimits({ limits = {}, verify }: Limited, part: TimedPart): EnclosedSettings {
  const { setup } = limits
  const timeoutMs = part === 'setup' ? (setup?.timeoutMs ?? DEFAULT_SETUP_MS) : verify.timeoutMs
  const { memoryBytes, maxProcesses, diskQuotaBytes = DEFAULT_DISK_BYTES } = limits[part] ?? {}
  return { timeoutMs, diskQuotaBytes, memoryBytes, maxProcesses }
}

/** Maximum size of a prepared repository. */
export function treeLimits({ setup = {} }: TaskLimits = {}): TreeLimits {
  return {
    maxFiles: setup.maxFiles ?? DEFAULT_FILES,
    maxBytes: setup.diskQuotaBytes ?? DEFAULT_DISK_BYTES,
    advice: (kind) => `: raise limits.setup.${kind} in task.yaml`,
  }
}

/** Messages of programs that cannot allocate memory or write a file. */
const OUT_OF_MEMORY =
  /out of memory|heap limit|allocation failed|Cannot allocate memory|\bENOMEM\b|\bMemoryError\b|bad_alloc/i
const OUT_OF_DISK = /\bEFBIG\b|\bENOSPC\b|File too large|No space left on device/

/**
 * Returns the limit that ended a command of the task, with the field that raises it; null = none detected. `log` is its
 * output.
 */
export function findBrokenLimit(
  task: Limited,
  part: TimedPart,
  { ending, log }: { ending: ProcessEnding; log: string },
): string | null {
  const limits = partLimits(task, part)
  const raise = (field: string) => `: raise limits.${part}.${field} in task.yaml`
  const memory = formatBytes(limits.memoryBytes ?? DEFAULT_MEMORY_BYTES)
  const disk = formatBytes(limits.diskQuotaBytes)
  if (ending.cause === 'disk') return `wrote more than ${disk}${raise('disk')}`
  if (ending.cause === 'processes') {
    const most = countOf(limits.maxProcesses ?? DEFAULT_PROCESSES, 'process', 'processes')
    return `started more than ${most}${raise('processes')}`
  }
  if (ending.cause === 'timeout') {
    const field = part === 'setup' ? 'limits.setup.timeout' : 'verify.timeout'
    return `did not end within ${limits.timeoutMs / 1000} s: raise ${field} in task.yaml`
  }
  if (ending.exitCode === 0) return null
  if (ending.isOutOfMemory || OUT_OF_MEMORY.test(log))
    return `ran out of memory (${memory})${raise('memory')}`
  return OUT_OF_DISK.test(log) ? `could not write a file (${disk})${raise('disk')}` : null
}
