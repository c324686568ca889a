import { type EpisodeKind, isScored, joinLists } from '../record/index.ts'
import { sampleQuantiles } from '../statistics/index.ts'
import {
  type Distribution,
  type Distributions,
  type FailureKind,
  type Failures,
  MAX_QUANTILES,
} from './row-measures.ts'
import type { TaskAmounts } from './run-summary.ts'

/** Time and tokens of the solved episodes of a row. */
export function buildDistributions(tasks: readonly TaskAmounts[]): Distributions {
  return {
    solvedMs: summarise(joinLists(tasks.map(({ solvedMs }) => solvedMs))),
    solvedTokens: summarise(joinLists(tasks.map(({ solvedTokens }) => solvedTokens))),
  }
}

/** Unsolved episodes of a row by kind, in alphabetical order. */
export function buildFailures(kinds: readonly EpisodeKind[]): Failures {
  const counts = new Map<FailureKind, number>()
  for (const { fact, episodes } of kinds) {
    const { status, failureCategory } = fact
    if (!isScored(status) || status === 'solved') continue
    const kind = failureCategory ?? 'other'
    counts.set(kind, (counts.get(kind) ?? 0) + episodes)
  }
  return Object.fromEntries([...counts].sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** Null unless all values are known: the known ones alone would be a biased sample. */
function summarise(sample: readonly (number | null)[]): Distribution | null {
  const known = sample.filter((value) => value !== null)
  if (known.length === 0 || known.length < sample.length) return null
  if (known.length <= MAX_QUANTILES)
    return { episodes: known.length, values: known.sort((a, b) => a - b) }
  const quantile = sampleQuantiles(known)
  const values = Array.from({ length: MAX_QUANTILES }, (_, place) =>
    Math.round(quantile(place / (MAX_QUANTILES - 1)) ?? 0),
  )
  return { episodes: known.length, values }
}
