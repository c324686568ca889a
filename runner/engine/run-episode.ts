import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Environment, Episode } from '#lib/domain/record/index.ts'
import { secretFinder } from '../redact/find-secrets.ts'
import { CappedLog } from '../sandbox/process/capped-log.ts'
import { type Clock, endAfter, timeOf } from './clock.ts'
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

const MAX_LOG_BYTES = 16 << 20

export type Phase = 'prepare' | 'subject' | 'restore' | 'verify' | 'evidence'

/** Dependencies shared by all attempts. */
export type EpisodeDependencies = {
  adapter: EnvironmentAdapter
  clock: Clock
  environment: Environment
  signal: AbortSignal
  onPhase: (phase: Phase) => void
}

/**
 * Runs one complete attempt of one subject on one task: prepare, subject, restore, verify, evidence, seal. Every ending
 * is a sealed envelope; throws only if the envelope itself cannot be written.
 */
export async function runEpisode(
  request: EpisodeRequest,
  deps: EpisodeDependencies,
): Promise<Episode> {
  const { clock, adapter, signal } = deps
  await mkdir(request.attemptFolder, { recursive: true })
  const draft = draftEpisode(request, adapter, deps.environment)
  const find = secretFinder(adapter.secrets)
  const log = new CappedLog(join(request.attemptFolder, 'subject.log'), MAX_LOG_BYTES, find)
  const attemptContext = { ...request, marker: draft.episodeId, log, find, signal }
  const startedAt = clock.now()
  const whole = await timeOf(clock, () =>
    attempt(attemptContext, deps).catch((error) =>
      signal.aborted ? describeStop(log) : describeFault(error, log),
    ),
  )
  const { modelObserved, ...happened } = whole.value
  happened.effort.wall.totalMs = whole.durationMs
  const subject = { ...draft.subject, modelObserved }
  const endedAt = endAfter(clock, startedAt, whole.durationMs)
  const body = { ...draft, subject, startedAt, ...happened, endedAt }
  return seal(body, request.attemptFolder)
}

/** Runs the phases in order. If one fails, what the subject left is still stored. */
async function attempt(
  attemptContext: AttemptContext,
  { adapter, clock, onPhase }: EpisodeDependencies,
): Promise<AttemptRecord> {
  const phase = <T>(name: Phase, run: () => Promise<T>) => {
    onPhase(name)
    return timeOf(clock, run)
  }
  const prepared = await phase('prepare', () => adapter.enter(attemptContext))
  const context = prepared.value
  try {
    const subject = await phase('subject', context.play)
    try {
      const restored = await phase('restore', context.restore)
      const judged = await phase('verify', () => context.judge(subject.value))
      const stored = await phase('evidence', () => context.collect(subject.value))
      // Steps that were judged while the subject waited.
      const { pausedMs = 0 } = subject.value.ending
      return describeAttempt({
        subject: subject.value,
        touched: restored.value,
        judged: judged.value,
        stored: stored.value,
        wall: {
          prepareMs: prepared.durationMs,
          subjectMs: subject.durationMs - pausedMs,
          restoreMs: restored.durationMs,
          verifyMs: judged.durationMs + pausedMs,
          evidenceMs: stored.durationMs,
        },
      })
    } catch (error) {
      if (attemptContext.signal.aborted) throw error
      const stored = await context.collect(subject.value).catch(() => null)
      return describeLoss(error, subject, stored, attemptContext.log)
    }
  } finally {
    await context.leave()
  }
}
