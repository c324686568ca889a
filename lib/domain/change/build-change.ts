import { type BoardRow, findMixed, type ResultRow } from '../board/index.ts'
import {
  buildComparison,
  type ComparedSuite,
  nameRows,
  rowTaskCounts,
  spentOf,
} from '../compare/index.ts'
import { canonicalJson } from '../digest/index.ts'
import { NEAR_KEYS, subjectLabel } from '../record/index.ts'
import {
  comparePairs,
  costPerSuccess,
  type RowComparison,
  SMALL_DIFFERENCE,
  spendingRatio,
} from '../statistics/index.ts'
import { listNames } from '../text/index.ts'
import type { ChangedPair, ChangeReport, Spending } from './change-report.ts'

/** One of the two sets of results: a short name, its runs, its rows. */
export type ChangeSide = { name: string; runIds: readonly string[]; rows: readonly ResultRow[] }

export type ChangeInput = {
  baseline: ChangeSide
  candidate: ChangeSide
  /** Known suite versions; titles of others are task ids. */
  suites: readonly ComparedSuite[]
}

type Pair = { baseline: ResultRow; candidate: ResultRow; names: ReadonlyMap<string, string> }

/**
 * Compares the candidate's rows with the baseline's, each with its counterpart, all pairs corrected together. A single
 * pair has the numbers that the compare page shows for the same two rows.
 */
export function buildChange({ baseline, candidate, suites }: ChangeInput): ChangeReport {
  const matched = matchRows(baseline.rows, candidate.rows)
  const pairs = matched.pairs.map((pair) => namePair(pair, baseline.name, candidate.name))
  const numbers = comparePairs(
    pairs
      .filter((pair) => pair.baseline.row.suiteDigest === pair.candidate.row.suiteDigest)
      .map(({ baseline: b, candidate: c }) => [countsOf(c.row), countsOf(b.row)] as const),
  )
  const compared = pairs.map((pair) => describePair(pair, numbers, suites))
  const label = ({ row }: ResultRow) => subjectLabel(row.subject)
  return {
    schemaVersion: 1,
    kind: 'proofboard-comparison',
    baseline: { name: baseline.name, runIds: [...baseline.runIds] },
    candidate: { name: candidate.name, runIds: [...candidate.runIds] },
    verdict: overallVerdict(compared),
    pairs: compared,
    unmatched: {
      baseline: matched.onlyBaseline.map(label),
      candidate: matched.onlyCandidate.map(label),
    },
  }
}

/**
 * Rows of a pair need distinct ids and names: the same subject before and after a change is one row on a board, and two
 * here.
 */
function namePair({ baseline, candidate }: MatchedRows, before: string, after: string): Pair {
  const isSame = baseline.row.rowId === candidate.row.rowId
  const [b, c] = isSame ? [renamed(baseline, 'b'), renamed(candidate, 'c')] : [baseline, candidate]
  const own = nameRows([b.row, c.row])
  const [nameB = '', nameC = ''] = [own.get(b.row.rowId), own.get(c.row.rowId)]
  const names =
    isSame || nameB === nameC
      ? [`${b.row.subject.name} (${before})`, `${c.row.subject.name} (${after})`]
      : [nameB, nameC]
  return {
    baseline: b,
    candidate: c,
    names: new Map([
      [b.row.rowId, names[0] ?? ''],
      [c.row.rowId, names[1] ?? ''],
    ]),
  }
}

function renamed(one: ResultRow, ending: string): ResultRow {
  return { ...one, row: { ...one.row, rowId: `${one.row.rowId}.${ending}` } }
}

function countsOf(row: BoardRow) {
  const [counts] = rowTaskCounts({ rowIds: [row.rowId], rows: [row], suites: [] })
  return counts ?? { key: row.rowId, tallies: row.tasks }
}

function describePair(
  pair: Pair,
  numbers: RowComparison,
  suites: readonly ComparedSuite[],
): ChangeReport['pairs'][number] {
  const { names } = pair
  const [b, c] = [pair.baseline.row, pair.candidate.row]
  const nameOf = (row: BoardRow) => names.get(row.rowId) ?? row.rowId
  const input = { rowIds: [c.rowId, b.rowId], rows: [b, c], suites, names }
  const comparison = buildComparison(input, numbers)
  if (!comparison.ok) {
    const { code, reason, remedy } = comparison
    return { ok: false, baseline: nameOf(b), candidate: nameOf(c), code, reason, remedy }
  }
  const result = comparison.pairs[0]?.result
  return {
    ok: true,
    comparison,
    spending: {
      cost: spendingOf(b, c, 'costMicroUsd'),
      tokens: spendingOf(b, c, 'tokens'),
      time: spendingOf(b, c, 'subjectMs'),
    },
    refusals: [c, b].flatMap((row) => row.refusals.map((one) => ({ row: nameOf(row), ...one }))),
    notes: [
      ...sameRuns(b, c),
      ...unknownSuite(pair),
      ...differentMachines(pair),
      ...unequalTasks(comparison, nameOf(c), nameOf(b)),
    ],
    decide: decideText(comparison),
    isNoWorse: result?.ok === true && result.low >= -SMALL_DIFFERENCE,
  }
}

/** Spending per success over all scored episodes, as in a board row's cost. */
function spendingOf(
  baseline: BoardRow,
  candidate: BoardRow,
  what: 'costMicroUsd' | 'tokens' | 'subjectMs',
): Spending {
  const [b, c] = [spentOf(baseline, what), spentOf(candidate, what)]
  const [before, after, ratio] = [costPerSuccess(b), costPerSuccess(c), spendingRatio(c, b)]
  const refused = [before, after, ratio].find((one) => !one.ok)
  return {
    baseline: before.ok ? bounds(before.value) : null,
    candidate: after.ok ? bounds(after.value) : null,
    ratio: ratio.ok ? bounds(ratio.value) : null,
    reason: refused && !refused.ok ? whyUnknown(refused.refusal) : null,
  }
}

function whyUnknown({ code, reason }: { code: string; reason: string }): string {
  return code === 'unknown-cost' ? 'unknown for some scored episodes' : reason
}

function bounds({ value, low, high }: { value: number; low: number; high: number | null }) {
  return { value, low, high }
}

function sameRuns(baseline: BoardRow, candidate: BoardRow): string[] {
  const same = candidate.runIds.filter((runId) => baseline.runIds.includes(runId))
  return same.length > 0
    ? [`Both sides contain ${listNames(same)}: this compares a run with itself.`]
    : []
}

function unknownSuite({ baseline, candidate }: Pair): string[] {
  if (baseline.suiteKnown && candidate.suiteKnown) return []
  return ['The suite is not here in this version: evidence rules were checked by its plan alone.']
}

/** Limits are settings, which the comparison names itself. */
const SAID_ELSEWHERE: ReadonlySet<string> = new Set(NEAR_KEYS)

function differentMachines({ baseline, candidate }: Pair): string[] {
  const differ = findMixed([...baseline.counted, ...candidate.counted]).filter(
    ({ what }) => !SAID_ELSEWHERE.has(what),
  )
  if (differ.length === 0) return []
  const parts = differ.map(({ what, values }) => `${what} (${values.join('; ')})`)
  return [`Not measured in one environment: ${parts.join(', ')}.`]
}

type View = ChangedPair['comparison']

function unequalTasks({ pairs: [pair] }: View, candidate: string, baseline: string): string[] {
  if (!pair) return []
  const { onlyA, onlyB } = pair.leftOut
  const say = (ids: readonly string[], who: string) =>
    ids.length > 0 ? [`Scored only in ${who}, and left out: ${listNames(ids, 5)}.`] : []
  return [...say(onlyA, candidate), ...say(onlyB, baseline)]
}

function decideText({ pairs: [pair] }: View): ChangedPair['decide'] {
  if (!pair?.decide) return null
  const { difference, more, tasks, sentence } = pair.decide
  return { difference, more, tasks: more === null && tasks ? tasks.tasks : null, text: sentence }
}

function overallVerdict(pairs: ChangeReport['pairs']): ChangeReport['verdict'] {
  const kinds = pairs.map((pair) => {
    const result = pair.ok ? pair.comparison.pairs[0]?.result : undefined
    return result?.ok ? result.verdict.kind : 'not-comparable'
  })
  if (kinds.length === 0) return 'not-comparable'
  const first = (['worse', 'not-comparable', 'cannot-tell', 'better'] as const).find((kind) =>
    kinds.includes(kind),
  )
  return first ?? 'no-larger-than'
}

type MatchedRows = { baseline: ResultRow; candidate: ResultRow }

type Matched = {
  pairs: MatchedRows[]
  onlyBaseline: ResultRow[]
  onlyCandidate: ResultRow[]
}

/** Keys that make two rows counterparts, strictest first; a version or a definition may have changed between them. */
const KEYS: readonly ((one: ResultRow) => string)[] = [
  ({ row }) => row.rowId,
  ({ row: { suiteId, subject, settings } }) =>
    canonicalJson([suiteId, subject.name, subject.modelRequested, settings]),
  ({ row: { suiteId, subject } }) => canonicalJson([suiteId, subject.name, subject.modelRequested]),
  ({ row: { suiteId, subject } }) => canonicalJson([suiteId, subject.name]),
  ({ row: { suiteId } }) => suiteId,
  () => '',
]

/**
 * Pairs every candidate with its counterpart among the baselines: of the same name and model, or the only one left. A
 * side with one row is compared with every row of the other. A key that several rows share is not used.
 */
function matchRows(baselines: readonly ResultRow[], candidates: readonly ResultRow[]): Matched {
  const [onlyBaseline, onlyCandidate] = [[...baselines], [...candidates]]
  const [baseline, candidate] = [baselines[0], candidates[0]]
  if (baseline && baselines.length === 1 && candidate)
    return {
      pairs: candidates.map((one) => ({ baseline, candidate: one })),
      onlyBaseline: [],
      onlyCandidate: [],
    }
  if (candidate && candidates.length === 1 && baseline)
    return {
      pairs: baselines.map((one) => ({ baseline: one, candidate })),
      onlyBaseline: [],
      onlyCandidate: [],
    }
  const pairs: MatchedRows[] = []
  for (const keyOf of KEYS)
    for (const one of [...onlyCandidate]) {
      const key = keyOf(one)
      const own = onlyCandidate.filter((other) => keyOf(other) === key)
      const theirs = onlyBaseline.filter((other) => keyOf(other) === key)
      const [counterpart] = theirs
      if (own.length !== 1 || theirs.length !== 1 || !counterpart) continue
      pairs.push({ baseline: counterpart, candidate: one })
      onlyCandidate.splice(onlyCandidate.indexOf(one), 1)
      onlyBaseline.splice(onlyBaseline.indexOf(counterpart), 1)
    }
  return { pairs, onlyBaseline, onlyCandidate }
}
