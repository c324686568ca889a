import type { BoardRow, EvidenceLabel, RankPool, Refusal } from '#lib/domain/board/board-row.ts'
import type { EvaluatedHere } from '#lib/domain/evaluation/evaluated-here.ts'
import type { Subject } from '#lib/domain/subject.ts'

/** A number as a cell shows it: the text, what hovering says, and what sorting compares. */
export type Figure = { text: string; title: string; value: number | null }

/** A board row with every text made on the server: the table only places it. */
export type TableRow = {
  id: string
  suiteId: string
  subject: {
    name: string
    version: string | null
    model: string | null
    kind: Subject['kind']
    /** How a browser library is driven and points at elements, `scripted · css`; null for all others. */
    way: string | null
    /** A cold browser, a planned fault: what tells rows of one subject apart. */
    under: string | null
  }
  /** Lower-case text that the search looks through. */
  haystack: string
  label: EvidenceLabel
  refusals: Refusal[]
  /** How the subject was kept apart; null = it was not. */
  isolation: string | null
  /** The claims it competes with; null = it is none. */
  pool: RankPool | null
  rank: Figure
  /** Two ranked rows share a letter exactly when they cannot be told apart; null = not ranked, or stored without. */
  letters: string | null
  success: Figure & {
    /** `± 9`, in points. */
    spread: string
    low: number | null
    high: number | null
    interval: string
    method: string
  }
  samples: string
  /** Solved of scored episodes, `23/25`. */
  count: string
  /** Both results of grading, for exports; null = nothing was graded by tests. */
  grading: {
    /** What the row has to say beside its rate: `visible tests only`; null where all tasks have a held-out transcript. */
    coverage: string | null
    visiblePassed: number
    heldOutPassed: number | null
    heldOutScored: number
    heldOutTasks: number
    sandbox: string | null
    network: string | null
  } | null
  /** What judging solutions from elsewhere here gave; null = every episode ran here. */
  evaluatedHere: EvaluatedHere | null
  cost: Figure
  tokens: Figure
  p50: Figure
  p95: Figure
  provenance: BoardRow['provenance']
  runIds: string[]
  facts: { name: string; value: string }[]
  /** pass^k with its band; null = the repetitions do not allow it, or the row was stored without. */
  reliability: BoardRow['reliability'] | null
}
