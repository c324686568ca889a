import { z } from 'zod'
import { failureCategorySchema, OUTCOME_STATUSES } from './outcome.ts'

const at = { at: z.iso.datetime() }
const slot = { taskId: z.string(), repetition: z.number().int(), attempt: z.number().int() }

/**
 * Output of the runner while it runs, one JSON object per line: the second contract between runner and app, besides the
 * envelope. `path` is relative to the run's folder.
 */
export const runEventSchema = z.discriminatedUnion('event', [
  z.object({
    event: z.literal('run-started'),
    ...at,
    runId: z.string(),
    planned: z.number().int(),
    alreadySealed: z.number().int(),
  }),
  z.object({ event: z.literal('attempt-started'), ...at, ...slot, path: z.string() }),
  z.object({ event: z.literal('phase-started'), ...at, ...slot, phase: z.string() }),
  z.object({
    event: z.literal('episode-sealed'),
    ...at,
    ...slot,
    episodeId: z.string(),
    status: z.enum(OUTCOME_STATUSES as [string, ...string[]]),
    path: z.string(),
    /** Shown on a live page before the envelope is stored; absent from older runners. */
    failureCategory: failureCategorySchema.nullable().optional(),
    totalMs: z.number().nonnegative().optional(),
    arm: z.string().optional(),
    /** Why it is not solved. */
    reason: z.string().optional(),
  }),
  /** No further attempt is started; `run-ended` follows, and the same plan continues under a higher cap. */
  z.object({
    event: z.literal('spend-cap-reached'),
    ...at,
    capMicroUsd: z.number().int(),
    spentMicroUsd: z.number().int(),
    unknownAttempts: z.number().int(),
    missing: z.number().int(),
    reason: z.string(),
  }),
  /** The provider refuses calls until then; the run waits and resumes by itself. */
  z.object({
    event: z.literal('run-paused'),
    ...at,
    until: z.iso.datetime(),
    reason: z.string(),
  }),
  /** The agent fails to start working, so no further attempt is started; `run-ended` follows. */
  z.object({
    event: z.literal('run-given-up'),
    ...at,
    missing: z.number().int(),
    reason: z.string(),
  }),
  /** The sealed episodes decide by the plan's own rule, so no further attempt is started; `run-ended` follows. */
  z.object({
    event: z.literal('run-decided'),
    ...at,
    after: z.number().int(),
    planned: z.number().int(),
    reason: z.string(),
  }),
  z.object({
    event: z.literal('run-ended'),
    ...at,
    sealed: z.number().int(),
    void: z.number().int(),
    resultPath: z.string(),
  }),
  z.object({ event: z.literal('run-stopped'), ...at, reason: z.string() }),
])
export type RunEvent = z.infer<typeof runEventSchema>

/** Formats an event as a line of the run's log: `14:47:13 affine-cipher r2 sealed: solved`. */
export function formatRunEvent(event: RunEvent): string {
  return `${event.at.slice(11, 19)} ${words(event)}`
}

/** Formats a pause as a sentence, `paused until 14:05 UTC: …`, with the date if it ends on another day. */
export function formatPause({ at, until, reason }: Extract<RunEvent, { event: 'run-paused' }>) {
  const day = until.slice(0, 10)
  const clock = `${until.slice(11, 16)} UTC`
  return `paused until ${day === at.slice(0, 10) ? clock : `${day} ${clock}`}: ${reason}`
}

function words(event: RunEvent): string {
  switch (event.event) {
    case 'run-started':
      return `run started: ${event.planned} planned, ${event.alreadySealed} already finished`
    case 'attempt-started':
      return `${place(event)} started`
    case 'phase-started':
      return `${place(event)} ${event.phase}`
    case 'episode-sealed':
      return `${place(event)} sealed: ${event.status}`
    case 'spend-cap-reached':
      return `spend cap reached: ${event.reason}`
    case 'run-paused':
      return formatPause(event)
    case 'run-decided':
      return event.reason
    case 'run-given-up':
      return `run given up: ${event.reason}`
    case 'run-ended':
      return `run ended: ${event.sealed} sealed, ${event.void} excluded`
    case 'run-stopped':
      return `run stopped: ${event.reason}`
  }
}

type Slot = { taskId: string; repetition: number; attempt: number }

function place({ taskId, repetition, attempt }: Slot): string {
  return `${taskId} r${repetition}${attempt > 1 ? ` attempt ${attempt}` : ''}`
}
