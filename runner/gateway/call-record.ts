import type { Price, UsageToPrice } from '#lib/domain/board/index.ts'
import type { CostSource, GatewayCall } from '#lib/domain/record/index.ts'
import type { Protocol } from '#lib/domain/runs/index.ts'
import type { CallFailure } from './attribute-error.ts'
import type { TemperatureSent } from './pins.ts'
import type { Tokens } from './tokens.ts'
import type { ToolAsk } from './tool-calls.ts'

/** The end of a call: complete, broken off by one side, or answered by the gateway itself. */
export type CallEnding =
  | 'whole'
  | 'client-gone'
  | 'upstream-cut'
  | 'unreachable'
  | 'fault'
  | 'budget'
  | 'replay-miss'
  | 'refused'

/** Charge of one call against the token and cost budgets; estimated if its tokens are unknown. */
export type Charge = { tokens: number; costMicroUsd: number; isEstimated: boolean }

/**
 * One metered call, from the first byte of the request to the last byte of the response; contains no key and no text of
 * a conversation.
 */
export type CallRecord = {
  /** 1, 2, 3 … in order of arrival. */
  number: number
  protocol: Protocol
  path: string
  streams: boolean
  /** ISO instant. */
  startedAt: string
  /** Number of an earlier call with an identical body: the client retried. */
  retryOf: number | null
  /** Source of the response: the provider, a recording, or the gateway. */
  source: 'upstream' | 'replay' | 'gateway'
  /** Null when no status came. */
  status: number | null
  ending: CallEnding
  /** A complete model turn reached the client. */
  isStep: boolean
  /** Kind of the injected fault that hit this call. */
  fault: string | null
  modelAsked: string | null
  model: string | null
  /** Final counts. */
  tokens: Tokens
  /** Stated counts: a lower bound. */
  stated: Tokens
  rawUsage: Record<string, unknown> | null
  price: Price
  /** Why usage or price is unknown; null = both known, or nothing was billed. */
  unknownBecause: string | null
  /** Known part of the cost if the price is unknown. */
  atLeastMicroUsd: number
  /** Charge against budgets: known, or estimated from its bytes. */
  charge: Charge
  /** The provider may have worked on it although no response came. */
  mayBeBilled: boolean
  /** Why the stated tokens contradict the bytes transferred; null = they do not. */
  implausible: string | null
  toolCalls: string[]
  /** The same calls with their fingerprints. */
  toolAsks: ToolAsk[]
  stopReason: string | null
  refused: boolean
  /** An error inside a stream that began with 200. */
  streamError: string | null
  /** The party that caused its failure; null = it did not fail. */
  failure: CallFailure | null
  /** The provider's message; it may repeat a part of the request. */
  errorMessage: string | null
  /** ISO instant from which the provider accepts calls again after refusing this one; null = not stated. */
  retryAt: string | null
  /** Null if the request never reached a pin. */
  temperature: TemperatureSent | null
  usageInjected: boolean
  /** Tools that the gateway removed from the request because its agent has no network. */
  toolsLeftOut: readonly string[]
  requestBytes: number
  responseBytes: number
  firstByteMs: number | null
  durationMs: number
}

/** Maximum length of a name or reason in an envelope: some providers repeat the model's name as the agent wrote it. */
const MAX_NAME = 200

/** Returns the evidence of a call; names come from outside and are cut. */
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

/** Returns true if the provider worked on it, or may have: if a client leaves early, its cost is unknown. */
export function isBilled({ source, status, mayBeBilled }: CallRecord): boolean {
  if (source === 'gateway') return false
  return status === null ? mayBeBilled : status < 300
}

/** Returns the source of the cost. */
export function costSourceOf({ source, costMicroUsd }: Price): CostSource {
  if (costMicroUsd === null) return source === 'flat' ? source : 'unknown'
  return source ?? 'price-table'
}

/** Cuts a text to the length that an envelope allows. */
export function cut(text: string | null): string | null {
  return text === null ? null : text.slice(0, MAX_NAME)
}

function cutNames(names: readonly string[], max: number): string[] {
  return names.slice(0, max).map((one) => one.slice(0, MAX_NAME))
}

function tenths(ms: number): number {
  return Math.round(ms * 10) / 10
}

/** Usage of one call; its model is the one named in the response, else the requested one. */
type PricedUsage = UsageToPrice & {
  provider: string
  /** The provider's own usage object, unchanged: it includes cache tiers and the like. */
  raw: unknown
}

/** Injected: the gateway counts tokens and knows no prices. */
export type PriceCall = (usage: PricedUsage) => Price
