import type { EpisodeBody } from '#lib/domain/episode.ts'
import type { Outcome } from '#lib/domain/outcome.ts'
import type { GatewayReport } from './gateway-port.ts'

/** The part of an envelope that somebody other than the agent has to say. */
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
  const { tokens, costMicroUsd, priceTable, steps, toolCalls, firstTool, retries } = report
  return {
    usage: { tokens, costMicroUsd, priceTable },
    steps,
    toolCalls,
    firstTool,
    gatewayRetries: retries,
    modelObserved: [...new Set(report.modelObserved)].slice(0, 50),
    fault: report.faults.find(({ firedAt }) => firedAt !== null) ?? report.faults[0] ?? null,
  }
}

/**
 * The outcome that the gateway's report decides; null when it decides none. A replay that has no answer and a provider
 * in trouble make the attempt void, because the agent was not given what the plan promised; a budget is its own doing,
 * unless the time went by while it asked a provider in trouble again and again.
 */
export function decideMeteredOutcome(report: GatewayReport | null): Outcome | null {
  if (report === null) return null
  const { exhausted, providerTrouble, replayMiss } = report
  if (replayMiss !== null)
    return {
      status: 'void',
      fault: 'harness',
      reason: `the recording holds no answer to a request: ${replayMiss}`,
    }
  const isWaiting = exhausted?.budget === 'time' && providerTrouble !== null
  if (exhausted !== null && !isWaiting) return { status: 'out-of-budget', ...exhausted }
  if (providerTrouble !== null) {
    const { kind, count } = providerTrouble
    const times = count === 1 ? 'once' : `${count} times`
    return { status: 'void', fault: 'provider', reason: `the provider failed ${times}: ${kind}` }
  }
  return null
}
