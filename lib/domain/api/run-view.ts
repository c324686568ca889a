import { z } from 'zod'
import type { Vouched } from '../accounts/index.ts'
import { armCountsSchema, boardRowSchema, gradingMetricsSchema } from '../board/index.ts'
import type { ExecutorName, ShardState } from '../executors/index.ts'
import {
  anyPlanSchema,
  failureCategorySchema,
  instantSchema,
  modeSchema,
  outcomeStatusSchema,
  provenanceSchema,
  subjectSchema,
  verdictSchema,
} from '../record/index.ts'
import { type QueueWait, RUN_STATUSES } from '../runs/index.ts'

const count = z.number().int().nonnegative()

/** A run in a list, or a job without a frozen plan yet (`runId` null). */
export const runSummarySchema = z.object({
  jobId: z.string().nullable(),
  runId: z.string().nullable(),
  suiteId: z.string(),
  subjectLabel: z.string(),
  /** Planned fault or cold browser, which distinguish runs of one subject; null = neither. */
  condition: z.string().nullable(),
  /**
   * A run without a job here, from the command line or an upload, is `done`, or `incomplete` while planned episodes are
   * missing.
   */
  status: z.enum([...RUN_STATUSES, 'incomplete']),
  /** Why it ended before its plan, in one sentence; null = it did not. */
  reason: z.string().nullable(),
  planned: count,
  /** The planned episodes that it has to finish: all, or those up to the look at which the plan's rule decided. */
  owed: count,
  sealed: count,
  solved: count,
  voids: count,
  /** Number of void attempts, including those whose slot was tried again. */
  voidAttempts: count,
  /** Slots whose last attempt was interrupted; `sealed` includes them, and resuming the run tries them again. */
  cancelled: count,
  createdAt: instantSchema,
  startedAt: instantSchema.nullable(),
  endedAt: instantSchema.nullable(),
})
export type RunSummary = z.infer<typeof runSummarySchema>

/** One attempt as a cell of the episodes matrix. */
export const episodeCellSchema = z.object({
  episodeId: z.string(),
  taskId: z.string(),
  repetition: z.number().int().positive(),
  attempt: z.number().int().positive(),
  status: outcomeStatusSchema,
  failureCategory: failureCategorySchema.nullable(),
  totalMs: z.number().nonnegative().nullable(),
})
export type EpisodeCell = z.infer<typeof episodeCellSchema>

export const runViewSchema = runSummarySchema.extend({
  runId: z.string(),
  plan: anyPlanSchema,
  provenance: provenanceSchema,
  episodes: z.array(episodeCellSchema),
  /**
   * Visible tests and held-out transcript, counted apart over the last attempts; null = nothing was graded by tests.
   */
  grading: gradingMetricsSchema.nullable(),
  /** The row that the run counts in, as last evaluated by the evidence rules; null = on no board. */
  row: boardRowSchema
    .pick({ rowId: true, label: true, refusals: true, success: true, runIds: true })
    .nullable(),
  /** The row of each arm of the plan that has one; absent = the plan has no arms. */
  armRows: z
    .array(boardRowSchema.pick({ rowId: true, label: true }).extend({ arm: z.string() }))
    .optional(),
  /** Counts of each arm in the plan's order; absent = the plan has no arms. */
  armCounts: z.array(armCountsSchema).optional(),
  /** Shell lines that reproduce the run from a clone. */
  reproduce: z.array(z.string()),
})
export type RunView = z.infer<typeof runViewSchema>

/** One shard of a run on other machines. */
export type MachineView = {
  number: number
  state: ShardState
  tries: number
  host: string | null
  planned: number
  sealed: number
  /** Attempts that were started and whose results never arrived; excluded from scoring. */
  lost: number
  /** Reason why the shard waits or ended; null = none. */
  reason: string | null
  reportedAt: string | null
}

/** The shards of a run on other machines, with their progress. */
export type MachinesView = {
  executor: ExecutorName
  title: string
  engineUrl: string | null
  machines: MachineView[]
}

/** One attempt in a list over runs. */
export const episodeSummarySchema = episodeCellSchema.extend({
  runId: z.string(),
  suiteId: z.string(),
  suiteDigest: z.string(),
  subject: subjectSchema
    .omit({ targeting: true, arm: true, armDigest: true })
    .extend({ subjectId: z.string() }),
  mode: modeSchema,
  /** Verdict of the success criteria; null = they were not evaluated. */
  verdict: verdictSchema.nullable(),
  provenance: provenanceSchema,
  startedAt: instantSchema,
})
export type EpisodeSummary = z.infer<typeof episodeSummarySchema>

/** A job as the queue page shows it. `reason` also names who is stopping it. */
export type QueueJob = RunSummary & {
  jobId: string
  suiteTitle: string
  priority: number
  /** Its concurrency on this machine. */
  slots: number
  provider: string | null
  requestedBy: string | null
  /** True after a cancellation was requested, while a worker still runs the job. */
  isStopping: boolean
}

/** `wait` null = starts as soon as a worker polls the queue. */
export type WaitingJob = QueueJob & { wait: QueueWait | null }

/** `beatMs` = time since its worker's last heartbeat; null = the worker is no longer known. */
export type RunningJob = QueueJob & {
  leaseOwner: string | null
  beatMs: number | null
}

type SlotUse = { used: number; limit: number }

/** Contents of the queue page: running jobs, waiting jobs with the reason, and jobs that ended in the last 24 h. */
export type QueueView = {
  machine: SlotUse
  /** Providers used by running or waiting jobs; `limit` null = unlimited. */
  providers: { provider: string; used: number; limit: number | null }[]
  /** Number of workers with a recent heartbeat. */
  workersAlive: number
  running: RunningJob[]
  waiting: WaitingJob[]
  ended: QueueJob[]
}

/** An action that an administrator can take on a run: its effect, and why it is not possible now. */
export type RunOffer = { says: string; refusal: string | null }

export type RunOffers = { cancel: RunOffer; resume: RunOffer; topUp: RunOffer; rerun: RunOffer }

/** Corrections that an administrator can record about a run or an episode. */
export const CORRECTION_OFFERS = [
  'invalidate',
  'reinstate',
  'remove',
  'include',
  'resolve-findings',
  'rescore',
] as const
export type CorrectionOffer = (typeof CORRECTION_OFFERS)[number]

/** Submission of the run's first results by a program. */
export type SubmissionView = {
  /** Claims of its identity token; null = sent with an upload token. */
  vouched: Vouched | null
  bodyDigest: string
  receivedAt: string
}
