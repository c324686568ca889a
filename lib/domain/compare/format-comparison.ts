import type { BoardRow } from '../board/index.ts'
import { countOf, describeSetting, SETTING_LIST } from '../record/index.ts'
import type { RowComparison } from '../statistics/index.ts'
import { formatWay } from '../tasks/index.ts'
import type { ComparisonView, Multiplicity, PairView } from './comparison.ts'
import { formatDifference, formatLevels, formatP } from './measured-difference.ts'

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

/** A short unique name for each row, by row id: the subject's name plus the details needed. */
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
  const groups = new Map<string, NamedRow[]>()
  for (const row of rows) {
    const name = names.get(row.rowId) ?? ''
    groups.set(name, [...(groups.get(name) ?? []), row])
  }
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

/** `a is better than b by 12.0 points (4.0 to 20.0), 20 common tasks, adjusted p 0.010.` */
export function formatPair(a: string, b: string, { result, common }: SaidPair): string {
  if (!result.ok) return `${a} and ${b} cannot be compared: ${result.refusal.reason}`
  const { difference, low, high, adjustedP, verdict } = result
  const basis = `${countOf(common, 'common task')}, adjusted p ${formatP(adjustedP)}.`
  const [from, to] = [formatDifference(low), formatDifference(high)]
  switch (verdict.kind) {
    case 'better':
      return `${a} is better than ${b} by ${formatDifference(difference)} points (${from} to ${to}), ${basis}`
    case 'worse':
      return `${a} is worse than ${b} by ${formatDifference(-difference)} points (${formatDifference(-high)} to ${formatDifference(-low)}), ${basis}`
    case 'no-larger-than':
      return `${a} and ${b}: ${verdict.text} (${formatDifference(difference)}, ${from} to ${to}), ${basis}`
    case 'cannot-tell':
      return `No significant difference between ${a} and ${b}: ${formatDifference(difference)} points (${from} to ${to}), ${basis}`
  }
}

/** The correction for multiple comparisons. */
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
      ? `${countOf(tested, 'pair')} tested with a family-wise error rate of ${100 * alpha} % (Holm): the probability of any false “better” or “worse” is at most ${100 * alpha} %. p-values are adjusted for all pairs, and confidence intervals have a level of ${level} to agree with the verdicts. Comparing fewer entries gives narrower intervals.`
      : `One pair, so no correction is needed; the confidence level is ${level}. To cite one pair out of several, compare all of them together.`
  return { method, alpha, pairAlpha, confidence, pairs: pairs.length, tested, text }
}

/** The levels of a comparison's intervals: those of pairs with interim analyses are higher. */
export function levelsOf({
  pairs,
  multiplicity,
}: Pick<ComparisonView, 'pairs' | 'multiplicity'>): string {
  const levels = pairs.flatMap(({ result }) => (result.ok ? [result.confidence] : []))
  return formatLevels(levels.length > 0 ? levels : [multiplicity.confidence])
}
