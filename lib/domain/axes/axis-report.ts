import type { Board, BoardRow } from '../board/board-row.ts'
import type { BrowserFigures, RungCounts } from '../board/browser-figures.ts'
import type { BrowserRecord } from '../browser/browser-record.ts'
import type { Axis } from './axes.ts'
import type { InducedError } from './library-facts.ts'

/**
 * primary = may be quoted for a row that is a claim; supporting = success-weighted, explains a claim;
 * diagnostic = raw, failures included.
 */
export type ColumnRole = 'primary' | 'supporting' | 'diagnostic'

/** share lies in 0–1; place counts from 1 = best. */
export type AxisUnit =
  | 'share'
  | 'ms'
  | 'micro-usd'
  | 'tokens'
  | 'steps'
  | 'per-hour'
  | 'place'
  | 'bytes'
  | 'lines'
  | 'count'

export type AxisColumn = {
  id: string
  title: string
  unit: AxisUnit
  role: ColumnRole
  /** What the number is, in one sentence. */
  meaning: string
  /** Set where it stands beside for comparison and is no figure of this axis. */
  context?: true
}

/** A number with its doubt and its denominator; null = it cannot be said, and `method` says why. */
export type AxisValue = {
  value: number | null
  /** Bounds, each null where there is none. */
  low: number | null
  high: number | null
  /** What it was counted over. */
  tasks: number | null
  episodes: number | null
  method: string
}

export type AxisRow = Pick<
  BoardRow,
  'rowId' | 'subject' | 'label' | 'driven' | 'runIds' | 'refusals'
> & {
  /** Browser suites: what its settings asked for. */
  browser?: BrowserRecord['reuse']
  /** The fault that its settings name. */
  fault?: string
  /** By column id. */
  values: Record<string, AxisValue>
}

/** One task of one row under one fault. */
export type FaultCell = {
  scored: number
  fired: number
  recovered: number
  /** The same subject on the task without the fault; null = never tried. */
  baseline: { solved: number; scored: number } | null
  /** Null where nobody watches how a subject gets over it. */
  rungs: RungCounts | null
  detectMs: number | null
}

export type FaultRow = Pick<AxisRow, 'rowId' | 'subject' | 'label' | 'driven' | 'browser'> & {
  /** By task id; a task that the row has no scored episode of is not there. */
  cells: Record<string, FaultCell>
  rungs: RungCounts | null
  detectMs: BrowserFigures['detectMs'] | null
}

/** Everything that was measured under one fault: tasks across, rows down. */
export type FaultGroup = {
  /** As the settings name it: `overlay`, `rate-limit@2`. */
  fault: string
  /** What happens and who brings it about, for the kinds that browser workflows know. */
  what: string | null
  by: string | null
  tasks: { taskId: string; title: string }[]
  rows: FaultRow[]
}

/** A version of a library with what was measured of it apart from episodes. */
export type LibraryRow = {
  name: string
  version: string
  /** Null = nothing was measured of this version. */
  measuredAt: string | null
  /** By column id. */
  values: Record<string, AxisValue>
  /** Null = none was induced. */
  errors: InducedError[] | null
}

/** Figures of the libraries themselves; every column is diagnostic. */
export type LibraryTable = { columns: AxisColumn[]; rows: LibraryRow[] }

/** One axis of one suite, as the page, the download and the API show it. */
export type AxisReport = {
  schemaVersion: 1
  axis: Axis
  suite: Pick<Board['suite'], 'suiteId' | 'title' | 'digest'>
  policyVersion: number
  columns: AxisColumn[]
  /** Rows that are claims, in the board's order: a report ranks nothing anew. */
  claims: AxisRow[]
  /** Rows that are none, with their labels; never ranked. */
  others: AxisRow[]
  /** Set while no row is a primary task-completion claim (seed): then all figures are supporting diagnostics. */
  supportingOnly: string | null
  /** Stress rows by the fault that their settings name; absent where none does. */
  faults?: FaultGroup[]
  /** What was measured of the libraries themselves; absent where the suite has none. */
  libraries?: LibraryTable
  notes: string[]
  /** What this report lacks and why. */
  absent: string[]
}
