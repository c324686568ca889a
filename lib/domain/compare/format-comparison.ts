import type { BoardRow } from '../board/index.ts'
import { groupBy } from '../record/index.ts'
import { describeSetting, SETTING_LIST } from '../settings/index.ts'
import type { RowComparison } from '../statistics/index.ts'
import { formatWay } from '../tasks/index.ts'
import { countOf, formatDifference } from '../text/index.ts'
import type { ComparisonView, Multiplicity, PairView } from './comparison.ts'
import {
  formatLevels,
  formatP,
  formatPoints,
  type MeasuredDifference,
  type PairResult,
} from './measured-difference.ts'

type NamedRow = Pick<BoardRow, 'rowId' | 'subject' | 'settings' | 'label' | 'recovery' | 'driven'>

/** Details added to a name, in this order, until it is unique. */
const DETAILS: ((row: NamedRow, competitors: readonly NamedRow[]) => string | null)[] = [
  ({ subject }) => subject.arm ?? null,
  ({ subject }) => subject.version,
  ({ subject }) => subject.modelRequested,
  formatWay,
  ({ subject }) => subject.adapterVersion && `adapter ${subject.adapterVersion}`,
  (row) => (isStressed(row) ? faultWords(row) : null),
  (row, competitors) => ownSettings(row, competitors),
  ({ rowId }) => rowId.slice(0, 'row_'.length + 6),
]

/** Returns a short unique name for each row, by row id: the subject's name plus the details needed. */
export function nameRows(rows: readonly NamedRow[]): Map<string, string> {
  const names = new Map(rows.map((row) => [row.rowId, row.subject.name]))
  for (const detail of DETAILS) {
    for (const alike of listAlike(rows, names)) {
      const words = alike.map((row) => detail(row, alike))
      if (new Set(words).size < 2) continue
      alike.forEach((row, index) => {
        const word = words[index]
        if (word) names.set(row.rowId, `${names.get(row.rowId)} ${word}`)
      })
    }
  }
  return names
}

function faultWords({ settings: { fault } }: NamedRow): string {
  return fault === undefined ? 'with faults' : `under ${fault}`
}

/** True if measured with injected faults, ranked or not. */
export function isStressed({ label, recovery }: Pick<BoardRow, 'label' | 'recovery'>): boolean {
  return label === 'stress' || recovery !== null
}

function listAlike(rows: readonly NamedRow[], names: ReadonlyMap<string, string>): NamedRow[][] {
  const groups = groupBy(rows, ({ rowId }) => names.get(rowId) ?? '')
  return [...groups.values()].filter((group) => group.length > 1)
}

function ownSettings(row: NamedRow, competitors: readonly NamedRow[]): string {
  return SETTING_LIST.filter(({ key }) =>
    competitors.some((competitor) => competitor.settings[key] !== row.settings[key]),
  )
    .map(({ key, name }) => `${name} ${describeSetting(key, row.settings)}`)
    .join(', ')
}

type SaidPair = Pick<PairView, 'result' | 'common'>

/** `a is better than b on these tasks: 27 points (4 to 49).` */
export function formatPair(a: string, b: string, { result }: Pick<SaidPair, 'result'>): string {
  if (!result.ok) return `${a} and ${b} cannot be compared: ${result.refusal.reason}`
  const { difference, low, high, verdict } = result
  switch (verdict.kind) {
    case 'better':
      return `${a} is better than ${b} ${scopeOf(result)}: ${pointsOf(difference, low, high)}.`
    case 'worse':
      return `${a} is worse than ${b} ${scopeOf(result)}: ${pointsOf(-difference, -high, -low)}.`
    case 'no-larger-than':
      return `${a} and ${b}: ${verdict.text} on these tasks.`
    case 'cannot-tell':
      return `Undecided: ${a} may be up to ${formatPoints(Math.max(0, high))} points better or ${formatPoints(Math.max(0, -low))} worse than ${b}.`
  }
}

function pointsOf(difference: number, low: number, high: number): string {
  const points = formatPoints(difference)
  return `${points} ${points === '1' ? 'point' : 'points'} (${formatPoints(low)} to ${formatPoints(high)})`
}

/** Describes the tasks for which a verdict holds. */
export function scopeOf({ similar }: Pick<MeasuredDifference, 'similar'>): string {
  return similar?.isDecided ? 'on these tasks and on similar tasks' : 'on these tasks'
}

/** Formats a verdict in a few words, with its scope. */
export function formatVerdict(result: PairResult): string {
  if (!result.ok) return 'not comparable'
  switch (result.verdict.kind) {
    case 'better':
    case 'worse':
      return `${result.verdict.text} ${scopeOf(result)}`
    case 'no-larger-than':
      return `${result.verdict.text} on these tasks`
    case 'cannot-tell':
      return 'undecided'
  }
}

/** Formats basis, p-value, levels and method of a pair: `20 common tasks, difference 26.7 (4.3 to 49.4), …`. */
export function formatPairDetails({ result, common }: SaidPair): string {
  const basis = countOf(common, 'common task')
  if (!result.ok) return `${basis}.`
  const { difference, low, high, adjustedP, confidence, method, similar } = result
  const range = (from: number, to: number) => `${formatDifference(from)} to ${formatDifference(to)}`
  const own = similar
    ? `; similar tasks: ${range(similar.low, similar.high)} at ${formatLevels([similar.confidence])}`
    : ''
  return `${basis}, difference ${formatDifference(difference)} (${range(low, high)} at ${formatLevels([confidence])}), adjusted p ${formatP(adjustedP)}${own}; ${method}.`
}

/** Describes the correction for multiple comparisons. */
export function formatMultiplicity({
  pairs,
  tested,
  alpha,
  pairAlpha,
}: RowComparison): Multiplicity {
  const method = tested > 1 ? 'Holm' : 'none: one pair'
  const confidence = 1 - pairAlpha
  const levels = pairs.flatMap(({ result }) => (result.ok ? [1 - result.value.alpha] : []))
  const level = formatLevels(levels.length > 0 ? levels : [confidence])
  const text =
    tested > 1
      ? `${countOf(tested, 'pair')} tested with a family-wise error rate of ${100 * alpha} % (Holm): the probability of any false “better” or “worse” on these tasks is at most ${100 * alpha} %, and so is that of any false “on similar tasks”. p-values are adjusted for all pairs, and each interval by itself has a level of ${level}, chosen to agree with the verdicts. Comparing fewer entries gives narrower intervals.`
      : `One pair, so no correction is needed; the confidence level is ${level}. To cite one pair out of several, compare all of them together.`
  return { method, alpha, pairAlpha, confidence, pairs: pairs.length, tested, text }
}

/** Lists the levels of a comparison's intervals: those of pairs with interim analyses are higher. */
export function levelsOf({
  pairs,
  multiplicity,
}: Pick<ComparisonView, 'pairs' | 'multiplicity'>): string {
  const levels = pairs.flatMap(({ result }) => (result.ok ? [result.confidence] : []))
  return formatLevels(levels.length > 0 ? levels : [multiplicity.confidence])
}
