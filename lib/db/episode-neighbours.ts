import type { AnyEpisode, OutcomeStatus } from '../domain/record/index.ts'
import type { DbOrTx } from './db.ts'
import { subjectId } from './subject-store.ts'

type Slot = { runId: string; taskId: string; repetition: number; attempt: number }

const FAILED: readonly OutcomeStatus[] = [
  'unsolved',
  'out-of-budget',
  'subject-crashed',
  'tampered',
]

/** Finds the failed episodes of the same run before and after this one, by task, repetition and attempt. */
export async function findFailedNeighbours(
  db: DbOrTx,
  slot: Slot,
): Promise<{ previous: string | null; next: string | null }> {
  const [previous, next] = await Promise.all([
    findFailed(db, slot, { beyond: 'lt', order: 'desc' }),
    findFailed(db, slot, { beyond: 'gt', order: 'asc' }),
  ])
  return { previous, next }
}

async function findFailed(
  db: DbOrTx,
  { runId, taskId, repetition, attempt }: Slot,
  { beyond, order }: { beyond: 'lt' | 'gt'; order: 'asc' | 'desc' },
): Promise<string | null> {
  const found = await db.episode.findFirst({
    where: {
      runId,
      status: { in: [...FAILED] },
      OR: [
        { taskId: { [beyond]: taskId } },
        { taskId, repetition: { [beyond]: repetition } },
        { taskId, repetition, attempt: { [beyond]: attempt } },
      ],
    },
    select: { episodeId: true },
    orderBy: [{ taskId: order }, { repetition: order }, { attempt: order }],
  })
  return found?.episodeId ?? null
}

export type SolvedAttempt = { episodeId: string; runId: string; repetition: number }

/** Runs searched for a solved attempt, one index lookup each. */
const MAX_RUNS = 300

/**
 * Finds a solved attempt at the task of an episode, on the same suite version: first in the same run, then of the same
 * subject, then of others, and of a control last. Ties go to the newest run, then to its first attempt. Null = none in
 * the newest runs.
 */
export async function findSolvedAttempt(
  db: DbOrTx,
  { runId, taskId, suiteDigest, subject }: AnyEpisode,
): Promise<SolvedAttempt | null> {
  const runs = await db.run.findMany({
    where: { plan: { suiteDigest } },
    select: { runId: true },
    orderBy: [{ createdAt: 'desc' }, { runId: 'desc' }],
    take: MAX_RUNS,
  })
  const found = await db.episode.findMany({
    where: {
      runId: { in: [runId, ...runs.map((run) => run.runId)] },
      taskId,
      status: 'solved',
    },
    select: { episodeId: true, runId: true, subjectId: true, repetition: true, mode: true },
    orderBy: [{ repetition: 'asc' }, { attempt: 'asc' }, { episodeId: 'asc' }],
  })
  const age = new Map(runs.map((run, place) => [run.runId, place]))
  const ageOf = (one: (typeof found)[number]) => age.get(one.runId) ?? MAX_RUNS
  const own = subjectId(subject)
  const rank = (one: (typeof found)[number]) => {
    if (one.runId === runId) return 0
    if (one.subjectId === own) return 1
    return one.mode === 'scaffold' ? 3 : 2
  }
  const [best] = found.sort((a, b) => rank(a) - rank(b) || ageOf(a) - ageOf(b))
  return best ?? null
}
