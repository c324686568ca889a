export interface HistoryOptions {
  /** The most steps that can be undone, an integer of at least 1. Default: 100. */
  limit?: number
  /** Names the kind of an action that may be merged with the action before it. */
  mergeKey?: (name: string, payload: unknown) => string | undefined
  /** How long after an action the next one can be merged with it. Default: 1000. */
  mergeWithinMs?: number
  /** The current time in milliseconds. Default: Date.now. */
  now?: () => number
}

export interface History<State, Commands> {
  readonly state: State
  readonly canUndo: boolean
  readonly canRedo: boolean
  /** Too loose: names and payloads must be those of the commands. */
  do(name: string, payload?: unknown): State
  undo(): boolean
  redo(): boolean
  group<Result>(work: () => Result): Result
}

/** Too loose: commands are functions from state to state. */
export function createHistory<State, Commands extends object>(
  initial: State,
  commands: Commands,
  options?: HistoryOptions,
): History<State, Commands> {
  throw new Error('Remove this line and implement the function')
}
