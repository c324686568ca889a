import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Environment, Episode } from '#lib/domain/record/index.ts'
import { secretFinder } from '../redact/find-secrets.ts'
import { CappedLog } from '../sandbox/process/capped-log.ts'
import { type Clock, timeOf } from './clock.ts'
import {
  type AttemptRecord,
  describeAttempt,
  describeFault,
  describeLoss,
  describeStop,
} from './describe-attempt.ts'
import { seal } from './envelopes.ts'
import type { AttemptContext, EnvironmentAdapter, EpisodeRequest } from './environment-adapter.ts'
import { draftEpisode } from './episode-draft.ts'

const MOST_LOG_BYTES = 16 << 20

export type Phase = 'prepare' | 'subject' | 'restore' | 'verify' | 'evidence'

/** The dependencies that all attempts share. */
export type EpisodeDependencies = {
  arena: EnvironmentAdapter
  clock: Clock
  environment: Environment
  signal: AbortSignal
  onPhase: (phase: Phase) => void
}

/**
 * Runs one subject on one task, once, whole: prepare, subject, restore, verify, evidence, seal. Every ending is a
 * sealed envelope; it throws only when the envelope itself cannot be written.
 */
export async function runEpisode(
  request: EpisodeRequest,
  house: EpisodeDependencies,
): Promise<Episode> {
  const { clock, arena, signal } = house
  await mkdir(request.attemptFolder, { recursive: true })
  const draft = draftEpisode(request, arena, house.environment)
  const find = secretFinder(arena.secrets)
  const log = new CappedLog(join(request.attemptFolder, 'subject.log'), MOST_LOG_BYTES, find)
  const visit = { ...request, marker: draft.episodeId, log, find, signal }
  const startedAt = clock.now()
  const whole = await timeOf(clock, () =>
    attempt(visit, house).catch((error) =>
      signal.aborted ? describeStop(log) : describeFault(error, log),
    ),
  )
  const { modelObserved, ...happened } = whole.value
  happened.effort.wall.totalMs = whole.durationMs
  const subject = { ...draft.subject, modelObserved }
  const body = { ...draft, subject, startedAt, ...happened, endedAt: clock.now() }
  return seal(body, request.attemptFolder)
}

/** The phases in order. If one fails, what the subject left behind is still stored. */
async function attempt(
  visit: AttemptContext,
  { arena, clock, onPhase }: EpisodeDependencies,
): Promise<AttemptRecord> {
  const phase = <T>(name: Phase, run: () => Promise<T>) => {
    onPhase(name)
    return timeOf(clock, run)
  }
  const prepared = await phase('prepare', () => arena.enter(visit))
  const scene = prepared.value
  try {
    const subject = await phase('subject', scene.play)
    try {
      const restored = await phase('restore', scene.restore)
      const judged = await phase('verify', () => scene.judge(subject.value))
      const kept = await phase('evidence', () => scene.collect(subject.value))
      return describeAttempt({
        subject: subject.value,
        touched: restored.value,
        judged: judged.value,
        kept: kept.value,
        wall: {
          prepareMs: prepared.durationMs,
          subjectMs: subject.durationMs,
          restoreMs: restored.durationMs,
          verifyMs: judged.durationMs,
          evidenceMs: kept.durationMs,
        },
      })
    } catch (error) {
      if (visit.signal.aborted) throw error
      const kept = await scene.collect(subject.value).catch(() => null)
      return describeLoss(error, subject, kept, visit.log)
    }
  } finally {
    await scene.leave()
  }
}
