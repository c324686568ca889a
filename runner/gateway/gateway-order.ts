import type { Clock } from '../clock.ts'
import type { Budgets } from './budget/find-spent-budget.ts'
import type { FaultPlan } from './faults/fault-plan.ts'
import type { TemperaturePin } from './pins/pin-temperature.ts'
import type { PriceCall } from './price-call.ts'
import type { Protocol } from './protocol.ts'
import type { Recorder } from './recording/recorder.ts'
import type { Replayer } from './recording/replayer.ts'

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
