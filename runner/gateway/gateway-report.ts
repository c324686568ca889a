import type { Price } from '#lib/domain/board/index.ts'
import type { CostSource, ModelUsage } from '#lib/domain/record/index.ts'
import type { SpentBudget } from './budgets.ts'
import type { FaultPlan, FiredFault } from './faults.ts'
import type { TokenSums } from './tokens.ts'

/** What became of one planned fault; `firedAt` null = it never came. */
type FaultOutcome = {
  plan: string
  point: string
  firedAt: string | null
  /** Whether the step that was hit was made in the end; null when the fault never came. */
  recovered: boolean | null
}

/** What the gateway saw of one episode; a snapshot, safe to keep: no key and no text of a conversation is in it. */
export type GatewayReport = TokenSums & {
  requests: {
    /** Model turns asked, retries included. */
    metered: number
    inFlight: number
    /** Free requests passed on (model lists, token counts). */
    passedOn: number
    /** Without this episode's secret. */
    unauthorized: number
    upgradesRefused: number
    /** Unmeterable paths, bodies too large or not readable. */
    refused: number
    /** The client left before the answer's end. */
    abandoned: number
  }
  /** Whole model turns that reached the agent. */
  steps: number
  toolCalls: Record<string, number>
  firstTool: string | null
  /** Null as soon as one call has no known price. */
  costMicroUsd: number | null
  knownCostMicroUsd: number
  unpricedCalls: number
  priceTable: Price['priceTable']
  /** Billed calls by the source of their cost. */
  costSources: Partial<Record<CostSource, number>>
  /** Why usage or price of a call is not known, with the number of such calls. */
  unknownBecause: { reason: string; calls: number }[]
  /** What budgets count: calls of unknown usage are estimated, never free. */
  charged: { tokens: number; costMicroUsd: number; estimatedCalls: number }
  /** When the last call ended, if it was a turn without tool calls and nothing followed it; ISO instant. */
  finalAnswerAt: string | null
  /** A call was under way, or the agent had just left one. */
  isWaiting: boolean
  stopReasons: Record<string, number>
  refusals: number
  /** As the provider named them, in order of appearance. */
  models: string[]
  /** Requests whose very bytes had been sent before. */
  retries: number
  providerErrors: Record<string, number>
  providerFailure: ProviderFailure | null
  /** Each model's part of the billed calls. */
  usedModels: ModelUsage[]
  /** Every temperature that went out; null among them = none was sent. */
  temperatures: (number | null)[]
  /** Why stated tokens cannot be true beside the bytes that went by, with the number of such calls. */
  implausible: { reason: string; calls: number }[]
  exhausted: SpentBudget | null
  /** Every time a planned fault hit a call. */
  faults: FiredFault[]
  faultOutcomes: FaultOutcome[]
  replayMisses: { path: string; key: string; at: string }[]
  /** Sums over metered calls, in milliseconds. */
  wall: { firstByteMs: number; answerMs: number }
  /** Our own bugs, by message; any makes the episode void/harness. */
  ownErrors: string[]
}

/** Recovered = the step that was hit was made in the end. */
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
  /** No turn was ever answered, and the provider calls the request invalid. */
  | 'refused-request'

export type ProviderFailure = {
  /** The most frequent kind. */
  kind: TroubleKind
  count: number
  kinds: Partial<Record<TroubleKind, number>>
  firstAt: string
  lastAt: string
  /** Failed calls in a row at the end: 0 = the provider answered again. */
  unrecovered: number
  /** They began with a burst of the agent's own calls: the agent caused the failure. */
  isProvoked: boolean
  /** No model turn was ever answered in this attempt. */
  neverAnswered: boolean
  /** Status and words of the last failed call. */
  last: { status: number | null; message: string | null }
  /** The latest instant that the failed calls at the end name for trying again; null = none does. */
  retryAt: string | null
}
