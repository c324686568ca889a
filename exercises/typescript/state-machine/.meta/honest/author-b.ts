export interface AnyEvent {
  readonly type: string
}

export type Refusal = 'unhandled' | 'guarded' | 'busy'

export type SendResult<State, Context> =
  | { readonly ok: true; readonly state: State; readonly context: Context }
  | { readonly ok: false; readonly state: State; readonly reason: Refusal }

export interface Machine<State, Context, Event> {
  readonly state: State
  readonly context: Context
  send(event: Event): SendResult<State, Context>
  can(event: Event): boolean
}

/** The members of the union of events that can have this type. */
export type EventOfType<Event extends AnyEvent, Type> = Event extends AnyEvent
  ? Event['type'] extends Type
    ? Event
    : Type extends Event['type']
      ? Event & { readonly type: Type }
      : never
  : never

export interface Transition<State extends string, Context, Event> {
  /** The target. Without one the machine stays in its state, neither leaving nor entering it. */
  readonly to?: State
  readonly when?: (context: Context, event: Event) => boolean
  readonly update?: (context: Context, event: Event) => Context
}

export type Transitions<State extends string, Context, Event> =
  | Transition<State, Context, Event>
  | readonly Transition<State, Context, Event>[]

export interface StateDefinition<State extends string, Context, Event extends AnyEvent> {
  readonly entry?: (context: Context) => void
  readonly exit?: (context: Context) => void
  readonly on?: {
    readonly [Type in Event['type']]?: Transitions<State, Context, EventOfType<Event, Type>>
  }
}

/** The names of the states are those of the keys of `states`; everything else has to fit them. */
export interface Definition<State extends string, Context, Event extends AnyEvent> {
  readonly initial: NoInfer<State>
  readonly context: Context
  readonly states: {
    readonly [Name in State]: StateDefinition<NoInfer<State>, Context, Event>
  }
}

export function createMachine<Context, Event extends AnyEvent>(): <State extends string>(
  definition: Definition<State, Context, Event>,
) => Machine<State, Context, Event> {
  return <State extends string>(definition: Definition<State, Context, Event>) => {
    type Snapshot = { readonly state: State; readonly context: Context }

    let current: Snapshot = { state: definition.initial, context: definition.context }
    let busy = false

    const refuse = (reason: Refusal): SendResult<State, Context> => ({
      ok: false,
      state: current.state,
      reason,
    })

    const definitionOf = (state: State): StateDefinition<State, Context, Event> =>
      definition.states[state]

    const candidates = (
      { state }: Snapshot,
      event: Event,
    ): readonly Transition<State, Context, Event>[] => {
      const on = definitionOf(state).on
      if (on === undefined || !Object.hasOwn(on, event.type)) return []
      const found = on[event.type as Event['type']] as
        | Transitions<State, Context, Event>
        | undefined
      return found === undefined ? [] : isList(found) ? found : [found]
    }

    const passes =
      ({ context }: Snapshot, event: Event) =>
      (transition: Transition<State, Context, Event>): boolean =>
        transition.when === undefined || transition.when(context, event)

    const take = (transition: Transition<State, Context, Event>, event: Event): void => {
      const { state, context } = current
      const { to } = transition
      if (to !== undefined) definitionOf(state).exit?.(context)
      const updated = transition.update === undefined ? context : transition.update(context, event)
      current = { state: to ?? state, context: updated }
      if (to !== undefined) definitionOf(to).entry?.(updated)
    }

    const process = (event: Event): SendResult<State, Context> => {
      const transitions = candidates(current, event)
      if (transitions.length === 0) return refuse('unhandled')
      const chosen = transitions.find(passes(current, event))
      if (chosen === undefined) return refuse('guarded')
      take(chosen, event)
      return { ok: true, ...current }
    }

    definitionOf(current.state).entry?.(current.context)

    return {
      get state() {
        return current.state
      },
      get context() {
        return current.context
      },
      send(event) {
        if (busy) return refuse('busy')
        busy = true
        try {
          return process(event)
        } finally {
          busy = false
        }
      },
      can(event) {
        return !busy && candidates(current, event).some(passes(current, event))
      },
    }
  }
}

/** `Array.isArray` alone does not tell a readonly array from the rest of a union. */
function isList<Item>(value: Item | readonly Item[]): value is readonly Item[] {
  return Array.isArray(value)
}
