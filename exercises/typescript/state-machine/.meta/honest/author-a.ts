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

/** The members of a union of events that can have the type, with exactly this type. */
export type EventOfType<Event, Type> = Event extends AnyEvent
  ? Type extends Event['type']
    ? Event['type'] extends Type
      ? Event
      : Event & { readonly type: Type }
    : never
  : never

export interface Transition<State, Context, Event> {
  /** The state to go to. Without it the machine stays where it is. */
  readonly to?: State
  readonly when?: (context: Context, event: Event) => boolean
  readonly update?: (context: Context, event: Event) => Context
}

export interface StateDefinition<State, Context, Event extends AnyEvent> {
  readonly entry?: (context: Context) => void
  readonly exit?: (context: Context) => void
  readonly on?: {
    readonly [Type in Event['type']]?:
      | Transition<State, Context, EventOfType<Event, Type>>
      | readonly Transition<State, Context, EventOfType<Event, Type>>[]
  }
}

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
  return (definition) => new StateMachine(definition)
}

class StateMachine<State extends string, Context, Event extends AnyEvent>
  implements Machine<State, Context, Event>
{
  readonly #states: Readonly<Record<State, StateDefinition<State, Context, Event>>>
  #state: State
  #context: Context
  #busy = false

  constructor(definition: Definition<State, Context, Event>) {
    this.#states = definition.states
    this.#state = definition.initial
    this.#context = definition.context
    this.#states[this.#state].entry?.(this.#context)
  }

  get state(): State {
    return this.#state
  }

  get context(): Context {
    return this.#context
  }

  send(event: Event): SendResult<State, Context> {
    if (this.#busy) return this.#refuse('busy')
    this.#busy = true
    try {
      const transitions = this.#transitions(event)
      if (transitions.length === 0) return this.#refuse('unhandled')
      const transition = this.#choose(transitions, event)
      if (transition === undefined) return this.#refuse('guarded')
      this.#take(transition, event)
      return { ok: true, state: this.#state, context: this.#context }
    } finally {
      this.#busy = false
    }
  }

  can(event: Event): boolean {
    return !this.#busy && this.#choose(this.#transitions(event), event) !== undefined
  }

  #refuse(reason: Refusal): SendResult<State, Context> {
    return { ok: false, state: this.#state, reason }
  }

  #transitions(event: Event): readonly Transition<State, Context, Event>[] {
    const on = this.#states[this.#state].on
    if (on === undefined || !Object.hasOwn(on, event.type)) return []
    // What stands under the type of an event takes events of this type.
    const found = on[event.type as Event['type']] as
      | Transition<State, Context, Event>
      | readonly Transition<State, Context, Event>[]
      | undefined
    if (found === undefined) return []
    return Array.isArray(found) ? found : [found as Transition<State, Context, Event>]
  }

  #choose(
    transitions: readonly Transition<State, Context, Event>[],
    event: Event,
  ): Transition<State, Context, Event> | undefined {
    return transitions.find(({ when }) => when === undefined || when(this.#context, event))
  }

  #take({ to, update }: Transition<State, Context, Event>, event: Event): void {
    if (to !== undefined) this.#states[this.#state].exit?.(this.#context)
    const context = update === undefined ? this.#context : update(this.#context, event)
    this.#context = context
    if (to === undefined) return
    this.#state = to
    this.#states[to].entry?.(context)
  }
}
