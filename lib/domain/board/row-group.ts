import type { RowRegistration, RunStart } from '../eligibility/index.ts'
import type { EpisodeFact, EpisodeKind, Plan, PlannedSlot, RowIdentity } from '../record/index.ts'
import type { RowTask } from './board-row.ts'
import type { StoppedRun } from './decide-stop.ts'
import type { ModelSums } from './model-shares.ts'
import type { PlannedRun } from './planned-slots.ts'
import type { RowCorrection } from './row-measures.ts'
import type { TaskAmounts } from './run-summary.ts'

/** The corrections of a row, and the row without them. */
export type CorrectedRow = {
  corrections: readonly RowCorrection[]
  counted: readonly EpisodeFact[]
  tallies: RowTask[]
  /** Removed runs: their results were visible before. */
  removed: PlannedRun[]
}

/** The episodes of one row, with their planned slots. */
export type RowGroup = {
  rowId: string
  /** Other ids of the row: links, badges and corrections with earlier ids stay valid. */
  aliases: string[]
  identity: RowIdentity
  /** The sender; null = this server ran it. */
  sender: string | null
  /** The sender's account; null = this server, or not recorded. */
  account: string | null
  /** All its episodes, counted or not. */
  members: readonly EpisodeFact[]
  /** Starts of all its runs. */
  starts: RunStart[]
  counted: readonly EpisodeFact[]
  /** Those that count, by kind and by task. */
  kinds: readonly EpisodeKind[]
  amounts: readonly TaskAmounts[]
  usage: readonly ModelSums[]
  retried: readonly EpisodeFact[]
  /** Void attempts that no longer count, because their slots were retried or topped up. */
  replacedVoids: EpisodeFact[]
  /** Slots without an episode that a top-up filled. */
  unsent: readonly PlannedSlot[]
  /** Cancelled attempts that were run again; those of this server count as failed above the limit. */
  cancelled: readonly EpisodeFact[]
  tallies: RowTask[]
  planned: readonly PlannedSlot[]
  /** Planned slots that have not ended. */
  missing: readonly PlannedSlot[]
  /** The runs of its episodes, as far as their plans are known. */
  runs: PlannedRun[]
  /** Their frozen plans, by run id; reported results have none. */
  plans: ReadonlyMap<string, Plan>
  /** Its runs that stopped by the rule of their plan. */
  stopped: readonly StoppedRun[]
  /** Its corrections in the ledger; null = none. */
  corrected: CorrectedRow | null
  /** Its runs compared with the registered plans; null = not checked. */
  registration: RowRegistration | null
}
