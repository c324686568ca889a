import { z } from 'zod'
import { isRunId } from '../record/index.ts'
import { countOf } from '../text/index.ts'

/** States of a job. */
export const RUN_STATUSES = ['queued', 'running', 'done', 'failed', 'cancelled'] as const

/** Why a queued job does not start now. */
export type QueueWait =
  | { kind: 'machine'; needs: number; free: number }
  | { kind: 'provider'; provider: string; needs: number; free: number }
  /** A job before it waits and must start first. */
  | { kind: 'line' }

export type QueuedJob = SlotClaim & {
  jobId: string
  /** Cancellation was requested: the job only shuts down and takes no slot. */
  isCancelled: boolean
}

type QueuePlace = { jobId: string; wait: QueueWait | null }

/**
 * Decides for each queued job, in queue order, whether it starts now. A job that waits for its provider is passed over
 * by jobs of other providers; one that waits for the machine is not, so that small jobs never starve a large one. A job
 * on other machines waits for neither.
 */
export function planQueue(
  running: readonly SlotClaim[],
  queued: readonly QueuedJob[],
  limits: QueueLimits,
): QueuePlace[] {
  const line: Line = { used: countUsedSlots(running, limits), closed: new Set(), isHeld: false }
  return queued.map((job) => ({ jobId: job.jobId, wait: job.isCancelled ? null : step(job) }))

  function step(job: QueuedJob): QueueWait | null {
    const { provider } = job
    if (slotsOf(job, limits) === 0) return null
    if (line.isHeld || (provider !== null && line.closed.has(provider))) return { kind: 'line' }
    const wait = findWait(job, line.used, limits)
    if (wait === null) take(line.used, provider, slotsOf(job, limits))
    else if (wait.kind === 'machine') line.isHeld = true
    else if (provider !== null) line.closed.add(provider)
    return wait
  }
}

/** `closed`: providers that an earlier job waits for; later jobs for the same provider queue behind it. */
type Line = { used: SlotsUsed; closed: Set<string>; isHeld: boolean }

/**
 * Returns what prevents a job from starting alongside those that use these slots, if it were first in line; null =
 * nothing.
 */
export function findWait(
  job: SlotClaim,
  used: SlotsUsed,
  limits: QueueLimits,
): Exclude<QueueWait, { kind: 'line' }> | null {
  const { provider } = job
  const needs = slotsOf(job, limits)
  if (needs === 0) return null
  if (provider !== null) {
    const free = providerLimit(limits, provider) - (used.providers.get(provider) ?? 0)
    if (needs > free) return { kind: 'provider', provider, needs, free: Math.max(0, free) }
  }
  const free = limits.concurrency - used.machine
  return needs > free ? { kind: 'machine', needs, free: Math.max(0, free) } : null
}

/** Slots in use, in total and by provider. */
type SlotsUsed = { machine: number; providers: Map<string, number> }

export function countUsedSlots(running: readonly SlotClaim[], limits: QueueLimits): SlotsUsed {
  const used: SlotsUsed = { machine: 0, providers: new Map() }
  for (const job of running) take(used, job.provider, slotsOf(job, limits))
  return used
}

function take(used: SlotsUsed, provider: string | null, slots: number): void {
  used.machine += slots
  if (provider !== null) used.providers.set(provider, (used.providers.get(provider) ?? 0) + slots)
}

/** Concurrency limits of the machine and of each provider (`*` = any other provider). */
export type QueueLimits = { concurrency: number; providers: ReadonlyMap<string, number> }

/** The facts about a job that determine its slots. */
export type SlotClaim = { concurrency: number; provider: string | null }

/** Returns the slots that a job takes here; a job on other machines takes none, and has keys of its own. */
export function slotClaim({ isRemote, ...request }: SlotClaim & { isRemote: boolean }): SlotClaim {
  return isRemote ? { concurrency: 0, provider: null } : request
}

/** Concurrency limit of a provider; unlimited if it has none. */
export function providerLimit({ providers }: QueueLimits, provider: string | null): number {
  if (provider === null) return Number.POSITIVE_INFINITY
  return providers.get(provider) ?? providers.get('*') ?? Number.POSITIVE_INFINITY
}

/**
 * Concurrency of a job: its requested number, limited by machine and provider. A job without a request runs on other
 * machines.
 */
export function slotsOf({ concurrency, provider }: SlotClaim, limits: QueueLimits): number {
  if (concurrency === 0) return 0
  return Math.max(1, Math.min(concurrency, limits.concurrency, providerLimit(limits, provider)))
}

/** Describes why a queued job does not start now; null = it starts at the next poll of a worker. */
export function formatQueueWait(wait: QueueWait | null): string {
  if (wait === null) return 'starts next'
  if (wait.kind === 'line') return 'waiting behind an earlier job'
  const needs = `needs ${countOf(wait.needs, 'slot')}, ${wait.free} free`
  return wait.kind === 'machine'
    ? `machine full: ${needs}`
    : `provider limit of ${wait.provider}: ${needs}`
}

/** Form fields that change a job or a run. */
export const jobFieldSchema = z.object({
  jobId: z.string().regex(/^job_[0-9a-f-]{1,60}$/, 'This server has no such job.'),
})

export const runFieldSchema = z.object({
  runId: z.string().refine(isRunId, 'This server has no such run.'),
})

/** Jobs with a higher priority go first; larger values have no further effect. */
export const MAX_PRIORITY = 1000
const RANGE = `A priority is a whole number from -${MAX_PRIORITY} to ${MAX_PRIORITY}.`

export const priorityFieldSchema = jobFieldSchema.extend({
  priority: z
    .string(RANGE)
    .regex(/^-?\d{1,6}$/, RANGE)
    .transform(Number)
    .refine((value) => Math.abs(value) <= MAX_PRIORITY, RANGE),
})

export const topUpFieldSchema = z.object({
  rowId: z.string().regex(/^row_[0-9a-f]{1,60}$/, 'This server has no such row.'),
  goal: z.enum(['aggregate', 'per-task'], 'Say whether for the suite or for each task.'),
})

/** Metered cost of a run, and the number of sealed attempts that were not metered. */
export type Spend = { microUsd: number | null; unmetered: number }

/** Number of scored attempts of a run, and the sums of their durations and squared durations (ms, ms²). */
export type SealedTimes = { count: number; sumMs: number; sumSquaresMs: number }
