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

/** What a command takes besides the state. Not distributive, so a union of names needs a payload that suits all. */
type PayloadOf<Command> = [Command] extends [(state: never, ...payload: infer Payload) => unknown]
  ? Payload
  : never

type CommandsOn<State> = Record<string, (state: State, payload: any) => State>

export interface History<State, Commands> {
  readonly state: State
  readonly canUndo: boolean
  readonly canRedo: boolean
  do<Name extends keyof Commands & string>(name: Name, ...payload: PayloadOf<Commands[Name]>): State
  undo(): boolean
  redo(): boolean
  group<Result>(work: () => Result): Result
}

/** The key and the time of the action directly before the next one. */
interface MergeMark {
  readonly key: string
  readonly at: number
}

export function createHistory<State, Commands extends CommandsOn<State>>(
  initial: State,
  commands: Commands,
  options: HistoryOptions = {},
): History<State, Commands> {
  const { limit = 100, mergeKey, mergeWithinMs = 1000, now = () => Date.now() } = options
  if (!Number.isInteger(limit) || limit < 1) {
    throw new RangeError(`limit must be an integer of at least 1, not ${limit}`)
  }

  let present = initial
  /** The states that `undo` and `redo` lead to, the nearest one last. */
  let past: State[] = []
  let future: State[] = []
  let mark: MergeMark | undefined
  let openGroups = 0

  const addStep = (before: State, after: State, merged: boolean): void => {
    if (!merged) past = [...past, before].slice(-limit)
    future = []
    present = after
  }

  const markOf = (name: string, payload: unknown): MergeMark | undefined => {
    const key = mergeKey?.(name, payload)
    return key === undefined ? undefined : { key, at: now() }
  }

  const follows = (next: MergeMark | undefined): boolean =>
    mark !== undefined &&
    next !== undefined &&
    mark.key === next.key &&
    next.at - mark.at <= mergeWithinMs

  /** Moves one state over: `undo` and `redo` differ only in the direction. */
  const move = (from: State[], to: State[]): boolean => {
    if (openGroups > 0) throw new Error('A group is open: it can be neither left nor repeated')
    if (from.length === 0) return false
    to.push(present)
    present = from.pop() as State
    mark = undefined
    return true
  }

  return {
    get state() {
      return present
    },
    get canUndo() {
      return openGroups === 0 && past.length > 0
    },
    get canRedo() {
      return openGroups === 0 && future.length > 0
    },

    do(name, ...payload) {
      const before = present
      const after = commands[name](before, ...(payload as unknown as [payload: unknown]))
      if (Object.is(before, after)) return present
      if (openGroups > 0) {
        present = after
      } else {
        const next = markOf(name, payload[0])
        addStep(before, after, follows(next))
        mark = next
      }
      return present
    },

    undo: () => move(past, future),
    redo: () => move(future, past),

    group(work) {
      const before = present
      openGroups += 1
      try {
        return work()
      } catch (error) {
        present = before
        throw error
      } finally {
        openGroups -= 1
        if (openGroups === 0 && !Object.is(before, present)) {
          addStep(before, present, false)
          mark = undefined
        }
      }
    },
  }
}
