import { z } from 'zod'
import { browserFaultKindSchema, durationMsSchema, targetingSchema } from './names.ts'

const count = z.number().int().nonnegative()

/** The lowest rung of the common ladder after which the work went on; `given-up` = the last one did not help. */
export const RUNGS = ['automatic', 'retry', 'new-page', 'reconnect', 'given-up'] as const
export const rungSchema = z.enum(RUNGS)
export type Rung = z.infer<typeof rungSchema>

const share = z.number().min(0).max(1)

/**
 * How much of the machine an episode had while its subject worked. Null = this machine does not say (macOS knows the load
 * average alone), never 0.
 */
const machineLoadSchema = z.object({
  cpus: z.number().int().positive(),
  wallMs: durationMsSchema,
  /** Load average over the last minute, when the subject had ended. */
  load1: z.number().nonnegative().nullable(),
  /** Of the machine's CPU time: what the hypervisor took, and what ran outside browser and library. */
  stealShare: share.nullable(),
  othersShare: share.nullable(),
  /** Share of the time in which something on the machine waited for a CPU (`/proc/pressure/cpu`). */
  pressureShare: share.nullable(),
  /** Time in which the main threads of browser and library wanted a CPU, and waited for one, added up. */
  wantedMs: durationMsSchema.nullable(),
  waitedMs: durationMsSchema.nullable(),
  /** Of the wall time: waits while others used at least half of the CPUs. The time limit does not count them. */
  lostMs: durationMsSchema.nullable(),
  state: z.enum(['free', 'busy', 'starved']),
})
export type MachineLoad = z.infer<typeof machineLoadSchema>

/** What only a browser episode has. Null = not known or not applicable, never 0. */
export const browserRecordSchema = z.object({
  driven: z.enum(['scripted', 'llm']),
  targeting: targetingSchema,
  /** A browser launched for this episode alone, or one that was reset and used again. */
  reuse: z.enum(['cold', 'reused']),
  /** Time until the library had its connection, part of the subject's time. */
  connectMs: durationMsSchema.nullable(),
  /** Time of this episode that is neither the library's nor the app's: preparing, judging, keeping. */
  harnessMs: durationMsSchema.nullable(),
  /** The same by part, to find what to shorten. Absent = sealed before this was recorded. */
  harnessParts: z.record(z.string().max(40), durationMsSchema).optional(),
  /** What the library returned to its driver; tokens by the o200k encoding. Never compared across targetings. */
  resultBytes: count.nullable(),
  resultTokens: count.nullable(),
  /** The error that the library's own part ended with, whatever the contract says; null = it came to its end. */
  libraryError: z
    .object({
      step: z.string().max(200).nullable(),
      action: z.string().max(60).nullable(),
      message: z.string().max(2000),
    })
    .nullable(),
  /** What was done after a fault fired or an action failed; null when nothing went wrong. */
  recovery: z
    .object({
      fault: browserFaultKindSchema.nullable(),
      rung: rungSchema,
      /** From the fault's firing to the library's first error; null = no error was ever seen, or no fault fired. */
      detectMs: durationMsSchema.nullable(),
    })
    .nullable(),
  /** Of the browser's and the library's process trees while the subject worked. */
  processes: z.object({
    peakPssBytes: count.nullable(),
    libraryPeakPssBytes: count.nullable(),
    peakCount: count.nullable(),
    zombies: count.nullable(),
  }),
  /** How much of the machine it had. Absent = sealed before this was recorded, or its subject never worked. */
  load: machineLoadSchema.optional(),
  /** How the library was restricted to its browser. Absent = sealed before this was recorded. */
  reach: z
    .object({
      /** `none`: it could reach and read whatever this machine's user can. */
      sandbox: z.enum(['bubblewrap', 'none']),
      /** Whether the app could tell its browser's requests from others'; null = it was not asked. */
      toldApart: z.boolean().nullable(),
      /** Requests of other processes, all refused; null = not counted separately. */
      refused: count.nullable(),
    })
    .optional(),
  /** Whether the browser could be shown to hold nothing of this episode any more, or was thrown away. */
  reset: z.enum(['verified', 'thrown-away']).nullable(),
})
export type BrowserRecord = z.infer<typeof browserRecordSchema>

const ms = z.number().nonnegative()

/** Path of the step trace in an episode's evidence (role `events`): one JSON line an action. */
export const TRACE_FILE = 'steps.ndjson'

/** One action of the surface, or one tool call of a model, as the step trace keeps it. */
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
