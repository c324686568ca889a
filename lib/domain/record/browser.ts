import { z } from 'zod'
import { browserFaultKindSchema, durationMsSchema, targetingSchema } from './names.ts'

const count = z.number().int().nonnegative()

/** The lowest recovery level after which the work continued; `given-up` = the last one did not help. */
export const RUNGS = ['automatic', 'retry', 'new-page', 'reconnect', 'given-up'] as const
export const rungSchema = z.enum(RUNGS)
export type Rung = z.infer<typeof rungSchema>

const share = z.number().min(0).max(1)

/**
 * Machine resources available to an episode while its subject worked. Null = not available on this machine (macOS only
 * has the load average), never 0.
 */
const machineLoadSchema = z.object({
  cpus: z.number().int().positive(),
  wallMs: durationMsSchema,
  /** Load average over the last minute, read when the subject had ended. */
  load1: z.number().nonnegative().nullable(),
  /** Shares of the machine's CPU time: taken by the hypervisor, and used outside of browser and library. */
  stealShare: share.nullable(),
  othersShare: share.nullable(),
  /** Share of the time in which something on the machine waited for a CPU (`/proc/pressure/cpu`). */
  pressureShare: share.nullable(),
  /** Total time in which the main threads of browser and library were runnable, including their wait for a CPU. */
  wantedMs: durationMsSchema.nullable(),
  waitedMs: durationMsSchema.nullable(),
  /** Part of the wall time: waits while other processes used at least half of the CPUs. The time limit excludes it. */
  lostMs: durationMsSchema.nullable(),
  state: z.enum(['free', 'busy', 'starved']),
})
export type MachineLoad = z.infer<typeof machineLoadSchema>

/** Data of browser episodes only. Null = unknown or not applicable, never 0. */
export const browserRecordSchema = z.object({
  driven: z.enum(['scripted', 'llm']),
  targeting: targetingSchema,
  /** A browser launched for this episode alone, or one that was reset and reused. */
  reuse: z.enum(['cold', 'reused']),
  /** Time until the library was connected; part of the subject's time. */
  connectMs: durationMsSchema.nullable(),
  /** Time of this episode outside of library and app: preparing, judging, storing. */
  harnessMs: durationMsSchema.nullable(),
  /** The same time by part. Absent = sealed before this was recorded. */
  harnessParts: z.record(z.string().max(40), durationMsSchema).optional(),
  /** Output of the library to its driver; tokens by the o200k encoding. Never compared across targetings. */
  resultBytes: count.nullable(),
  resultTokens: count.nullable(),
  /** Error that ended the library's part, regardless of the contract; null = it completed. */
  libraryError: z
    .object({
      step: z.string().max(200).nullable(),
      action: z.string().max(60).nullable(),
      message: z.string().max(2000),
    })
    .nullable(),
  /** Recovery after a fault fired or an action failed; null = nothing went wrong. */
  recovery: z
    .object({
      fault: browserFaultKindSchema.nullable(),
      rung: rungSchema,
      /** From the fault's firing to the library's first error; null = no error was observed, or no fault fired. */
      detectMs: durationMsSchema.nullable(),
    })
    .nullable(),
  /** Process trees of browser and library while the subject worked. */
  processes: z.object({
    peakPssBytes: count.nullable(),
    libraryPeakPssBytes: count.nullable(),
    peakCount: count.nullable(),
    zombies: count.nullable(),
  }),
  /** Machine load. Absent = sealed before this was recorded, or the subject never worked. */
  load: machineLoadSchema.optional(),
  /** Restriction of the library to its browser. Absent = sealed before this was recorded. */
  reach: z
    .object({
      /** `none`: it could reach and read whatever this machine's user can. */
      sandbox: z.enum(['bubblewrap', 'none']),
      /** True if the app could distinguish its browser's requests from others; null = not checked. */
      toldApart: z.boolean().nullable(),
      /** Requests of other processes, all refused; null = not counted separately. */
      refused: count.nullable(),
    })
    .optional(),
  /** `verified`: the browser was shown to hold no state of this episode; `thrown-away`: it was discarded. */
  reset: z.enum(['verified', 'thrown-away']).nullable(),
})
export type BrowserRecord = z.infer<typeof browserRecordSchema>

const ms = z.number().nonnegative()

/** Path of the step trace in an episode's evidence (role `events`): one JSON line per action. */
export const TRACE_FILE = 'steps.ndjson'

/** One action of the surface, or one tool call of a model, in the step trace. */
export const tracedActionSchema = z.object({
  /** The driver's step; null for a model's tool call. */
  step: z.string().max(200).nullable(),
  action: z.string().max(60),
  target: z.string().max(500).nullable(),
  /** Milliseconds since the library began to connect. */
  startMs: ms,
  durationMs: ms,
  error: z.string().max(2000).nullable(),
})
export type TracedAction = z.infer<typeof tracedActionSchema>
