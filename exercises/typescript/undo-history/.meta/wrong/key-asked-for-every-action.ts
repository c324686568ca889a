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

/** A payload of type `any` leaves it to each command which payload it takes, if any. */
export type CommandsOf<State> = Record<string, (state: State, payload?: any) => State>

/** The arguments of a command after the state: none, or its payload. */
type Payload<Command> = Command extends (state: never, ...payload: infer P) => unknown ? P : never

export interface History<State, Commands> {
  readonly state: State
  readonly canUndo: boolean
  readonly canRedo: boolean
  do<Name extends keyof Commands & string>(name: Name, ...payload: Payload<Commands[Name]>): State
  undo(): boolean
  redo(): boolean
  group<Result>(work: () => Result): Result
}

export function createHistory<State, Commands extends CommandsOf<State>>(
  initial: State,
  commands: Commands,
  options: HistoryOptions = {},
): History<State, Commands> {
  const { limit = 100, mergeKey = () => undefined, mergeWithinMs = 1000 } = options
  const now = options.now ?? Date.now
  if (!Number.isInteger(limit) || limit < 1) {
    throw new RangeError(`limit must be an integer of at least 1, not ${limit}`)
  }

  let state = initial
  let groupDepth = 0
  // A step is remembered as the state on its other side.
  const undoable: State[] = []
  const redoable: State[] = []
  let lastAction: { key: string; time: number } | undefined

  const addStep = (before: State) => {
    undoable.push(before)
    if (undoable.length > limit) undoable.shift()
    redoable.length = 0
  }

  const merges = (key: string | undefined, time: number) =>
    lastAction !== undefined && lastAction.key === key && time - lastAction.time <= mergeWithinMs

  const move = (from: State[], to: State[]): boolean => {
    if (groupDepth > 0) throw new Error('A group must end before anything can be undone or redone')
    if (from.length === 0) return false
    to.push(state)
    state = from.pop() as State
    lastAction = undefined
    return true
  }

  return {
    get state() {
      return state
    },
    get canUndo() {
      return groupDepth === 0 && undoable.length > 0
    },
    get canRedo() {
      return groupDepth === 0 && redoable.length > 0
    },

    do(name, ...payload) {
      const before = state
      const after = commands[name](before, ...payload)
      const key = mergeKey(name, payload.at(0))
      if (Object.is(before, after)) return state
      state = after
      if (groupDepth > 0) return state

      const time = now()
      if (!merges(key, time)) addStep(before)
      lastAction = key === undefined ? undefined : { key, time }
      return state
    },

    undo: () => move(undoable, redoable),
    redo: () => move(redoable, undoable),

    group(work) {
      const before = state
      groupDepth++
      try {
        return work()
      } catch (error) {
        state = before
        throw error
      } finally {
        groupDepth--
        if (groupDepth === 0 && !Object.is(state, before)) {
          addStep(before)
          lastAction = undefined
        }
      }
    },
  }
}
