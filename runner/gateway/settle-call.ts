import type { Price, UsageToPrice } from '#lib/domain/board/index.ts'
import { statesCost } from '#lib/domain/prices/index.ts'
import { type BilledUsage, readBilledUsage } from './billed-usage.ts'
import type { CallRecord, Charge, PriceCall } from './call-record.ts'
import type { Upstream } from './headers.ts'
import { UNKNOWN_TOKENS } from './tokens.ts'

/** Records usage and cost of a call, preferring the provider's statement; only for billed calls. */
export function settleCall(
  record: CallRecord,
  { provider }: Upstream,
  billed: BilledUsage,
  price: PriceCall,
): void {
  const model = record.model ?? record.modelAsked ?? 'unknown'
  const at = record.startedAt
  const ask = (part: Pick<UsageToPrice, 'tokens' | 'extras'>) =>
    price({ provider, model, at, raw: record.rawUsage, ...part })
  const { tokens, stated, extras } = billed
  record.tokens = tokens
  record.stated = stated
  record.price = choosePrice(record, provider, billed, ask({ tokens, extras }))
  const isPriced = record.price.costMicroUsd !== null
  const unpriced = billed.statesZero ? ZERO_COST : (record.price.why ?? NO_PRICE)
  record.unknownBecause = billed.why ?? (isPriced ? null : unpriced)
  const priceOf = (used: typeof stated) => ask({ tokens: used, extras }).costMicroUsd ?? 0
  const hasBound = !isPriced && stated.input !== null
  record.atLeastMicroUsd = hasBound ? priceOf({ ...stated, output: stated.output ?? 0 }) : 0
  record.charge = chargeOf(record, (used) => ask({ tokens: used }).costMicroUsd ?? 0)
}

const NO_PRICE = 'the model has no known price'
const ZERO_COST = 'the provider states a cost of zero, and the model has no known price'

/**
 * Prefers the provider's own cost. A stated zero counts if the provider sends the bill, unless the user gave a price.
 */
function choosePrice(record: CallRecord, provider: string, billed: BilledUsage, own: Price): Price {
  const { costMicroUsd, statesZero, tokens } = billed
  if (costMicroUsd !== null) return { costMicroUsd, priceTable: null, source: 'provider' }
  const isBill = statesCost(provider) && own.source !== 'given'
  const isZero = statesZero && (isBill || isFree(record, tokens))
  return isZero ? { costMicroUsd: 0, priceTable: null, source: 'provider' } : own
}

/** Returns true if no token was used, or the model's name marks it as free. */
function isFree(
  { model, modelAsked }: CallRecord,
  { input, output }: BilledUsage['tokens'],
): boolean {
  if (input === 0 && output === 0) return true
  return [model, modelAsked].some((name) => name?.toLowerCase().endsWith(':free'))
}

/** Records a call that a provider may have worked on without a response. */
export function settleUnanswered(record: CallRecord, upstream: Upstream, price: PriceCall): void {
  record.mayBeBilled = true
  const heard = { rawUsage: null, isUsageFinal: false, tier: null, served: new Map() }
  const billed = readBilledUsage(record.protocol, heard)
  const why = 'the connection ended before the provider had answered'
  settleCall(record, upstream, { ...billed, why }, price)
}

/** Approximate bytes per token of text. */
const BYTES_PER_TOKEN = 4

function chargeOf(
  { tokens, stated, price, requestBytes, responseBytes }: CallRecord,
  priceOf: (used: CallRecord['tokens']) => number,
): Charge {
  const input = tokens.input ?? Math.max(stated.input ?? 0, guess(requestBytes))
  const output = tokens.output ?? Math.max(stated.output ?? 0, guess(responseBytes))
  const used = { ...UNKNOWN_TOKENS, input, output }
  return {
    tokens: input + output,
    costMicroUsd: price.costMicroUsd ?? priceOf(used),
    isEstimated: tokens.input === null || tokens.output === null,
  }
}

function guess(bytes: number): number {
  return Math.ceil(bytes / BYTES_PER_TOKEN)
}
