import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Environment } from '#lib/domain/environment.ts'
import type { Episode } from '#lib/domain/episode.ts'
import { type Clock, timed } from './clock.ts'
import type { Gate } from './contracts/exercise/gate-types.ts'
import type { SubjectDriver, SubjectTurn } from './controls/subject-driver.ts'
import { describeAttempt, describeFault, type Happened } from './describe-attempt.ts'
import { type AttemptIdentity, draftEpisode } from './episode-draft.ts'
import type { Isolation } from './isolation/isolation.ts'
import { collectEvidence } from './phases/collect-evidence.ts'
import { prepareWorkspace, type Workspace } from './phases/prepare-workspace.ts'
import { restoreProtected } from './phases/restore-protected.ts'
import { runSubject } from './phases/run-subject.ts'
import { seal } from './phases/seal.ts'
import { verifyWork } from './phases/verify-work.ts'
import { CappedLog } from './process/capped-log.ts'
import { type FindSecrets, secretFinder } from './redact/find-secrets.ts'
import type { LoadedExercise } from './suites/task-folder.ts'

const MOST_LOG_BYTES = 16 << 20

export type Phase = 'prepare' | 'subject' | 'restore' | 'verify' | 'evidence'

/** One attempt: what to run and where its record goes. */
export type EpisodeRequest = AttemptIdentity & {
  task: LoadedExercise
  driver: SubjectDriver
  attemptFolder: string
  temporaryFolder: string
  /** The name of the attempt's own folder in it; null = a new one. */
  folderName: string | null
  runMark: string
}

/** What the house lends to every attempt. */
export type EpisodeHouse = {
  gate: Gate
  clock: Clock
  environment: Environment
  isolation: Isolation
  signal: AbortSignal
  onPhase: (phase: Phase) => void
}

/**
 * Runs one subject on one task, once, whole: prepare, subject, restore, verify, evidence, seal. Every ending is a
 * sealed envelope; it throws only when the envelope itself cannot be written.
 */
export async function runEpisode(request: EpisodeRequest, house: EpisodeHouse): Promise<Episode> {
  const { clock } = house
  await mkdir(request.attemptFolder, { recursive: true })
  const draft = draftEpisode(request, request.driver, house.environment)
  const find = secretFinder(request.driver.secrets ?? [])
  const log = new CappedLog(join(request.attemptFolder, 'subject.log'), MOST_LOG_BYTES, find)
  const startedAt = clock.now()
  const whole = await timed(clock, () =>
    attempt(request, house, { log, find }, draft.episodeId).catch((error) =>
      describeFault(error, log),
    ),
  )
  const { modelObserved, ...happened } = whole.value
  happened.effort.wall.totalMs = whole.durationMs
  const subject = { ...draft.subject, modelObserved }
  const body = { ...draft, subject, startedAt, ...happened, endedAt: clock.now() }
  return seal(body, request.attemptFolder)
}

/** The phases in order. Whatever goes wrong in one, what the subject left behind is kept. */
async function attempt(
  request: EpisodeRequest,
  house: EpisodeHouse,
  { log, find }: { log: CappedLog; find: FindSecrets },
  marker: string,
): Promise<Happened> {
  const { task, driver, attemptFolder } = request
  const phase = <T>(name: Phase, run: () => Promise<T>) => {
    house.onPhase(name)
    return timed(house.clock, run)
  }
  const prepared = await phase('prepare', () =>
    prepareWorkspace(task, request.temporaryFolder, request.folderName),
  )
  const place = prepared.value
  const { workspace } = place
  try {
    const turn = takeTurn(request, house, place, log, marker)
    const subject = await phase('subject', () => runSubject(driver, turn))
    const stopped = subject.value.outcome?.status === 'cancelled'
    const restored = await phase('restore', () => restoreProtected(task, workspace))
    const verified = await phase('verify', () => verifyWork(task, workspace, house, stopped))
    const { droppings = [] } = driver
    const { recording = null, calls = null } = subject.value.ending
    const kept = { recording, calls }
    const sources = { task, workspace, log, droppings, find, verified: verified.value, ...kept }
    const evidence = await phase('evidence', () => collectEvidence(attemptFolder, sources))
    return describeAttempt({
      task,
      subject: subject.value,
      touched: restored.value,
      verified: verified.value,
      evidence: evidence.value,
      wall: {
        prepareMs: prepared.durationMs,
        subjectMs: subject.durationMs,
        restoreMs: restored.durationMs,
        verifyMs: verified.durationMs,
        evidenceMs: evidence.durationMs,
      },
    })
  } finally {
    await place.remove()
  }
}

/** What the subject gets to see and may write to. */
function takeTurn(
  { task, slot, plan, runMark }: EpisodeRequest,
  { isolation, signal }: EpisodeHouse,
  place: Workspace,
  log: CappedLog,
  marker: string,
): SubjectTurn {
  const { repetition } = slot
  const { settings } = plan
  return { task, repetition, settings, isolation, marker, runMark, log, signal, ...place }
}
