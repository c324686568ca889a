import type { Mixed } from './board-row.ts'
import type { EpisodeFact } from './episode-fact.ts'

const LIMITS = ['timeoutMs', 'maxSteps', 'maxTokens', 'maxCostMicroUsd', 'diskQuotaBytes'] as const
const MOST_VALUES = 8

/**
 * What differs between the episodes of one row: machine, system, compiler, verifier, limits. They stay one row, because
 * a sender whose shards ran on two machines could else choose the better half; so the row says what it mixes. What was
 * not recorded of an episode is no difference.
 */
export function findMixed(facts: readonly EpisodeFact[]): Mixed[] {
  const values = new Map<string, Set<string>>()
  for (const fact of facts) {
    for (const [what, value] of describe(fact)) {
      const known = values.get(what) ?? new Set()
      values.set(what, known.add(value))
    }
  }
  return [...values]
    .filter(([, known]) => known.size > 1)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([what, known]) => ({ what, values: shorten([...known].sort()) }))
}

function describe({ origin, settings }: EpisodeFact): [what: string, value: string][] {
  const { version, commit } = origin?.harness ?? {}
  return [
    ...Object.entries(origin?.machine ?? {}),
    ...(version ? [['harness', `${version} ${commit?.slice(0, 8) ?? ''}`.trim()] as const] : []),
    ...LIMITS.map((name) => [name, String(settings[name] ?? 'none')] as const),
  ].map(([what, value]) => [what, value])
}

function shorten(values: string[]): string[] {
  if (values.length <= MOST_VALUES) return values
  return [...values.slice(0, MOST_VALUES - 1), `and ${values.length - MOST_VALUES + 1} more`]
}
