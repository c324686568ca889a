import type { RowRegistration } from '../eligibility/index.ts'
import type { EpisodeFact, Plan, PlannedSlot, RowIdentity } from '../record/index.ts'
import type { RowTask } from './board-row.ts'
import type { PlannedRun } from './planned-slots.ts'

/** When the first episode of a run under a plan started. */
export type RunStart = Pick<EpisodeFact, 'runId' | 'planDigest' | 'startedAt'>

/** The episodes of one row, with their planned slots. */
export type RowGroup = {
  rowId: string
  /** Other ids of the row: links, badges and corrections with earlier ids stay valid. */
  aliases: string[]
  identity: RowIdentity
  /** The sender; null = this server ran it. */
  sender: string | null
  /** All its episodes, counted or not. */
  members: readonly EpisodeFact[]
  /** Of all its runs. */
  starts: RunStart[]
  counted: readonly EpisodeFact[]
  retried: readonly EpisodeFact[]
  /** Void attempts that no longer count, because their slots were retried or topped up. */
  replacedVoids: EpisodeFact[]
  tallies: RowTask[]
  planned: readonly PlannedSlot[]
  /** The runs of its episodes, as far as their plans are known. */
  runs: PlannedRun[]
  /** Their frozen plans, by run id; reported results have none. */
  plans: ReadonlyMap<string, Plan>
  /** Its runs compared with the registered plans; null = not checked. */
  registration: RowRegistration | null
}
