import type { Price, UsageToPrice } from '#lib/domain/board/index.ts'
import type { Protocol } from '#lib/domain/runs/index.ts'
import type { Clock } from '../engine/clock.ts'
import type { Budgets } from './budgets.ts'
import type { CallRecord } from './call-record.ts'
import type { FaultPlan } from './faults.ts'
import type { TemperaturePin } from './pins.ts'
import type { Recorder } from './recorder.ts'
import type { Replayer } from './recording.ts'
import type { AskedTurn } from './route-request.ts'

export type Upstream = {
  /** The provider's name for a price: 'anthropic', 'openai' … */
  provider: string
  /** Without the protocol's own path: `https://api.anthropic.com`, `https://openrouter.ai/api`. */
  baseUrl: string
  /** Replaces the version in the agent's path, `/v1` or `/v1beta`; absent = that stays. */
  version?: string
  /** Headers that carry the real key, by lower-case name. */
  headers: Readonly<Record<string, string>>
}

/** Hears requests as they arrive, plain bytes of answers as they come, and every call that has ended. */
export type Listener = {
  ask: (call: number, asked: Pick<AskedTurn, 'protocol' | 'json'>) => void
  hear: (call: number, chunk: Uint8Array) => void
  settle: (record: CallRecord) => void
}

/** Everything one episode's gateway needs; null = none, without limit, or the agent's own choice. */
export type GatewayOptions = {
  /** A socket is for sandboxes; `seenAs` is the origin under which a bridge shows it to the agent. */
  listen: { kind: 'loopback' } | { kind: 'socket'; path: string; seenAs: string }
  upstreams: Readonly<Partial<Record<Protocol, Upstream>>>
  pins: { temperature: TemperaturePin }
  budgets: Budgets
  /** When it ends, later requests get the final turn; running calls continue. */
  deadline: AbortSignal | null
  price: PriceCall
  /** Its calls cost money: not so with a script or a recording. Absent = yes. */
  paysProvider?: boolean
  faults: readonly FaultPlan[]
  recorder: Recorder | null
  /** Records the transcript; absent = none is recorded. */
  transcriber?: Listener | null
  /** With one, no provider is ever asked. */
  replayer: Replayer | null
  clock: Clock
  /** Ends the gateway itself, like `close`. */
  signal: AbortSignal
}

/** Usage of one call; its model is the one the provider named in its answer, else the requested one. */
type PricedUsage = UsageToPrice & {
  provider: string
  /** The provider's own usage object, untouched: cache tiers and the like are in it. */
  raw: unknown
}

/** Injected: the gateway counts tokens and does not know prices. */
export type PriceCall = (usage: PricedUsage) => Price
