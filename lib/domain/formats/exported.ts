import { type Rate, successRate } from '../board/index.ts'
import type { Digest } from '../digest/index.ts'
import type { EvaluationState } from '../eligibility/index.ts'
import {
  type AnyBundle,
  type AnyEpisode,
  type AnyPlan,
  compareEpisodes,
  countEach,
  type Environment,
  gradingFact,
  isMeasured,
  isScored,
  OUTCOME_STATUSES,
  type OutcomeStatus,
  type Shard,
  type Subject,
  sealedText,
  slotKey,
  type Verifier,
} from '../record/index.ts'
import { countTasks } from '../statistics/index.ts'
import type { TranscriptSource } from './write-atif.ts'

/** One sealed envelope to export: its canonical text, and the parsed value. */
export type ExportedEpisode = {
  text: string
  read: () => AnyEpisode
  /** Result of evaluating its stored solution here; absent = it ran here, or no server is used. */
  evaluatedHere?: EvaluationState['state']
  /** Its transcript; absent or null = not available. */
  transcript?: () => Promise<TranscriptSource | null>
}

type ExportedRun = {
  runId: string
  plan: AnyPlan
  shard: Shard
  /** Null = measured by another program, so no environment was resolved. */
  lock: Environment | null
}

/**
 * Input of an export: one run, or the runs of one row. Episodes are read one by one, by run, task, repetition and
 * attempt, as often as requested, so that no writer has to hold them in memory.
 */
export type Exported = {
  /** The file name without its extension. */
  name: string
  suiteId: string
  suiteDigest: Digest
  subject: Subject
  runs: readonly ExportedRun[]
  /** Number of slots by the ending of their last attempt. */
  endings: Readonly<Record<OutcomeStatus, number>>
  /** Null = no episodes. */
  startedAt: string | null
  endedAt: string | null
  rate: Rate
  episodes: () => AsyncIterable<ExportedEpisode>
}

/** Pieces of a file, in order. */
export type Pieces = AsyncGenerator<string>

/** An attempt with earlier ones of the same slot, oldest first; those are excluded from scoring. */
export type ExportedSlot = {
  last: AnyEpisode
  earlier: readonly AnyEpisode[]
  evaluatedHere: ExportedEpisode['evaluatedHere']
  /** Transcript of the last attempt. */
  transcript: ExportedEpisode['transcript']
}

/** Yields the episodes slot by slot; only one slot is held at a time. */
export async function* readSlots(exported: Exported): AsyncGenerator<ExportedSlot> {
  let slot: ExportedSlot | null = null
  for await (const { read, evaluatedHere, transcript } of exported.episodes()) {
    const episode = read()
    const isRetry: boolean = slot !== null && isSameSlot(slot.last, episode)
    if (slot && !isRetry) yield slot
    const earlier: readonly AnyEpisode[] = slot && isRetry ? [...slot.earlier, slot.last] : []
    slot = { last: episode, earlier, evaluatedHere, transcript }
  }
  if (slot) yield slot
}

function isSameSlot(a: AnyEpisode, b: AnyEpisode): boolean {
  return a.runId === b.runId && a.taskId === b.taskId && a.repetition === b.repetition
}

/** `passed`; `failed` by the subject; `skipped` before it was judged; `error`: not the subject's failure. */
export type ReportEnding = 'passed' | 'failed' | 'error' | 'skipped'

export function exportedStatusOf(status: OutcomeStatus): ReportEnding {
  if (status === 'solved') return 'passed'
  if (isScored(status)) return 'failed'
  return status === 'void' ? 'error' : 'skipped'
}

/** Counts slots by ending. */
export function countExportedStatuses({ endings }: Exported): Record<ReportEnding, number> {
  const counts: Record<ReportEnding, number> = { passed: 0, failed: 0, error: 0, skipped: 0 }
  for (const [status, count] of Object.entries(endings))
    counts[exportedStatusOf(status as OutcomeStatus)] += count
  return counts
}

/** Name of a slot in test reports; a plan of one repetition needs no number. */
export function nameSlot({ taskId, repetition }: AnyEpisode, { runs }: Exported): string {
  const isNumbered =
    repetition > 1 || runs.some(({ plan }) => plan.repetitions > 1 || plan.arms !== undefined)
  return isNumbered ? `${taskId} r${repetition}` : taskId
}

/** Version of the program that measured. */
export function exportedHarnessVersion({ runs }: Exported, episode?: AnyEpisode): string | null {
  if (episode?.schemaVersion === 2) return episode.source.harness.version
  return runs[0]?.lock?.harness.version ?? null
}

/** Wraps a bundle in memory for export to another format. */
export function exportBundle(bundle: AnyBundle): Exported {
  const { runId, plan, shard, lock } = bundle
  const episodes = [...bundle.episodes].sort(compareEpisodes)
  const last = new Map<string, AnyEpisode>(episodes.map((episode) => [slotKey(episode), episode]))
  const slots = [...last.values()].map(({ taskId, outcome }) => ({
    taskId,
    status: outcome.status,
  }))
  const { suiteId, suiteDigest, subject } = plan
  return {
    name: `${subject.name}-${runId}`,
    suiteId,
    suiteDigest,
    subject,
    runs: [{ runId, plan, shard, lock }],
    endings: countEndings(slots.map(({ status }) => status)),
    startedAt: episodes.map(({ startedAt }) => startedAt).sort()[0] ?? null,
    endedAt:
      episodes
        .map(({ endedAt }) => endedAt)
        .sort()
        .at(-1) ?? null,
    rate: successRate(countTasks(slots)),
    async *episodes() {
      for (const episode of episodes) yield { text: sealedText(episode), read: () => episode }
    },
  }
}

function countEndings(statuses: readonly OutcomeStatus[]): Exported['endings'] {
  const counts = countEach(statuses)
  const all = OUTCOME_STATUSES.map((status) => [status, counts.get(status) ?? 0])
  return Object.fromEntries(all) as Record<OutcomeStatus, number>
}

type Result = 'passed' | 'failed'

/**
 * Both grading results in the wording shared by all formats, and the grader. `none` = the task has visible tests only.
 */
type GradingTexts = {
  visibleTests: Result
  heldOut: Result | 'none'
  verifier: Verifier | null
}

/** Null = no solution was graded by tests. */
export function gradingTexts(episode: AnyEpisode): GradingTexts | null {
  const grading = isMeasured(episode) ? gradingFact(episode) : null
  if (!grading) return null
  const { visible, heldOut, verifier } = grading
  return {
    visibleTests: toResult(visible),
    heldOut: heldOut === null ? 'none' : toResult(heldOut),
    verifier,
  }
}

function toResult(isPassed: boolean): Result {
  return isPassed ? 'passed' : 'failed'
}
