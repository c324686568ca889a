import type { Price } from '#lib/domain/cost/price.ts'
import type { SpentBudget } from './budget/find-spent-budget.ts'
import type { FiredFault } from './faults/fault-line.ts'
import type { ProviderTrouble } from './meter/provider-trouble.ts'
import type { TokenSums } from './meter/sum-tokens.ts'

/** What the gateway saw of one episode; a snapshot, safe to keep: no key and no text of a conversation is in it. */
export type GatewayReport = TokenSums & {
  requests: {
    /** Model turns asked, retries included. */
    metered: number
    inFlight: number
    /** Free requests passed on (model lists, token counts). */
    passedOn: number
    /** Without this episode's secret. */
    strangers: number
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
  stopReasons: Record<string, number>
  refusals: number
  /** As the provider named them, in order of appearance. */
  models: string[]
  /** Requests whose very bytes had been sent before. */
  retries: number
  providerErrors: Record<string, number>
  providerTrouble: ProviderTrouble | null
  /** Every temperature that went out; null among them = none was sent. */
  temperatures: (number | null)[]
  exhausted: SpentBudget | null
  faults: FiredFault[]
  replayMisses: { path: string; key: string; at: string }[]
  /** Sums over metered calls, in milliseconds. */
  wall: { firstByteMs: number; answerMs: number }
  /** Our own bugs, by message; any makes the episode void/harness. */
  ownErrors: string[]
}
