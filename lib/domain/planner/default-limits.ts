import type { SettingValues } from '../settings/index.ts'
import { kindTraits, type Suite } from '../tasks/index.ts'

const OF_EXERCISES = {
  maxSteps: 60,
  maxTokens: 1_000_000,
  maxCostMicroUsd: 2_000_000,
  temperature: 'provider-fixed',
} as const

const OF_REPOSITORIES = {
  ...OF_EXERCISES,
  maxSteps: 250,
  maxTokens: 10_000_000,
  maxCostMicroUsd: 5_000_000,
}

const LIMITS = { none: {}, short: OF_EXERCISES, long: OF_REPOSITORIES }

/** Returns the default limits of one episode of a subject that calls a model. Without limits no entry is ranked. */
export function defaultLimits(kind: Suite['kind']): SettingValues {
  return LIMITS[kindTraits(kind).limits]
}

/**
 * Fills in default limits that were not requested; null stays unlimited. `hasPrice` false = the cost of a call is
 * unknown, so a cost limit could not be enforced.
 */
export function withDefaultLimits<S extends SettingValues>(
  requested: S,
  { kind, hasPrice }: { kind: Suite['kind']; hasPrice: boolean },
): S {
  const { maxCostMicroUsd, ...limits } = defaultLimits(kind)
  const defaults = { ...limits, ...(hasPrice && { maxCostMicroUsd }) }
  const given = Object.entries(requested).filter(([, value]) => value !== undefined)
  return { ...defaults, ...Object.fromEntries(given) } as S
}
