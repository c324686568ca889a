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

/** The arguments of `do` after the name: what the command takes after the state. */
export type PayloadArguments<Command> = Command extends (...args: infer Args) => unknown
  ? Args extends []
    ? []
    : Args extends [state?: any, ...payload: infer Payload]
      ? Payload
      : []
  : never

export interface History<State, Commands> {
  readonly state: State
  readonly canUndo: boolean
  readonly canRedo: boolean
  do<Name extends keyof Commands & string>(
    name: Name,
    ...payload: PayloadArguments<Commands[Name]>
  ): State
  undo(): boolean
  redo(): boolean
  group<Result>(work: () => Result): Result
}

export function createHistory<
  State,
  Commands extends Record<string, (state: State, payload: any) => State>,
>(
  initial: State,
  commands: Commands,
  options: HistoryOptions = {},
): History<State, Commands> {
  const { limit = 100, mergeWithinMs = 1000 } = options
  if (!Number.isInteger(limit) || limit < 1) {
    throw new RangeError(`limit must be an integer of at least 1: ${limit}`)
  }
  const now = (): number => (options.now ?? Date.now)()

  let current = initial
  /** The states before each step that can be undone, and after each one that can be redone. */
  const past: State[] = []
  const future: State[] = []
  let depth = 0
  /** The action that the next one may be merged with. */
  let lastAction: { readonly key: string | undefined; readonly time: number } | undefined

  const addStep = (before: State): void => {
    past.push(before)
    if (past.length > limit) past.shift()
    future.length = 0
  }

  const move = (from: State[], to: State[]): boolean => {
    if (depth > 0) throw new Error('Within a group nothing can be undone or redone')
    if (from.length === 0) return false
    to.push(current)
    current = from.pop() as State
    lastAction = undefined
    return true
  }

  return {
    get state() {
      return current
    },

    get canUndo() {
      return depth === 0 && past.length > 0
    },

    get canRedo() {
      return depth === 0 && future.length > 0
    },

    do(name, ...payload) {
      const command = commands[name] as (state: State, ...payload: unknown[]) => State
      const before = current
      const after = command(before, ...payload)
      if (Object.is(before, after)) return before
      if (depth === 0) {
        const key = options.mergeKey?.(name, payload[0])
        const time = now()
        const isMerged =
          key !== undefined &&
          lastAction?.key === key &&
          time - lastAction.time <= mergeWithinMs
        if (!isMerged) addStep(before)
        lastAction = { key, time }
      }
      current = after
      return after
    },

    undo: () => move(past, future),

    redo: () => move(future, past),

    group(work) {
      const before = current
      depth++
      try {
        const result = work()
        if (depth === 1 && !Object.is(before, current)) {
          addStep(before)
          lastAction = undefined
        }
        return result
      } catch (error) {
        current = before
        throw error
      } finally {
        depth--
      }
    },
  }
}
