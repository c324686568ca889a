import type { Price, UsageToPrice } from '#lib/domain/board/price.ts'
import type { Clock } from '../engine/clock.ts'
import type { Budgets, SpentBudget } from './budgets.ts'
import type { FaultPlan, FiredFault } from './faults.ts'
import type { TemperaturePin } from './pins.ts'
import type { Protocol } from './protocol.ts'
import type { ProviderTrouble } from './provider-trouble.ts'
import type { Recorder } from './recorder.ts'
import type { Replayer } from './recording.ts'
import type { TokenSums } from './tokens.ts'

export type Upstream = {
  /** Whom to name when asking for a price: 'anthropic', 'openai' … */
  provider: string
  /** Without the protocol's own path: `https://api.anthropic.com`, `https://openrouter.ai/api`. */
  baseUrl: string
  /** Headers that carry the real key, by lower-case name. */
  headers: Readonly<Record<string, string>>
}

/** Everything one episode's gateway needs; null = none, without limit, or the agent's own choice. */
export type GatewayOrder = {
  /** A socket is for sandboxes; `seenAs` is the origin under which a bridge shows it to the agent. */
  listen: { kind: 'loopback' } | { kind: 'socket'; path: string; seenAs: string }
  upstreams: Readonly<Partial<Record<Protocol, Upstream>>>
  pins: { temperature: TemperaturePin }
  budgets: Budgets
  /** When it ends, later requests get the final turn; calls under way go on. */
  deadline: AbortSignal | null
  price: PriceCall
  faults: readonly FaultPlan[]
  recorder: Recorder | null
  /** With one, no provider is ever asked. */
  replayer: Replayer | null
  clock: Clock
  /** Ends the gateway itself, like `close`. */
  signal: AbortSignal
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

/** Usage of one call; its model is the one the provider named in its answer, else the one asked for. */
type PricedUsage = UsageToPrice & {
  provider: string
  /** The provider's own usage object, untouched: cache tiers and the like are in it. */
  raw: unknown
}

/** Injected: the gateway counts tokens, its caller knows prices. */
export type PriceCall = (usage: PricedUsage) => Price
