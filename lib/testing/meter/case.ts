import type { GivenPrice } from '#lib/domain/record/index.ts'
import type { Protocol } from '#lib/domain/runs/index.ts'

/** What an answer really used and cost, worked out by hand; null = unknowable. */
export type Truth = {
  input: number | null
  output: number | null
  cacheRead?: number | null
  cacheWrite?: number | null
  reasoning?: number | null
  /** In millionths of a US dollar. */
  cost: number | null
  source: 'provider' | 'price-table' | 'given' | 'free' | 'unknown' | 'nothing billed'
  /** What is known where a figure is not. */
  atLeast?: { input: number; output: number; cost: number }
}

/** One answer of a provider, and its truth. */
export type MeterCase = {
  name: string
  protocol: Protocol
  /** As the gateway names it when it asks for a price. */
  provider: string
  model: string
  /** The whole body, or the events of a stream: an object is one event, a text goes out as it is. */
  answer: { body: object } | { events: readonly (object | string)[] }
  /** `cut` = the provider breaks off behind the last event; `leave` = the agent leaves there. */
  ending?: 'cut' | 'leave' | 'hang-up' | 'refuses'
  status?: number
  headers?: Record<string, string>
  /** What the user said that the model costs. */
  given?: GivenPrice
  truth: Truth
}

/** Wide enough for every case: none needs an own price table. */
export const NOTHING_KNOWN: Truth = { input: null, output: null, cost: null, source: 'unknown' }
