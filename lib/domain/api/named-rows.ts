import type { BoardRow, CategoryRate, EntryStyle } from '../board/index.ts'
import type { EpisodeCell } from './run-view.ts'

/** What a page is about: an agent or library, or the model that rows were measured with. */
export type NamedKind = 'agent' | 'model'

/** One row with what the page says of it besides. */
export type NamedRow = {
  row: BoardRow
  /** In charts; absent = the row is drawn alone. */
  style?: EntryStyle | undefined
  suiteTitle: string
  /** It is on the current version of its suite. */
  isCurrent: boolean
  categories: CategoryRate[]
}

/** Attempts that ended in one way; `failureCategory` null = there was none. */
export type OutcomeCount = Pick<EpisodeCell, 'status' | 'failureCategory'> & { episodes: number }

export type NamedRows = { name: string; rows: NamedRow[]; outcomes: OutcomeCount[] }

/** A file of a task as stored on this machine. */
type TaskText = { path: string; text: string; isCut: boolean }

/** What an agent is given of an exercise. */
export type TaskTexts = { instructions: TaskText[]; stub: TaskText[] }
