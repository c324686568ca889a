import type { Price } from '#lib/domain/cost/price.ts'
import type { TemperatureSent } from '../pins/pin-temperature.ts'
import type { Protocol } from '../protocol.ts'
import type { Tokens } from '../tokens.ts'
import type { ToolAsk } from './asked-tools.ts'

/** How a call ended: by its own end, by whoever broke it off, or answered by the gateway itself. */
export type CallEnding =
  | 'whole'
  | 'client-gone'
  | 'upstream-cut'
  | 'unreachable'
  | 'fault'
  | 'budget'
  | 'replay-miss'
  | 'refused'

/** One metered call, from the first byte asked to the last byte answered; holds no key and no text of a conversation. */
export type CallRecord = {
  /** 1, 2, 3 … in the order of arrival. */
  number: number
  protocol: Protocol
  path: string
  streams: boolean
  /** ISO instant. */
  startedAt: string
  /** Number of an earlier call with the very same body: the client tried again. */
  retryOf: number | null
  /** Who answered: the provider, a recording, or the gateway. */
  source: 'upstream' | 'replay' | 'gateway'
  /** Null when no status came. */
  status: number | null
  ending: CallEnding
  /** A whole model turn reached the client. */
  isStep: boolean
  /** Kind of the injected fault that hit this call. */
  fault: string | null
  modelAsked: string | null
  model: string | null
  tokens: Tokens
  rawUsage: Record<string, unknown> | null
  price: Price
  toolCalls: string[]
  /** The same calls with their fingerprints. */
  toolAsks: ToolAsk[]
  stopReason: string | null
  refused: boolean
  /** An error told inside a stream that began with 200. */
  streamError: string | null
  /** The provider refused for a bad key or an empty account, whatever status it chose. */
  isAccountTrouble: boolean
  /** Null when the request never got as far as a pin. */
  temperature: TemperatureSent | null
  usageInjected: boolean
  requestBytes: number
  responseBytes: number
  firstByteMs: number | null
  durationMs: number
}
