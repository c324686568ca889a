import { calcPrice, type PriceCalculationResult, type Usage } from '@pydantic/genai-prices'
import {
  type BilledExtras,
  CONTRADICTION,
  type Price,
  type PriceUsage,
  type UsageToPrice,
  unpriced,
} from '../board/index.ts'

/** The table has no date of its own: this is its release date. */
export const PRICE_TABLE = { id: '@pydantic/genai-prices@0.1.8', date: '2026-09-23' } as const

/**
 * Returns the cost of usage by the price table of the package: offline, no clock. Unknown model or provider, unknown
 * input or output, contradictory counts, and a service tier or tool without a known price are unpriced with the reason,
 * never 0. Cached tokens without a count are priced like others.
 */
export const priceUsage: PriceUsage = (usage) => {
  const { tokens, extras, at } = usage
  if (tokens.input === null || tokens.output === null)
    return unpriced('the provider did not state its usage')
  if (Number.isNaN(Date.parse(at))) return unpriced('the time of the call is not known')
  // The vendor's prices may not apply at a custom address.
  if (usage.provider?.includes('@')) return unpriced(`${usage.provider} has no known price`)
  const counts = countTokens(tokens, extras)
  const priced = lookUp(counts, usage)
  if (priced === 'contradiction') return unpriced(CONTRADICTION)
  if (priced === null || !hasTokenPrice(priced.model_price)) return unpriced(describeModel(usage))
  const missing = findMissing(priced, extras)
  if (missing !== null) return unpriced(`${missing} has no price in the table`)
  const tools = lookUp({ ...counts, ...countTools(extras) }, usage)
  if (tools === null || tools === 'contradiction') return unpriced(CONTRADICTION)
  return priceTier(priced, tools.total_price - priced.total_price, extras?.tiers ?? [])
}

function describeModel({ model, provider }: UsageToPrice): string {
  return `${model}${provider === null ? '' : ` of ${provider}`} is not in the price table`
}

/** A tier changes the price of tokens, not of tools. */
function priceTier(priced: Priced, toolsUsd: number, tiers: readonly string[]): Price {
  const factor = tierFactor(tiers, priced.provider.id)
  if (factor === null) return unpriced(`the price of service tier ${tiers.join(', ')} is not known`)
  return tablePrice(priced.total_price * factor + toolsUsd)
}

const MICRO_USD = 1e6

function tablePrice(usd: number): Price {
  if (!Number.isFinite(usd) || usd < 0) return unpriced(CONTRADICTION)
  const costMicroUsd = Math.round(usd * MICRO_USD)
  return { costMicroUsd, priceTable: { ...PRICE_TABLE }, source: 'price-table' }
}

function countTokens(tokens: UsageToPrice['tokens'], extras: BilledExtras | undefined): Usage {
  const { input, output, cacheRead, cacheWrite } = tokens
  const audio = (extras?.audioInput ?? 0) > 0
  return {
    input_tokens: input ?? 0,
    output_tokens: output ?? 0,
    cache_read_tokens: cacheRead ?? 0,
    cache_write_tokens: cacheWrite ?? 0,
    ...positive('cache_write_1h_tokens', extras?.cacheWrite1h),
    ...positive('input_audio_tokens', extras?.audioInput),
    ...positive('output_audio_tokens', extras?.audioOutput),
    ...positive('output_image_tokens', extras?.imageOutput),
    // For a prompt with several modalities, only the provider knows which part was cached.
    ...(audio && !cacheRead ? { cache_audio_read_tokens: 0 } : {}),
    ...(audio && extras?.audioCacheRead != null
      ? { cache_audio_read_tokens: extras.audioCacheRead }
      : {}),
  }
}

function countTools(extras: BilledExtras | undefined): Usage {
  return {
    ...positive('web_searches', extras?.webSearches),
    ...positive('storage_searches', extras?.fileSearches),
  }
}

function positive(key: string, count: number | undefined): Usage {
  return count ? { [key]: count } : {}
}

type Priced = NonNullable<PriceCalculationResult>

/** The package throws on impossible counts: such usage has no price. */
function lookUp(
  counts: Usage,
  { model, provider, at }: UsageToPrice,
): Priced | null | 'contradiction' {
  const timestamp = new Date(at)
  try {
    return calcPrice(counts, model, {
      timestamp,
      ...(provider !== null && { providerId: provider }),
    })
  } catch {
    return 'contradiction'
  }
}

/** The table contains some models without a price, which the package counts as 0. */
function hasTokenPrice(price: Priced['model_price']): boolean {
  return price.input_mtok !== undefined && price.output_mtok !== undefined
}

/** Google's table names a modality only if its price differs. */
const ONE_PRICE_FOR_ALL = new Set(['google'])

/** Lists usage without a price of its own; the package would charge the next best one, usually too little. */
function findMissing(
  { model_price: price, provider }: Priced,
  extras: BilledExtras | undefined,
): string | null {
  if (extras === undefined) return null
  const [other] = extras.unpriceable
  if (other !== undefined) return other
  const isSplit = !ONE_PRICE_FOR_ALL.has(provider.id)
  const needs: [boolean, string, string][] = [
    [extras.cacheWrite1h > 0, 'cache_write_1h_mtok', 'a cache write of one hour'],
    [extras.audioInput > 0 && isSplit, 'input_audio_mtok', 'audio input'],
    [extras.audioOutput > 0, 'output_audio_mtok', 'audio output'],
    [extras.imageOutput > 0, 'output_image_mtok', 'image output'],
    [extras.webSearches > 0, 'web_searches_kcount', 'a web search'],
    [extras.fileSearches > 0, 'storage_searches_kcount', 'a file search'],
  ]
  return needs.find(([isUsed, key]) => isUsed && price[key] === undefined)?.[2] ?? null
}

/** Factor of a service tier on token prices, as published by the providers for all of their models. */
const TIER_FACTORS: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  anthropic: { batch: 0.5, 'inference_geo us': 1.1 },
  openai: { batch: 0.5, flex: 0.5 },
}

/** Null = one of them is unknown. */
function tierFactor(tiers: readonly string[], provider: string): number | null {
  const known = TIER_FACTORS[provider] ?? {}
  return tiers.reduce<number | null>((factor, tier) => {
    const own = Object.hasOwn(known, tier) ? known[tier] : undefined
    return factor === null || own === undefined ? null : factor * own
  }, 1)
}

/** One token each way: enough to tell whether a model has a price. */
const ONE_TOKEN = { input: 1, output: 1, cacheRead: null, cacheWrite: null, reasoning: null }

/** Returns true if calls of the model have a price by `price`: the table, or the provider's own price list. */
export function hasPrice(
  call: Pick<UsageToPrice, 'provider' | 'model' | 'at'>,
  price: PriceUsage = priceUsage,
): boolean {
  return price({ ...call, tokens: ONE_TOKEN }).costMicroUsd !== null
}

/** Providers that report the cost of each call, including models that are not in the table. */
const STATES_COST = new Set(['openrouter', 'xai'])

/** True if a provider reports the cost of a call itself. */
export function statesCost(provider: string): boolean {
  return STATES_COST.has(provider)
}
