import type { BoardRow, RankPool } from '#lib/domain/board/index.ts'
import type { EvidenceLabel, RuleRefusal } from '#lib/domain/eligibility/index.ts'
import type { Subject, TableCell } from '#lib/domain/record/index.ts'

/** Values by column id. */
export type RowValues = Readonly<Record<string, string | number | null>> & {
  readonly success: number | null
}

/** A number as shown in a cell, with its tooltip. */
export type CellMetric = { text: string; title: string }

/** A board row as texts made on the server; the table only displays them. */
export type TableRow = {
  id: string
  /** Target of the name's link; absent = all entries of that name. */
  path?: string
  suiteId: string
  subject: {
    name: string
    version: string | null
    /** As displayed, with the provider if it is not the model's own. */
    model: string | null
    modelRequested: string | null
    kind: Subject['kind']
    /** Driver and locator strategy of a browser library, `scripted · css`; null for all others. */
    way: string | null
    /** Arm of the plan; null = the plan has no arms. */
    arm: string | null
    /** Arm, cold browser or planned fault, which distinguish rows of one subject. */
    under: string | null
  }
  /** Lower-case text for the search. */
  haystack: string
  label: EvidenceLabel
  /** Codes of the evidence rules that the row does not meet. */
  codes: string[]
  /** Differences from most rows of the board: isolation, tasks with held-out tests. */
  apart: string[]
  /** The pool that it is ranked in; null = unranked. */
  pool: RankPool | null
  rank: CellMetric
  /** Its tie letters, or the number of rows that it ties with; null = unranked, or stored without. */
  ties: string | null
  /** Notices next to the rate: withheld, withdrawn, cancelled or split results. */
  notices: readonly string[]
  success: CellMetric & {
    /** Half-width of the interval in points: `± 9`. */
    spread: string
    low: number | null
    high: number | null
    interval: string
  }
  /** Texts of the plain columns. */
  figures: Readonly<Partial<Record<string, CellMetric>>>
  provenance: BoardRow['provenance']
  /** Corrections in the ledger: number, link, and the rate without them; null = none. */
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
  /** pass^k with its band; null = too few repetitions, or stored without. */
  reliability: BoardRow['reliability'] | null
}
