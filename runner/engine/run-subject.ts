import {
  type Arm,
  type EpisodeBody,
  type Outcome,
  type Settings,
  type Usage,
  unknownActivation,
} from '#lib/domain/record/index.ts'
import type { GatewayReport, ProviderFailure } from '../gateway/gateway-report.ts'
import { faultOf } from '../runner-error.ts'
import type {
  SubjectContext,
  SubjectDriver,
  SubjectEnding,
  SubjectResult,
} from '../subjects/subject-driver.ts'

/** Phase 2: the subject's part. Names the outcome only where it is already decided here. */
export async function runSubject(
  driver: SubjectDriver,
  turn: SubjectContext,
): Promise<SubjectResult> {
  const ending = await driver.act(turn)
  return { ending, outcome: decideSubjectOutcome(ending, turn.settings) }
}

/** The outcome that the subject's part has decided already; null = the contract has to. */
export function decideSubjectOutcome(
  ending: SubjectEnding,
  settings: Pick<Settings, 'timeoutMs' | 'diskQuotaBytes'>,
): Outcome | null {
  const { cause } = ending
  if (!ending.clean)
    return {
      status: 'void',
      fault: 'infrastructure',
      reason: 'processes of the subject could not be ended',
    }
  if (cause === 'cancelled')
    return { status: 'cancelled', reason: 'the run was stopped while the subject worked' }
  if (cause === 'spawn-failed')
    return {
      status: 'void',
      fault: 'infrastructure',
      reason: 'the subject could not be started: no shell, no memory or no sandbox',
    }
  if (ending.brokenBy !== undefined)
    return {
      status: 'void',
      fault: faultOf(ending.brokenBy),
      reason: `the harness failed after the subject had worked: ${ending.brokenBy.message}`.slice(
        0,
        MOST_REASON,
      ),
    }
  return (
    decideBreach(ending, settings) ??
    decideMeteredOutcome(ending.report ?? null) ??
    decideEnd(ending, settings)
  )
}

const MOST_REASON = 1000

function decideBreach(
  { cause }: SubjectEnding,
  { diskQuotaBytes }: Pick<Settings, 'diskQuotaBytes'>,
): Outcome | null {
  if (cause === 'disk')
    return {
      status: 'out-of-budget',
      budget: 'disk',
      reason: `wrote more than ${diskQuotaBytes} bytes`,
    }
  if (cause === 'processes')
    return { status: 'out-of-budget', budget: 'processes', reason: 'started too many processes' }
  return null
}

/** The exit code by which shells and docker report SIGKILL. */
const KILLED = 137

// The gateway's report comes first: an agent that waits for a failing provider did not run out of time.
function decideEnd(
  { cause, exitCode, signal, isOutOfMemory }: SubjectEnding,
  { timeoutMs }: Pick<Settings, 'timeoutMs'>,
): Outcome | null {
  if (cause === 'timeout')
    return {
      status: 'out-of-budget',
      budget: 'time',
      reason: `still running after ${timeoutMs} ms`,
    }
  if (isOutOfMemory && exitCode === KILLED)
    return { status: 'subject-crashed', exitCode, signal: 'SIGKILL', reason: 'ran out of memory' }
  if (signal !== null)
    return { status: 'subject-crashed', exitCode, signal, reason: `died of ${signal}` }
  return null
}

/** The part of an envelope that must not come from the agent itself. */
export type Metered = {
  usage: EpisodeBody['usage']
  steps: number | null
  toolCalls: Record<string, number> | null
  firstTool: string | null
  gatewayRetries: number | null
  modelObserved: string[]
  fault: EpisodeBody['fault']
}

const NOTHING: Metered = {
  usage: null,
  steps: null,
  toolCalls: null,
  firstTool: null,
  gatewayRetries: null,
  modelObserved: [],
  fault: null,
}

/** What the gateway's report says in an envelope; without a report all of it is unknown. */
export function meterAttempt(report: GatewayReport | null): Metered {
  if (report === null) return NOTHING
  const { steps, toolCalls, firstTool, retries, faultOutcomes, models } = report
  return {
    usage: describeUsage(report),
    steps,
    toolCalls,
    firstTool,
    gatewayRetries: retries,
    modelObserved: [...new Set(models)].slice(0, 50),
    fault: faultOutcomes.find(({ firedAt }) => firedAt !== null) ?? faultOutcomes[0] ?? null,
  }
}

function describeUsage(report: GatewayReport): Usage {
  const { tokens, knownTokens, costMicroUsd, knownCostMicroUsd, priceTable } = report
  const { costSources, unknownBecause } = report
  const isKnown = tokens.input !== null && tokens.output !== null && costMicroUsd !== null
  const { input, output } = knownTokens
  const atLeast = { input, output, costMicroUsd: Math.round(knownCostMicroUsd) }
  return {
    tokens,
    costMicroUsd,
    priceTable,
    costSources,
    ...(isKnown ? {} : { atLeast }),
    ...(unknownBecause.length > 0 ? { unknownBecause } : {}),
  }
}

/**
 * The outcome that the gateway's report decides; null when it decides none. A replay without an answer and a provider
 * failure make the attempt void, because the agent was not given what the plan promised; a budget is its own doing,
 * unless the time went by while it retried at a failing provider.
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
      reason: `the gateway failed: ${ownError}`.slice(0, MOST_REASON),
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
  if (providerFailure !== null) {
    const { kind, unrecovered } = providerFailure
    const times = unrecovered === 1 ? 'once' : `${unrecovered} times`
    return { status: 'void', fault: 'provider', reason: `the provider failed ${times}: ${kind}` }
  }
  return null
}

/** A provider failure counts only when nothing came after it and the agent did not provoke it by a burst of calls. */
function countedFailure({ providerFailure }: GatewayReport): ProviderFailure | null {
  const counts =
    providerFailure !== null && providerFailure.unrecovered > 0 && !providerFailure.isProvoked
  return counts ? providerFailure : null
}

/** The subject's part, which says of an arm whether it was seen, even where nothing could see it. */
export async function playArm(
  arm: Arm | undefined,
  driver: SubjectDriver,
  turn: SubjectContext,
): Promise<SubjectResult> {
  const result = await runSubject(driver, turn)
  const { activation = arm && unknownActivation(arm) } = result.ending
  return { ...result, ending: { ...result.ending, activation } }
}
