import type { UsageToPrice } from '#lib/domain/board/index.ts'
import { type BilledUsage, readBilledUsage } from './billed-usage.ts'
import type { CallRecord, Charge, PriceCall } from './call-record.ts'
import type { Upstream } from './headers.ts'
import { UNKNOWN_TOKENS } from './tokens.ts'

/** Writes down what a call used and cost, by the provider's own word first; only for calls that were billed. */
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
  const costMicroUsd = billed.statesZero && isFree(record, tokens) ? 0 : billed.costMicroUsd
  record.tokens = tokens
  record.stated = stated
  record.price =
    costMicroUsd === null
      ? ask({ tokens, extras })
      : { costMicroUsd, priceTable: null, source: 'provider' }
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

/** Returns true if a stated zero is a price: no token was used, or the model's name says that it is free. */
function isFree(
  { model, modelAsked }: CallRecord,
  { input, output }: BilledUsage['tokens'],
): boolean {
  if (input === 0 && output === 0) return true
  return [model, modelAsked].some((name) => name?.toLowerCase().endsWith(':free'))
}

/** A call that a provider may have worked for, and of which no answer came. */
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
