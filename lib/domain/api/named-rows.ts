import type { BoardRow, CategoryRate, EntryStyle } from '../board/index.ts'
import type { EpisodeCell } from './run-view.ts'

/** Subject of a page: an agent or library, or the model that rows were measured with. */
export type NamedKind = 'agent' | 'model'

/** One row with the other facts that the page shows about it. */
export type NamedRow = {
  row: BoardRow
  /** Style in charts; absent = the row is drawn alone. */
  style?: EntryStyle | undefined
  suiteTitle: string
  /** True on the current version of the suite. */
  isCurrent: boolean
  categories: CategoryRate[]
}

/** Number of attempts with one ending; `failureCategory` null = no failure. */
export type OutcomeCount = Pick<EpisodeCell, 'status' | 'failureCategory'> & { episodes: number }

export type NamedRows = { name: string; rows: NamedRow[]; outcomes: OutcomeCount[] }

/** Numbers on the page of an agent or a model. */
export type NameCount = { name: string; entries: number; suites: number; episodes: number }

/** A file of a task as stored on this machine. */
type TaskText = { path: string; text: string; isCut: boolean }

/** Files of an exercise that the agent is given. */
export type TaskTexts = { instructions: TaskText[]; stub: TaskText[] }
