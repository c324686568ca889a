import { formatBadgeRate } from '../board/index.ts'
import { levelsOf } from '../compare/index.ts'
import {
  countOf,
  formatCompact,
  formatDuration,
  formatPlainCost,
  formatRatio,
  signedDifference,
} from '../text/index.ts'
import type { ChangedPair, ChangeReport, Measured, Spending } from './change-report.ts'

/** Wording of a verdict about the candidate. */
export const VERDICT_WORDS: Readonly<Record<ChangeReport['verdict'], string>> = {
  better: 'Better',
  worse: 'Worse',
  'no-larger-than': 'No difference shown',
  'cannot-tell': 'Undecided',
  'not-comparable': 'Not comparable',
}

/** Texts of a compared pair, which the terminal and Markdown formats lay out. */
export type PairTexts = ReturnType<typeof describeChangedPair>

export function describeChangedPair(changed: ChangedPair) {
  const { comparison, spending, notes, decide } = changed
  const [candidate, baseline] = comparison.rows
  const [pair] = comparison.pairs
  const names = { baseline: baseline?.name ?? '', candidate: candidate?.name ?? '' }
  const result = pair?.result
  const difference = result?.ok
    ? `${signedDifference(result.difference)} (${signedDifference(result.low)} to ${signedDifference(result.high)})`
    : '–'
  const samples = (row: typeof baseline) =>
    row ? `${row.success.tasks} × ${sizeOf(row.repetitions)}` : '–'
  const { standing } = comparison
  return {
    verdict: result?.ok ? result.verdict.kind : ('not-comparable' as const),
    /** The entries' names: both together, and one by one. */
    title: `${names.candidate} against ${names.baseline}`,
    names,
    // The verdict stands before it already.
    sentence: (pair?.sentence ?? '').replace(/^Undecided: /, ''),
    /** Label, baseline, candidate, change; the first line is the heading. */
    table: [
      ['', names.baseline, names.candidate, 'change'],
      ['success', rateOf(baseline), rateOf(candidate), difference],
      ['tasks × runs', samples(baseline), samples(candidate), ''],
      ...SPENDING.flatMap(({ what, key, format }) => spendingLine(what, spending[key], format)),
    ],
    /** Task, baseline, candidate, change in points; only tasks whose majority outcome differs, without a heading. */
    flips: (pair?.flipped ?? []).map(({ taskId, a, b, difference: points }) => [
      taskId,
      `${b.solved} of ${b.scored}`,
      `${a.solved} of ${a.scored}`,
      signedDifference(points),
    ]),
    /** States whether the verdict is safe to cite, and caveats. */
    standing: standing.kind === 'claim' ? [`Safe to cite. ${standing.text}`] : standing.reasons,
    notes: [...notes, ...comparison.notes, ...unknownSpending(spending)],
    decide: decide?.text ?? null,
  }
}

/** The confidence level of the intervals, stated once for all. */
export function levelText({ comparison }: ChangedPair): string {
  const { tested, method } = comparison.multiplicity
  const how = tested > 1 ? `, ${countOf(tested, 'pair')} corrected together (${method})` : ''
  return `Differences with ${levelsOf(comparison)} intervals${how}; costs with 95 % intervals.`
}

function rateOf(row: ChangedPair['comparison']['rows'][number] | undefined): string {
  return row ? formatBadgeRate(row.success) : '–'
}

function sizeOf({ least, most }: { least: number; most: number }): string {
  return least === most ? String(least) : `${least}–${most}`
}

/** Spending per success, failures included. */
const SPENDING: readonly {
  what: string
  key: keyof ChangedPair['spending']
  format: (value: number) => string
}[] = [
  { what: 'USD/success', key: 'cost', format: formatPlainCost },
  { what: 'tokens/success', key: 'tokens', format: formatCompact },
  { what: 'time/success', key: 'time', format: formatDuration },
]

function spendingLine(
  what: string,
  { baseline, candidate, ratio }: Spending,
  format: (value: number) => string,
): string[][] {
  if (!baseline && !candidate) return []
  return [
    [
      what,
      measured(baseline, format),
      measured(candidate, format),
      ratio ? formatRatio(ratio) : '–',
    ],
  ]
}

/** Unknown spending has no line of numbers; its reason is stated once. */
function unknownSpending(spending: ChangedPair['spending']): string[] {
  const unknown = SPENDING.filter(
    ({ key }) => !spending[key].baseline && !spending[key].candidate,
  ).map(({ what, key }) => `${what} (${spending[key].reason ?? 'not measured'})`)
  return unknown.length > 0 ? [`Unknown: ${unknown.join(', ')}`] : []
}

function measured(value: Measured | null, format: (value: number) => string): string {
  if (!value) return '–'
  const high = value.high === null ? '∞' : format(value.high)
  return `${format(value.value)} (${format(value.low)}–${high})`
}
