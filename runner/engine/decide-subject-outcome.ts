import type { Outcome } from '#lib/domain/record/index.ts'
import type { Settings } from '#lib/domain/settings/index.ts'
import { countOf } from '#lib/domain/text/index.ts'
import type { GatewayReport, ProviderFailure } from '../gateway/gateway-report.ts'
import { faultOf } from '../runner-error.ts'
import type { SubjectEnding } from '../subjects/subject-driver.ts'

type Limits = Pick<Settings, 'timeoutMs' | 'diskQuotaBytes'>

/**
 * Attributes a failure, in this order: this machine, the run, the attempt's limits, the gateway's report, the agent's
 * process. Returns null if the success criteria decide.
 */
export function decideSubjectOutcome(ending: SubjectEnding, limits: Limits): Outcome | null {
  return (
    decideMachine(ending) ??
    decideViolation(ending, limits) ??
    decideMeteredOutcome(ending.report ?? null) ??
    decideEnd(ending, limits)
  )
}

const MAX_REASON = 1000

function decideMachine({
  clean,
  cause,
  brokenBy,
  report,
  ...ending
}: SubjectEnding): Outcome | null {
  const infrastructure = (reason: string) =>
    ({ status: 'void', fault: 'infrastructure', reason }) as const
  if (!clean) return infrastructure('processes of the subject could not be ended')
  if (cause === 'cancelled')
    return { status: 'cancelled', reason: 'the run was stopped while the subject worked' }
  if (cause === 'spawn-failed')
    return infrastructure('the subject could not be started: no shell, no memory or no sandbox')
  if (brokenBy !== undefined) {
    const reason = `the harness failed after the subject had worked: ${brokenBy.message}`
    return { status: 'void', fault: faultOf(brokenBy), reason: reason.slice(0, MAX_REASON) }
  }
  if (ending.isDiskFull)
    return { ...infrastructure('the disk of this machine was full'), cause: 'disk-full' }
  const isSetUp = ending.setupFailed === undefined || (report?.steps ?? 0) > 0
  return isSetUp ? null : { ...infrastructure(ending.setupFailed ?? ''), cause: 'setup-failed' }
}

function decideViolation(
  { cause }: SubjectEnding,
  { diskQuotaBytes }: Pick<Limits, 'diskQuotaBytes'>,
): Outcome | null {
  if (cause === 'disk')
    return {
      status: 'out-of-budget',
      budget: 'disk',
      reason: `wrote more than ${countOf(diskQuotaBytes, 'byte')}`,
    }
  if (cause === 'processes')
    return { status: 'out-of-budget', budget: 'processes', reason: 'started too many processes' }
  return null
}

/**
 * Returns the outcome that the gateway's report decides, or null. A replay without a response and a provider failure
 * exclude the attempt, because the agent did not get what the plan specifies; a spent budget is the agent's own fault,
 * unless the time passed while it retried a failing provider.
 */
export function decideMeteredOutcome(report: GatewayReport | null): Outcome | null {
  if (report === null) return null
  const { exhausted, replayMisses, ownErrors } = report
  const [replayMiss] = replayMisses
  const [ownError] = ownErrors
  const providerFailure = countedFailure(report)
  if (ownError !== undefined)
    return {
      status: 'void',
      fault: 'harness',
      reason: `the gateway failed: ${ownError}`.slice(0, MAX_REASON),
    }
  if (replayMiss !== undefined)
    return {
      status: 'void',
      fault: 'harness',
      reason: `the recording contains no answer to a request: ${replayMiss.path}`,
    }
  const isWaiting = exhausted?.budget === 'time' && providerFailure !== null
  if (exhausted !== null && !isWaiting) {
    const { budget, reason } = exhausted
    return { status: 'out-of-budget', budget, reason }
  }
  return providerFailure && describeProviderFailure(providerFailure)
}

/**
 * A provider failure counts only if no successful call followed and the agent did not provoke it by a burst of calls.
 */
function countedFailure({ providerFailure }: GatewayReport): ProviderFailure | null {
  const counts =
    providerFailure !== null && providerFailure.unrecovered > 0 && !providerFailure.isProvoked
  return counts ? providerFailure : null
}

/** Failures that waiting does not fix: the key, the model's name, or a request that the provider rejects. */
const LASTING = new Set(['unauthorised', 'unknown-model', 'refused-request'])
const MAX_MESSAGE = 300

function describeProviderFailure(failure: ProviderFailure): Outcome {
  const { kind, unrecovered, neverAnswered, last, retryAt } = failure
  const times = unrecovered === 1 ? 'once' : countOf(unrecovered, 'time')
  const failed = { status: 'void', fault: 'provider' } as const
  if (neverAnswered && LASTING.has(kind)) {
    const status = last.status === null ? '' : ` with ${last.status}`
    const words = last.message === null ? '' : `: ${oneLine(last.message)}`
    return {
      ...failed,
      cause: 'never-answered',
      reason: `the provider answered no call: it refused the first one${status}${words}`,
    }
  }
  const reason = `the provider failed ${times}: ${kind}`
  if (retryAt === null) return { ...failed, reason }
  return { ...failed, cause: 'rate-limited', retryAt, reason: `${reason}, until ${retryAt}` }
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim().slice(0, MAX_MESSAGE)
}

// The gateway's report comes first: an agent waiting for a failing provider did not run out of time.
function decideEnd(ending: SubjectEnding, { timeoutMs }: Limits): Outcome | null {
  if (ending.cause === 'timeout')
    return decideTimeout(ending.report ?? null, ending.limitMs ?? timeoutMs)
  return ending.cause === 'exited' ? decideExit(ending) : null
}

function decideTimeout(report: GatewayReport | null, timeoutMs: number): Outcome | null {
  const late = { status: 'out-of-budget', budget: 'time' } as const
  const reason = `still running after ${timeoutMs} ms`
  if (!report || !hasAsked(report)) return { ...late, reason }
  // It had finished without exiting, so its work counts.
  if (report.finalAnswerAt !== null) return null
  return report.isWaiting
    ? { ...late, reason: `${reason}, waiting for its model`, during: 'waiting' }
    : { ...late, reason: `${reason}, working`, during: 'working' }
}

function decideExit({ exitCode, signal, isOutOfMemory }: SubjectEnding): Outcome | null {
  const isKilled = signal === 'SIGKILL' || exitCode === KILLED
  if (isOutOfMemory && isKilled)
    return { status: 'subject-crashed', exitCode, signal: 'SIGKILL', reason: 'ran out of memory' }
  if (signal === null) return null
  return { status: 'subject-crashed', exitCode, signal, reason: `died of ${signal}` }
}

/** The exit code by which shells and docker report SIGKILL. */
const KILLED = 137

/** An agent that never called its model was not measured: a failure of it is excluded. Solved work stays solved. */
export function excludeUnasked(outcome: Outcome, { report }: SubjectEnding): Outcome {
  const isFailure =
    outcome.status === 'unsolved' ||
    outcome.status === 'subject-crashed' ||
    (outcome.status === 'out-of-budget' && outcome.budget === 'time')
  if (!report || !isFailure || hasAsked(report)) return outcome
  return {
    status: 'void',
    fault: 'infrastructure',
    cause: 'never-asked',
    reason: `the agent never called its model: ${outcome.reason}`.slice(0, MAX_REASON),
  }
}

function hasAsked({ requests: { metered, refused, unauthorized } }: GatewayReport): boolean {
  return metered + refused + unauthorized > 0
}
