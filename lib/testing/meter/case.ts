import type { Protocol } from '#lib/domain/runs/index.ts'
import type { GivenPrice } from '#lib/domain/settings/index.ts'

/** True usage and cost of a response, computed by hand; null = unknowable. */
export type Truth = {
  input: number | null
  output: number | null
  cacheRead?: number | null
  cacheWrite?: number | null
  reasoning?: number | null
  /** In millionths of a US dollar. */
  cost: number | null
  source: 'provider' | 'price-table' | 'given' | 'free' | 'unknown' | 'nothing billed'
  /** Lower bounds where a figure is unknown. */
  atLeast?: { input: number; output: number; cost: number }
}

/** One response of a provider, and its true usage. */
export type MeterCase = {
  name: string
  protocol: Protocol
  /** The gateway's name of the provider for looking up a price. */
  provider: string
  model: string
  /** The whole body, or the events of a stream: an object is one event, a text is sent unchanged. */
  answer: { body: object } | { events: readonly (object | string)[] }
  /** `cut` = the provider breaks off after the last event; `leave` = the agent disconnects there. */
  ending?: 'cut' | 'leave' | 'hang-up' | 'refuses'
  status?: number
  headers?: Record<string, string>
  /** The price that the user gave. */
  given?: GivenPrice
  truth: Truth
}

/** For responses without any usage. */
export const NOTHING_KNOWN: Truth = { input: null, output: null, cost: null, source: 'unknown' }
