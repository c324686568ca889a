import type { EpisodeBody } from '#lib/domain/episode.ts'
import { type Metered, meterAttempt } from './agents/meter-attempt.ts'
import { type DraftKey, unjudged, unknownEffort } from './episode-draft.ts'
import { decideCategory, decideOutcome } from './phases/classify.ts'
import { closeLog } from './phases/collect-evidence.ts'
import type { TouchedFile } from './phases/restore-protected.ts'
import type { SubjectResult } from './phases/run-subject.ts'
import type { Verified } from './phases/verify-work.ts'
import type { CappedLog } from './process/capped-log.ts'
import type { LoadedExercise } from './suites/task-folder.ts'

/** What an envelope says beside who, where and when. */
export type Happened = Omit<EpisodeBody, DraftKey | 'startedAt' | 'endedAt'> & {
  modelObserved: string[]
}

type Phases = {
  task: LoadedExercise
  subject: SubjectResult
  touched: readonly TouchedFile[]
  verified: Verified
  evidence: EpisodeBody['evidence']
  wall: Partial<EpisodeBody['effort']['wall']>
}

const UNKNOWN_EXIT = { code: null, signal: null }

/** Puts the phases' answers together: outcome, success flags, effort. Nothing is looked up here. */
export function describeAttempt(phases: Phases): Happened {
  const { task, subject, touched, verified, evidence, wall } = phases
  const { ending } = subject
  const { solution, evaluation } = verified
  const outcome = subject.outcome ?? (evaluation ? decideOutcome(ending, evaluation) : STOPPED)
  const agentSuccess = ending.cause === 'exited' && ending.exitCode === 0
  const testSuccess = evaluation?.contract.verdict === 'pass'
  const metered = meterAttempt(ending.report ?? null)
  const { usage, modelObserved } = metered
  // Recovery is never “the agent did not throw”: only the same final contract counts (seed).
  const fault = metered.fault && {
    ...metered.fault,
    recovered: metered.fault.firedAt === null ? null : outcome.status === 'solved',
  }
  return {
    ...unjudged(),
    usage,
    fault,
    modelObserved,
    ...(ending.prompt && { prompt: ending.prompt }),
    outcome,
    failureCategory: decideCategory(outcome, evaluation, task, solution.files),
    contract: evaluation?.contract ?? null,
    agentSuccess,
    testSuccess,
    overallSuccess: agentSuccess && testSuccess,
    exit: {
      subject: { code: ending.exitCode, signal: ending.signal },
      gate: evaluation?.exit ?? UNKNOWN_EXIT,
    },
    effort: describeEffort(metered, ending.noProgress, wall),
    integrity: {
      protectedFilesTouched: touched.slice(0, 500),
      findings: evaluation?.findings ?? [],
    },
    evidence,
  }
}

function describeEffort(
  { steps, toolCalls, firstTool, gatewayRetries }: Metered,
  // The field has no null: where nobody watched, and `steps` is null too, the list is as empty as where nothing was seen.
  noProgress: EpisodeBody['effort']['noProgress'] = [],
  wall: Phases['wall'],
): EpisodeBody['effort'] {
  const retries = { subject: null, gateway: gatewayRetries, harness: 0 }
  return { ...unknownEffort(wall), steps, toolCalls, firstTool, noProgress, retries }
}

const STOPPED: EpisodeBody['outcome'] = {
  status: 'cancelled',
  reason: 'the run was stopped before the contract was evaluated',
}

const OF_THE_MACHINE = new Set(['ENOSPC', 'EMFILE', 'ENFILE', 'ENOMEM', 'EAGAIN', 'EIO'])

/** A throw in a phase is our bug or our machine's trouble, never the subject's failure. */
export function describeFault(error: unknown, log: CappedLog): Happened {
  const { code, message } = error as NodeJS.ErrnoException
  const fault = code !== undefined && OF_THE_MACHINE.has(code) ? 'infrastructure' : 'harness'
  return {
    ...unjudged(),
    outcome: { status: 'void', fault, reason: String(message ?? error).slice(0, 1000) },
    failureCategory: fault,
    modelObserved: [],
    effort: unknownEffort(),
    evidence: [closeLog(log)],
  }
}
