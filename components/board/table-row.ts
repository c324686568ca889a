import type { BoardRow, RankPool } from '#lib/domain/board/index.ts'
import type { EvidenceLabel, RuleRefusal } from '#lib/domain/eligibility/index.ts'
import type { Subject, TableCell } from '#lib/domain/record/index.ts'

/** Values by column id. */
export type RowValues = Readonly<Record<string, string | number | null>> & {
  readonly success: number | null
}

/** A number as a cell shows it, and what hovering over it says. */
export type CellMetric = { text: string; title: string }

/** A board row with every text made on the server: the table only places it. */
export type TableRow = {
  id: string
  /** Address of the link of its name; absent = all entries of that name. */
  path?: string
  suiteId: string
  subject: {
    name: string
    version: string | null
    /** As people read it, with a provider that is not the model's own. */
    model: string | null
    modelRequested: string | null
    kind: Subject['kind']
    /** Driver and locator strategy of a browser library, `scripted · css`; null for all others. */
    way: string | null
    /** Arm of the plan; null = the plan has no arms. */
    arm: string | null
    /** The arm, a cold browser, a planned fault: what tells rows of one subject apart. */
    under: string | null
  }
  /** Lower-case text for the search. */
  haystack: string
  label: EvidenceLabel
  /** Codes of the evidence rules that it does not meet. */
  codes: string[]
  /** Differences from most rows of the board: isolation, tasks with held-out tests. */
  apart: string[]
  /** The claims it competes with; null = it is none. */
  pool: RankPool | null
  rank: CellMetric
  /** Its letters, or how many rows it ties with; null = not ranked, or stored without. */
  ties: string | null
  /** Notices beside the rate: withheld, withdrawn, cancelled or split results. */
  notices: readonly string[]
  success: CellMetric & {
    /** `± 9`, in points. */
    spread: string
    low: number | null
    high: number | null
    interval: string
  }
  /** The columns that are a text and nothing more. */
  figures: Readonly<Partial<Record<string, CellMetric>>>
  provenance: BoardRow['provenance']
  /** Corrections of the ledger: how many, where they are, and the rate without them; null = none. */
  corrections: { text: string; title: string; path: string } | null
  runIds: string[]
  /** Values for sorting and charts, by column; null = unknown. */
  values: RowValues
  /** Its cells in an export of the table, in the order of `EXPORTED_FIELDS`. */
  exported: readonly TableCell[]
}

/** Details of an open row, made on the server for open rows only. */
export type RowDetail = {
  refusals: RuleRefusal[]
  facts: { name: string; value: string }[]
  /** pass^k with its band; null = the repetitions do not allow it, or the row was stored without. */
  reliability: BoardRow['reliability'] | null
}
