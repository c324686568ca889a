import type { Price } from '#lib/domain/board/index.ts'
import type { CostSource, ModelUsage } from '#lib/domain/record/index.ts'
import type { SpentBudget } from './budgets.ts'
import type { FaultPlan, FiredFault } from './faults.ts'
import type { TokenSums } from './tokens.ts'

/** Result of one planned fault; `firedAt` null = it never fired. */
type FaultOutcome = {
  plan: string
  point: string
  firedAt: string | null
  /** True if the step with the fault completed in the end; null if the fault never fired. */
  recovered: boolean | null
}

/** Snapshot of what the gateway saw of one episode; contains no key and no text of a conversation. */
export type GatewayReport = TokenSums & {
  requests: {
    /** Requested model turns, including retries. */
    metered: number
    inFlight: number
    /** Free requests that were forwarded (model lists, token counts). */
    passedOn: number
    /** Requests without this episode's secret. */
    unauthorized: number
    upgradesRefused: number
    /** Unmeterable paths, and bodies that are too large or unreadable. */
    refused: number
    /** The client left before the response ended. */
    abandoned: number
  }
  /** Complete model turns that reached the agent. */
  steps: number
  toolCalls: Record<string, number>
  firstTool: string | null
  /** Null as soon as one call has an unknown price. */
  costMicroUsd: number | null
  knownCostMicroUsd: number
  unpricedCalls: number
  priceTable: Price['priceTable']
  /** Billed calls by the source of their cost. */
  costSources: Partial<Record<CostSource, number>>
  /** Why usage or price of a call is unknown, with the number of such calls. */
  unknownBecause: { reason: string; calls: number }[]
  /** Charges against budgets: calls of unknown usage are estimated, never free. */
  charged: { tokens: number; costMicroUsd: number; estimatedCalls: number }
  /** End of the last call if it was a turn without tool calls and nothing followed it; ISO instant. */
  finalAnswerAt: string | null
  /** A call was running, or the agent had just left one. */
  isWaiting: boolean
  stopReasons: Record<string, number>
  refusals: number
  /** As named by the provider, in order of appearance. */
  models: string[]
  /** Requests with bytes identical to an earlier one. */
  retries: number
  providerErrors: Record<string, number>
  providerFailure: ProviderFailure | null
  /** Each model's part of the billed calls. */
  usedModels: ModelUsage[]
  /** Every temperature that was sent; a null entry = none was sent. */
  temperatures: (number | null)[]
  /** Why stated tokens contradict the bytes transferred, with the number of such calls. */
  implausible: { reason: string; calls: number }[]
  exhausted: SpentBudget | null
  /** Every time a planned fault hit a call. */
  faults: FiredFault[]
  faultOutcomes: FaultOutcome[]
  replayMisses: { path: string; key: string; at: string }[]
  /** Sums over metered calls, in milliseconds. */
  wall: { firstByteMs: number; answerMs: number }
  /** Bugs of the gateway, by message; any makes the episode void/harness. */
  ownErrors: string[]
}

/** Recovered = the step that was hit completed in the end. */
export function faultOutcome(
  plan: FaultPlan,
  fired: readonly FiredFault[],
  steps: number,
): FaultOutcome {
  const hits = fired.filter(({ kind, step }) => kind === plan.kind && step >= plan.atStep)
  const last = hits.at(-1)
  return {
    plan: plan.kind,
    point: `step ${plan.atStep}`,
    firedAt: hits[0]?.at ?? null,
    recovered: last ? steps >= last.step : null,
  }
}

export type TroubleKind =
  | 'rate-limited'
  | 'overloaded'
  | 'server-error'
  | 'transient'
  | 'unauthorised'
  | 'unknown-model'
  | 'unreachable'
  | 'cut'
  | 'empty'
  /** No turn ever succeeded, and the provider calls the request invalid. */
  | 'refused-request'

export type ProviderFailure = {
  /** The most frequent kind. */
  kind: TroubleKind
  count: number
  kinds: Partial<Record<TroubleKind, number>>
  firstAt: string
  lastAt: string
  /** Consecutive failed calls at the end: 0 = the provider responded again. */
  unrecovered: number
  /** They began with a burst of the agent's own calls, so the agent caused the failure. */
  isProvoked: boolean
  /** No model turn ever succeeded in this attempt. */
  neverAnswered: boolean
  /** Status and message of the last failed call. */
  last: { status: number | null; message: string | null }
  /** The latest instant at which the failed calls at the end suggest a retry; null = none does. */
  retryAt: string | null
}
