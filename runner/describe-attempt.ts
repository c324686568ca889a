import type { EpisodeBody } from '#lib/domain/episode.ts'
import { type Metered, meterAttempt } from './agents/meter-attempt.ts'
import type { Judgement, Kept } from './arena.ts'
import { type DraftKey, unjudged, unknownEffort } from './episode-draft.ts'
import { InfrastructureError } from './infrastructure-error.ts'
import { decideCategory } from './phases/classify.ts'
import { closeLog } from './phases/collect-evidence.ts'
import type { TouchedFile } from './phases/restore-protected.ts'
import type { SubjectResult } from './phases/run-subject.ts'
import type { CappedLog } from './process/capped-log.ts'

/** What an envelope says beside who, where and when. */
export type Happened = Omit<EpisodeBody, DraftKey | 'startedAt' | 'endedAt'> & {
  modelObserved: string[]
}

type Phases = {
  subject: SubjectResult
  touched: readonly TouchedFile[]
  judged: Judgement | null
  kept: Kept
  wall: Partial<EpisodeBody['effort']['wall']>
}

const UNKNOWN_EXIT = { code: null, signal: null }

/** Puts the phases' answers together: outcome, success flags, effort. Nothing is looked up here. */
export function describeAttempt({ subject, touched, judged, kept, wall }: Phases): Happened {
  const { ending } = subject
  const outcome = subject.outcome ?? judged?.outcome ?? STOPPED
  const agentSuccess = ending.cause === 'exited' && ending.exitCode === 0
  const testSuccess = judged?.contract.verdict === 'pass'
  const metered = meterAttempt(ending.report ?? null)
  const { usage, modelObserved } = metered
  return {
    ...unjudged(),
    usage,
    fault: describeRecovery(kept.fault ?? metered.fault, outcome),
    modelObserved,
    ...(ending.prompt && { prompt: ending.prompt }),
    ...(kept.browser && { browser: kept.browser }),
    outcome,
    failureCategory: decideCategory(outcome, judged?.unsolvedAs ?? 'harness'),
    contract: judged?.contract ?? null,
    agentSuccess,
    testSuccess,
    overallSuccess: agentSuccess && testSuccess,
    exit: {
      subject: { code: ending.exitCode, signal: ending.signal },
      gate: judged?.exit ?? UNKNOWN_EXIT,
    },
    effort: { ...describeEffort(metered, ending.noProgress, wall), ...ending.effort },
    integrity: {
      protectedFilesTouched: touched.slice(0, 500),
      findings: judged?.findings ?? [],
    },
    evidence: kept.files,
  }
}

/** Recovery is never “the subject did not throw”: only the same final contract counts (seed). */
function describeRecovery(
  fault: EpisodeBody['fault'],
  { status }: EpisodeBody['outcome'],
): EpisodeBody['fault'] {
  return fault && { ...fault, recovered: fault.firedAt === null ? null : status === 'solved' }
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

/** Whatever a phase threw after its run was stopped is the stop's doing: browsers and apps are taken away at once. */
export function describeStop(log: CappedLog): Happened {
  return {
    ...unjudged(),
    outcome: STOPPED,
    failureCategory: 'cancelled',
    modelObserved: [],
    effort: unknownEffort(),
    evidence: [closeLog(log)],
  }
}

/** Our trouble after the subject had ended: the attempt is void, and what it did, used and cost is kept. */
export function describeLoss(
  error: unknown,
  subject: { value: SubjectResult; durationMs: number },
  kept: Kept | null,
  log: CappedLog,
): Happened {
  const { ending } = subject.value
  const metered = meterAttempt(ending.report ?? null)
  const { outcome, failureCategory, evidence } = describeFault(error, log)
  return {
    ...unjudged(),
    outcome,
    failureCategory,
    modelObserved: metered.modelObserved,
    usage: metered.usage,
    ...(ending.prompt && { prompt: ending.prompt }),
    agentSuccess: ending.cause === 'exited' && ending.exitCode === 0,
    exit: { subject: { code: ending.exitCode, signal: ending.signal }, gate: UNKNOWN_EXIT },
    effort: {
      ...describeEffort(metered, ending.noProgress, { subjectMs: subject.durationMs }),
      ...ending.effort,
    },
    evidence: kept?.files ?? evidence,
  }
}

const OF_THE_MACHINE = new Set(['ENOSPC', 'EMFILE', 'ENFILE', 'ENOMEM', 'EAGAIN', 'EIO'])

/** A throw in a phase is our bug or our machine's trouble, never the subject's failure. */
export function describeFault(error: unknown, log: CappedLog): Happened {
  const { code, message } = error as NodeJS.ErrnoException
  const ofMachine =
    error instanceof InfrastructureError || (code !== undefined && OF_THE_MACHINE.has(code))
  const fault = ofMachine ? 'infrastructure' : 'harness'
  return {
    ...unjudged(),
    outcome: { status: 'void', fault, reason: String(message ?? error).slice(0, 1000) },
    failureCategory: fault,
    modelObserved: [],
    effort: unknownEffort(),
    evidence: [closeLog(log)],
  }
}
