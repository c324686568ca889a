import type { Rate } from '../board/board-row.ts'
import type { Digest } from '../digest.ts'
import type { Environment } from '../environment.ts'
import type { Episode } from '../episode.ts'
import type { EvaluationState } from '../evaluation/fold-evaluations.ts'
import type { Shard } from '../expand-plan.ts'
import { isScored, type OutcomeStatus } from '../outcome.ts'
import type { Plan } from '../plan.ts'
import type { Subject } from '../subject.ts'

/** One sealed envelope on its way out: its canonical text, and itself for whoever looks into it. */
export type ExportedEpisode = {
  text: string
  read: () => Episode
  /** What judging its stored solution here gave; absent = it ran here, or no server is asked. */
  evaluatedHere?: EvaluationState['state']
}

export type ExportedRun = {
  runId: string
  plan: Plan
  shard: Shard
  /** Null = another program measured, and nobody resolved an environment. */
  lock: Environment | null
}

/**
 * What is written out: one run, or the runs of one row. Episodes come one by one, by run, task, repetition and attempt,
 * as often as they are asked for, so that none of the writers has to hold them.
 */
export type Exported = {
  /** A file's name without its ending. */
  name: string
  suiteId: string
  suiteDigest: Digest
  subject: Subject
  runs: readonly ExportedRun[]
  /** Of each slot the last attempt, by how it ended. */
  endings: Readonly<Record<OutcomeStatus, number>>
  /** Null = there is no episode. */
  startedAt: string | null
  endedAt: string | null
  rate: Rate
  episodes: () => AsyncIterable<ExportedEpisode>
}

/** Pieces of a file, in order. */
export type Pieces = AsyncGenerator<string>

/** An attempt with those before it in the same slot, oldest first; those counted for nobody. */
export type Slot = { last: Episode; earlier: readonly Episode[] }

/** The episodes slot by slot, of which only one is held at a time. */
export async function* readSlots(exported: Exported): AsyncGenerator<Slot> {
  let attempts: Episode[] = []
  for await (const { read } of exported.episodes()) {
    const episode = read()
    if (attempts[0] && !isSameSlot(attempts[0], episode)) {
      yield asSlot(attempts)
      attempts = []
    }
    attempts.push(episode)
  }
  if (attempts.length > 0) yield asSlot(attempts)
}

function asSlot(attempts: readonly Episode[]): Slot {
  return { last: attempts.at(-1) as Episode, earlier: attempts.slice(0, -1) }
}

function isSameSlot(a: Episode, b: Episode): boolean {
  return a.runId === b.runId && a.taskId === b.taskId && a.repetition === b.repetition
}

/** `passed`, the subject's own `failed`, `skipped` before it was judged, and `error`, which is nobody's failure. */
export type Ending = 'passed' | 'failed' | 'error' | 'skipped'

export function endingOf(status: OutcomeStatus): Ending {
  if (status === 'solved') return 'passed'
  if (isScored(status)) return 'failed'
  return status === 'void' ? 'error' : 'skipped'
}

/** How many slots ended in each way. */
export function countEndings({ endings }: Exported): Record<Ending, number> {
  const counts: Record<Ending, number> = { passed: 0, failed: 0, error: 0, skipped: 0 }
  for (const [status, count] of Object.entries(endings))
    counts[endingOf(status as OutcomeStatus)] += count
  return counts
}

/** A slot as reports of tests name it; a plan of one repetition has no need of its number. */
export function nameSlot({ taskId, repetition }: Episode, { runs }: Exported): string {
  const isNumbered = repetition > 1 || runs.some(({ plan }) => plan.repetitions > 1)
  return isNumbered ? `${taskId} r${repetition}` : taskId
}

/** The version of whatever measured. */
export function harnessVersion({ runs }: Exported, episode?: Episode): string | null {
  if (episode?.schemaVersion === 2) return episode.source.harness.version
  return runs[0]?.lock?.harness.version ?? null
}
