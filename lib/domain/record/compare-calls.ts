import { canonicalJson } from '../digest/index.ts'
import { listTemperatures, MAX_MODELS, sumModels } from './call-sums.ts'
import type { EpisodeBody } from './episode.ts'
import type { GatewayCall } from './gateway-call.ts'
import { sumKnown } from './usage.ts'

/** Fields of an envelope that the gateway's log of calls states too. */
type CallFigures = Pick<
  EpisodeBody,
  'startedAt' | 'endedAt' | 'subject' | 'usage' | 'effort' | 'browser'
>

/** Allowed change of a clock while an episode runs. */
const CLOCK_MS = 30_000
/**
 * Returns the name of a field on which the log of calls contradicts the envelope; null = they agree. Both are made from
 * the same calls, so an honest pair never differs. A value unknown in the envelope is compared as unknown.
 */
export function findCallContradiction(
  episode: CallFigures,
  calls: readonly GatewayCall[],
): string | null {
  const { usage, effort, browser, subject } = episode
  const billed = calls.filter(isBilledCall)
  const models = new Set(billed.flatMap(({ model }) => model ?? []))
  const named = new Set<string>(subject.modelObserved)
  if (models.size <= MAX_MODELS && !isSameSet(models, named)) return 'models'
  const unlike = findUnlikeSums(usage, billed)
  if (unlike !== null) return unlike
  if (calls.some((call) => !isWithin(call, episode))) return 'time of the calls'
  // Steps of a browser workflow are those of its library.
  if (!browser && effort.steps !== null && effort.steps !== calls.filter(isStep).length)
    return 'steps'
  if (usage === null) return null
  const { input, output } = usage.tokens
  const sum = (read: (call: GatewayCall) => number | null) => sumKnown(billed.map(read))
  if (input !== sum(({ tokens }) => tokens.input)) return 'input tokens'
  if (output !== sum(({ tokens }) => tokens.output)) return 'output tokens'
  return usage.costMicroUsd === sum(({ costMicroUsd }) => costMicroUsd) ? null : 'cost'
}

/** Compares the sums of models and temperatures with the calls; returns the name of one that differs. */
function findUnlikeSums(usage: CallFigures['usage'], billed: readonly GatewayCall[]) {
  const { models = [], temperatures = [] } = usage ?? {}
  if (!isSame(temperatures, listTemperatures(billed))) return 'temperatures'
  const isOld = models.length === 0 && billed.every(({ modelAsked }) => !modelAsked)
  return isOld || isSame(models, sumModels(billed)) ? null : 'usage of each model'
}

const isStep = (call: GatewayCall): boolean => call.isStep

/** True if the provider worked for the call, or may have. In logs without a recorded source, the status decides. */
export function isBilledCall({ source, status, costSource }: GatewayCall): boolean {
  if (source === 'gateway') return false
  return costSource !== undefined || (status !== null && status < 300)
}

function isWithin(
  { startedAt }: GatewayCall,
  episode: Pick<CallFigures, 'startedAt' | 'endedAt'>,
): boolean {
  const at = Date.parse(startedAt)
  return (
    at >= Date.parse(episode.startedAt) - CLOCK_MS && at <= Date.parse(episode.endedAt) + CLOCK_MS
  )
}

function isSameSet(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  return one.size === other.size && [...one].every((value) => other.has(value))
}

function isSame(one: unknown, other: unknown): boolean {
  return canonicalJson(one) === canonicalJson(other)
}
