import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Environment } from '#lib/domain/environment.ts'
import type { MeasuredEpisode } from '#lib/domain/episode.ts'
import { expandPlan, type Slot } from '#lib/domain/expand-plan.ts'
import type { FrozenPlan } from '#lib/domain/plan.ts'
import type { Arena } from './arena.ts'
import type { Clock } from './clock.ts'
import { draftEpisode, unjudged, unknownEffort } from './episode-draft.ts'
import { judgeInterruption, type Now } from './judge-interruption.ts'
import { ENVELOPE_FILE, seal } from './phases/seal.ts'
import { identifyBoot, isSameAlive } from './process/identify-process.ts'
import type { Journal } from './store/journal.ts'
import type { RunFolder } from './store/run-folder.ts'
import { removeUnfinished } from './store/write-atomic.ts'

export type Interrupted = {
  folder: RunFolder
  journal: Journal
  plan: FrozenPlan
  runId: string
  arena: Pick<Arena, 'mode'>
  environment: Environment
  clock: Clock
  /** What is true now; absent = as this machine tells. */
  now?: Now
}

const HERE: Now = { boot: identifyBoot(), isAlive: isSameAlive }

/**
 * Attempts that were begun and never sealed, because the runner was killed: each is sealed now, so that it is kept with
 * its reason and a next attempt can name it. Mostly it is void; see `judgeInterruption`. Answers with what was sealed.
 */
export async function closeInterrupted(run: Interrupted): Promise<MeasuredEpisode[]> {
  const sealed: MeasuredEpisode[] = []
  const journal = run.journal.readAll()
  for (const begun of journal) {
    if (begun.event !== 'attempt-started') continue
    const path = join(
      run.folder.path,
      run.folder.attemptPath(begun.taskId, begun.repetition, begun.attempt),
    )
    if (existsSync(join(path, ENVELOPE_FILE))) continue
    const slot = findSlot(run.plan, begun.taskId, begun.repetition)
    if (!slot) continue
    const identity = {
      runId: run.runId,
      plan: run.plan,
      slot,
      attempt: begun.attempt,
      previousAttempt: null,
    }
    await removeUnfinished(path)
    const endedAt = run.clock.now()
    const outcome = judgeInterruption(
      journal,
      { ...begun, event: 'attempt-started' },
      run.now ?? HERE,
    )
    sealed.push(
      await seal(
        {
          ...draftEpisode(identity, run.arena, run.environment),
          ...unjudged(),
          startedAt: begun.at,
          endedAt,
          outcome,
          failureCategory: outcome.status === 'void' ? outcome.fault : 'crash',
          effort: unknownEffort({
            totalMs: Math.max(0, Date.parse(endedAt) - Date.parse(begun.at)),
          }),
          evidence: [],
        },
        path,
      ),
    )
  }
  return sealed
}

function findSlot(plan: FrozenPlan, taskId: string, repetition: number): Slot | undefined {
  return expandPlan(plan).find((slot) => slot.taskId === taskId && slot.repetition === repetition)
}
