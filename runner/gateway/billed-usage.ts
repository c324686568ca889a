import type { BilledExtras } from '#lib/domain/board/index.ts'
import type { Protocol } from '#lib/domain/runs/index.ts'
import { at, countAt, listAt, textAt } from './json-value.ts'
import type { Reading } from './read-turn.ts'
import { readTokenCounts, type Tokens, UNKNOWN_TOKENS } from './tokens.ts'

/** Usage and cost of one call as stated by the provider. */
export type BilledUsage = {
  /** Final counts; null = unknown. */
  tokens: Tokens
  /** Final counts, or those stated before a response broke off: a lower bound. */
  stated: Tokens
  extras: BilledExtras
  /** The call's cost as the provider states it; null = not stated, or zero. */
  costMicroUsd: number | null
  /** The provider states zero, as proxies do for a model without a known price. */
  statesZero: boolean
  /** Why the usage is unknown; null = known. */
  why: string | null
}

type UsageReading = Pick<Reading, 'rawUsage' | 'isUsageFinal' | 'tier' | 'served'>

/** Reads usage, charges besides tokens and the provider's own cost from one response. */
export function readBilledUsage(
  protocol: Protocol,
  heard: UsageReading,
  costHeader: string | null = null,
): BilledUsage {
  const raw = heard.rawUsage
  const stated = readTokenCounts(protocol, raw)
  const extras = readExtras(protocol, heard, stated)
  if (raw === null) return { tokens: UNKNOWN_TOKENS, stated, extras, ...NO_COST, why: MISSING }
  if (!heard.isUsageFinal)
    return { tokens: withoutOutput(stated, heard), stated, extras, ...NO_COST, why: CUT }
  const costs = readCosts(raw, costHeader)
  const cost = costs.find((microUsd) => microUsd > 0)
  const costMicroUsd = cost === undefined ? null : Math.round(cost)
  const statesZero = cost === undefined && costs.length > 0 && at(raw, 'is_byok') !== true
  const isCounted = stated.input !== null && stated.output !== null
  const why = isCounted ? null : MISSING
  return { tokens: stated, stated, extras, costMicroUsd, statesZero, why }
}

const NO_COST = { costMicroUsd: null, statesZero: false }
const MISSING = 'the provider did not state its usage'
const CUT = 'the answer broke off before its usage was complete'

/** Input is stated at the start, but tools of the provider add to it until the end. */
function withoutOutput(stated: Tokens, { served, rawUsage }: UsageReading): Tokens {
  const mayGrow = served.size > 0 || at(rawUsage, 'server_tool_use') !== undefined
  return mayGrow ? UNKNOWN_TOKENS : { ...stated, output: null, reasoning: null }
}

const MICRO_USD = 1e6
/** xAI's unit of cost: 1e10 ticks per US dollar. */
const TICKS_PER_MICRO_USD = 1e4

/** Reads the costs that a provider states, in millionths of a US dollar, most specific first. */
function readCosts(raw: unknown, costHeader: string | null): number[] {
  const usd = amountAt(raw, 'cost') ?? amountAt(raw, 'cost', 'total_cost')
  const upstream = amountAt(raw, 'cost_details', 'upstream_inference_cost')
  // With the user's own upstream key, OpenRouter's cost is only its fee; the provider behind it bills separately.
  if (at(raw, 'is_byok') === true)
    return usd === null || upstream === null ? [] : [(usd + upstream) * MICRO_USD]
  const ticks = amountAt(raw, 'cost_in_usd_ticks')
  const written = costHeader === null || costHeader.trim() === '' ? Number.NaN : Number(costHeader)
  const header = written >= 0 && Number.isFinite(written) ? written : null
  return [
    ...(usd === null ? [] : [usd * MICRO_USD]),
    ...(ticks === null ? [] : [ticks / TICKS_PER_MICRO_USD]),
    ...(header === null ? [] : [header * MICRO_USD]),
  ]
}

function amountAt(value: unknown, ...path: string[]): number | null {
  const found = at(value, ...path)
  return typeof found === 'number' && Number.isFinite(found) && found >= 0 ? found : null
}

function readExtras(protocol: Protocol, heard: UsageReading, stated: Tokens): BilledExtras {
  const { rawUsage: raw, served } = heard
  const [audio, image] = [modality(protocol, raw, 'AUDIO'), modality(protocol, raw, 'IMAGE')]
  return {
    cacheWrite1h: countAt(raw, 'cache_creation', 'ephemeral_1h_input_tokens') ?? 0,
    audioInput: audio.input,
    audioOutput: audio.output,
    audioCacheRead: stated.cacheRead === 0 ? 0 : audio.cached,
    imageOutput: image.output,
    webSearches:
      (countAt(raw, 'server_tool_use', 'web_search_requests') ?? 0) +
      (served.get('web_search_call') ?? 0),
    fileSearches: served.get('file_search_call') ?? 0,
    tiers: readTiers(heard),
    unpriceable: findUnpriceable(heard),
  }
}

type Modality = { input: number; output: number; cached: number | null }

function modality(protocol: Protocol, raw: unknown, name: 'AUDIO' | 'IMAGE'): Modality {
  if (protocol === 'gemini') {
    const count = (list: string) => modalityCount(raw, list, name)
    return {
      input: (count('promptTokensDetails') ?? 0) + (count('toolUsePromptTokensDetails') ?? 0),
      output: count('candidatesTokensDetails') ?? 0,
      cached: count('cacheTokensDetails'),
    }
  }
  const [input, output] =
    protocol === 'openai-chat' ? ['prompt', 'completion'] : ['input', 'output']
  const key = `${name.toLowerCase()}_tokens`
  const details = at(raw, `${input}_tokens_details`)
  return {
    input: countAt(details, key) ?? 0,
    output: countAt(raw, `${output}_tokens_details`, key) ?? 0,
    cached: countAt(details, 'cached_tokens_details', key),
  }
}

function modalityCount(raw: unknown, list: string, name: string): number | null {
  const parts = listAt(raw, list)
  if (parts.length === 0) return null
  return parts
    .filter((part) => at(part, 'modality') === name)
    .reduce<number>((sum, part) => sum + (countAt(part, 'tokenCount') ?? 0), 0)
}

/** Provider names of the standard price. */
const STANDARD = new Set([
  'default',
  'standard',
  'on_demand',
  'on-demand',
  'global',
  'not_available',
  'unspecified',
])

function readTiers({ rawUsage: raw, tier }: UsageReading): string[] {
  const named = [
    tier,
    textAt(raw, 'service_tier'),
    textAt(raw, 'serviceTier'),
    textAt(raw, 'trafficType'),
  ].map((name) => name?.toLowerCase() ?? null)
  const speed = textAt(raw, 'speed')
  const place = textAt(raw, 'inference_geo')
  const special = named.filter((name): name is string => name !== null && !STANDARD.has(name))
  return [
    ...new Set(special),
    ...(speed !== null && !STANDARD.has(speed) ? [`speed ${speed}`] : []),
    ...(place !== null && !STANDARD.has(place) ? [`inference_geo ${place}`] : []),
  ]
}

/** Provider tools charged by the hour, image or source. */
const CHARGED_TOOLS: Readonly<Record<string, string>> = {
  code_interpreter_call: 'code execution',
  image_generation_call: 'image generation',
  google_search: 'grounding with Google Search',
}
/** Anthropic charges reading a page by its tokens alone. */
const FREE_TOOLS = new Set(['web_search_requests', 'web_fetch_requests'])

function findUnpriceable({ rawUsage: raw, served }: UsageReading): string[] {
  const tools = Object.entries(CHARGED_TOOLS).flatMap(([type, words]) =>
    served.has(type) ? [words] : [],
  )
  const counters = Object.keys((at(raw, 'server_tool_use') as object | null) ?? {}).filter(
    (name) => !FREE_TOOLS.has(name) && countAt(raw, 'server_tool_use', name) !== 0,
  )
  const atXai = Object.keys(
    (at(raw, 'server_side_tool_usage_details') as object | null) ?? {},
  ).some((name) => countAt(raw, 'server_side_tool_usage_details', name) !== 0)
  const isSearched = atXai || (countAt(raw, 'num_sources_used') ?? 0) > 0
  const sources = isSearched ? ['a server-side tool'] : []
  const others = listAt(raw, 'iterations')
    .map((one) => textAt(one, 'type'))
    .filter((type) => type !== 'message' && type !== 'compaction')
  const iterations = others.length > 0 ? [`work of type ${others[0]}`] : []
  const byok = at(raw, 'is_byok') === true ? ['a call with a provider key of one’s own'] : []
  return [...tools, ...counters, ...sources, ...iterations, ...byok]
}
