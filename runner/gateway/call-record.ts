import type { Price, UsageToPrice } from '#lib/domain/board/index.ts'
import type { CostSource, GatewayCall } from '#lib/domain/record/index.ts'
import type { Protocol } from '#lib/domain/runs/index.ts'
import type { CallFailure } from './attribute-error.ts'
import type { TemperatureSent } from './pins.ts'
import type { Tokens } from './tokens.ts'
import type { ToolAsk } from './tool-calls.ts'

/** How a call ended: by itself, by the side that broke it off, or answered by the gateway itself. */
export type CallEnding =
  | 'whole'
  | 'client-gone'
  | 'upstream-cut'
  | 'unreachable'
  | 'fault'
  | 'budget'
  | 'replay-miss'
  | 'refused'

/** What one call takes of the budgets of tokens and cost; estimated where its tokens are not known. */
export type Charge = { tokens: number; costMicroUsd: number; isEstimated: boolean }

/** One metered call, from the first byte asked to the last byte answered; contains no key and no text of a conversation. */
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
  /** As far as they are final. */
  tokens: Tokens
  /** As far as they were stated at all: a lower bound. */
  stated: Tokens
  rawUsage: Record<string, unknown> | null
  price: Price
  /** Why usage or price is not known; null = both are, or nothing was billed. */
  unknownBecause: string | null
  /** What of the cost is known where the price is not. */
  atLeastMicroUsd: number
  /** What it counts as in budgets: known, or estimated by its bytes. */
  charge: Charge
  /** The provider may have worked for it although no answer came. */
  mayBeBilled: boolean
  /** Why the stated tokens cannot be true beside the bytes that went by; null = they can. */
  implausible: string | null
  toolCalls: string[]
  /** The same calls with their fingerprints. */
  toolAsks: ToolAsk[]
  stopReason: string | null
  refused: boolean
  /** An error reported inside a stream that began with 200. */
  streamError: string | null
  /** Who caused its failure; null = it did not fail. */
  failure: CallFailure | null
  /** The provider's words for it; they may repeat a part of the request. */
  errorMessage: string | null
  /** ISO instant from which the provider, which refused this call for now, accepts calls again; null = not stated. */
  retryAt: string | null
  /** Null when the request never got as far as a pin. */
  temperature: TemperatureSent | null
  usageInjected: boolean
  /** Tools that the gateway took out of the request, because its agent has no network. */
  toolsLeftOut: readonly string[]
  requestBytes: number
  responseBytes: number
  firstByteMs: number | null
  durationMs: number
}

/** What an envelope takes of a name or a reason: some providers repeat the model's name as the agent wrote it. */
const MAX_NAME = 200

/** What of a call is stored as evidence; names come from outside and are cut. */
export function describeCall(call: CallRecord): GatewayCall {
  const { number, startedAt, source, status, ending, isStep, retryOf } = call
  const { tokens, price, requestBytes, responseBytes, firstByteMs, durationMs } = call
  const { costMicroUsd } = price
  return {
    number,
    startedAt,
    source,
    status,
    ending,
    isStep,
    retryOf,
    fault: cut(call.fault),
    modelAsked: cut(call.modelAsked),
    model: cut(call.model),
    ...(isBilled(call) && call.temperature && { temperature: call.temperature.sent }),
    tokens,
    costMicroUsd,
    ...(isBilled(call) ? { costSource: costSourceOf(price) } : {}),
    ...(call.unknownBecause === null ? {} : { unknownBecause: cut(call.unknownBecause) ?? '' }),
    ...(call.implausible === null ? {} : { implausible: call.implausible }),
    toolCalls: cutNames(call.toolCalls, 200),
    ...(call.toolsLeftOut.length > 0 && { toolsLeftOut: cutNames(call.toolsLeftOut, 20) }),
    stopReason: cut(call.stopReason),
    requestBytes,
    responseBytes,
    firstByteMs: firstByteMs === null ? null : tenths(firstByteMs),
    durationMs: tenths(durationMs),
  }
}

/** The provider worked for it, or may have: a client that left early leaves its cost unknown. */
export function isBilled({ source, status, mayBeBilled }: CallRecord): boolean {
  if (source === 'gateway') return false
  return status === null ? mayBeBilled : status < 300
}

/** Who says what it cost. */
export function costSourceOf({ source, costMicroUsd }: Price): CostSource {
  if (costMicroUsd === null) return source === 'flat' ? source : 'unknown'
  return source ?? 'price-table'
}

/** As much of it as an envelope takes. */
export function cut(text: string | null): string | null {
  return text === null ? null : text.slice(0, MAX_NAME)
}

function cutNames(names: readonly string[], most: number): string[] {
  return names.slice(0, most).map((one) => one.slice(0, MAX_NAME))
}

function tenths(ms: number): number {
  return Math.round(ms * 10) / 10
}

/** Usage of one call; its model is the one the provider named in its answer, else the requested one. */
type PricedUsage = UsageToPrice & {
  provider: string
  /** The provider's own usage object, untouched: cache tiers and the like are in it. */
  raw: unknown
}

/** Injected: the gateway counts tokens and does not know prices. */
export type PriceCall = (usage: PricedUsage) => Price
