import {
  planQueue,
  type QueuedJob,
  type QueueLimits,
  type QueueWait,
  type SlotClaim,
  slotsOf,
} from './queue.ts'

/** Expected wait of a job that is queued now. */
export type WaitForecast = {
  /** Its concurrency: the requested number, limited by machine and provider. */
  slots: number
  /** Number of running and queued jobs before it. */
  ahead: number
  /** Why it does not start at once; null = it does. */
  reason: QueueWait | null
  /** Milliseconds until it starts; null = a job before it has no estimate yet. */
  ms: number | null
}

type Line = {
  running: readonly (SlotClaim & { leftMs: number | null })[]
  /** Queued jobs before this one, in order; their durations are unknown until they run. */
  queued: readonly QueuedJob[]
}

const OWN = 'this job'

/** Estimates how long a job waits: running jobs end one after the other until the queue lets it start. */
export function forecastWait(
  job: SlotClaim,
  { running, queued }: Line,
  limits: QueueLimits,
): WaitForecast {
  const ahead = running.length + queued.length
  const slots = slotsOf(job, limits)
  const line = [...queued, { ...job, jobId: OWN, isCancelled: false }]
  const waitWith = (others: readonly SlotClaim[]) =>
    planQueue(others, line, limits).find(({ jobId }) => jobId === OWN)?.wait ?? null
  const reason = waitWith(running)
  if (reason === null) return { slots, ahead, reason, ms: 0 }
  let others = [...running]
  let ms = 0
  while (others.length > 0) {
    const known = others.flatMap(({ leftMs }) => leftMs ?? [])
    if (known.length === 0) break
    const next = Math.min(...known)
    ms = next
    others = others.filter(({ leftMs }) => leftMs === null || leftMs > next)
    if (waitWith(others) === null) return { slots, ahead, reason, ms }
  }
  return { slots, ahead, reason, ms: null }
}
