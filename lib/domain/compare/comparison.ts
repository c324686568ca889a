import type { BoardRow } from '../board/board-row.ts'
import type { StatisticRefusal } from '../statistics/answer.ts'
import type { CompareVerdict } from '../statistics/compare-verdict.ts'
import type { Suite } from '../suite.ts'

/** What a comparison needs to know of a suite's version. */
export type ComparedSuite = Pick<Suite, 'suiteId' | 'title' | 'version' | 'digest'> & {
  protocolVersion: number
  tasks: { taskId: string; title: string; digest: string }[]
}

/** Rows asked for in the order of the question, those of them that exist, and the suite versions they ran. */
export type ComparisonInput = {
  rowIds: readonly string[]
  rows: readonly BoardRow[]
  suites: readonly ComparedSuite[]
}

export type ComparisonRefusalCode =
  | 'too-few-rows'
  | 'too-many-rows'
  | 'repeated-row'
  | 'unknown-row'
  | 'other-suite'
  | 'other-version'

/** One version of a suite and the rows that ran it. */
export type VersionRows = {
  suiteId: string
  title: string
  version: string | null
  digest: string
  rows: { rowId: string; name: string }[]
}

/** How one version's tasks differ from the first one's. */
export type VersionDifference = {
  from: string
  to: string
  changed: string[]
  onlyFrom: string[]
  onlyTo: string[]
  /** Same tasks, but the rules that say what a pass is were others. */
  protocol: { from: number; to: number } | null
}

/** Why rows are not compared, in words, with what can be compared instead. */
export type ComparisonRefusal = {
  ok: false
  code: ComparisonRefusalCode
  reason: string
  remedy: string
  versions: VersionRows[]
  differences: VersionDifference[]
  /** Sets of the rows asked for that can be compared with each other. */
  offers: { rowIds: string[]; names: string[] }[]
}

/** A row as a comparison names it: `name` is short and belongs to one row of the comparison only. */
export type ComparedRow = Pick<
  BoardRow,
  'rowId' | 'subject' | 'label' | 'driven' | 'success' | 'repetitions' | 'runIds'
> & { name: string }

/** Counts of a task's episodes; `rate` 0–1, null when all are void. */
export type TaskCell = { solved: number; scored: number; voids: number; rate: number | null }

/** A task that one row solves more often than not and the other does not. */
export type FlippedTask = {
  taskId: string
  title: string
  solvedBy: 'a' | 'b'
  a: TaskCell
  b: TaskCell
  /** Rate of A minus rate of B, -1 … 1. */
  difference: number
}

/** A minus B over their common tasks; rates and differences lie in -1 … 1. */
export type MeasuredDifference = {
  ok: true
  difference: number
  low: number
  high: number
  p: number
  /** p with all pairs shown taken into account. */
  adjustedP: number
  verdict: CompareVerdict
  method: string
  seed: number | null
}

export type PairView = {
  a: string
  b: string
  /** The verdict in one sentence. */
  sentence: string
  result: MeasuredDifference | { ok: false; refusal: StatisticRefusal }
  common: number
  /** Tasks without a scored episode on the other side, or on either. */
  leftOut: { onlyA: string[]; onlyB: string[]; neither: string[] }
  flipped: FlippedTask[]
  /** Whether this pair alone is two claims that compete. */
  isClaim: boolean
}

/** Whether the verdicts may be quoted, and if not, why. */
export type Standing = { kind: 'claim'; text: string } | { kind: 'diagnostic'; reasons: string[] }

/** What was done about looking at several pairs at once. `confidence` 0–1 is that of each interval. */
export type Multiplicity = {
  method: string
  alpha: number
  pairAlpha: number
  confidence: number
  pairs: number
  tested: number
  text: string
}

export type ComparisonView = {
  ok: true
  suite: { suiteId: string; title: string; version: string | null; digest: string; tasks: number }
  rows: ComparedRow[]
  pairs: PairView[]
  multiplicity: Multiplicity
  standing: Standing
  /** What a reader must know about the counts: voids left out, unequal repetitions. */
  notes: string[]
  /** Tasks down, rows across in the order of `rows`; null = the row has no episode of the task. */
  tasks: { taskId: string; title: string; cells: (TaskCell | null)[] }[]
}

export type Comparison = ComparisonView | ComparisonRefusal
