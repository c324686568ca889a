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

export interface Transition<State, Context, Event> {
  readonly to?: State
  readonly when?: (context: Context, event: Event) => boolean
  readonly update?: (context: Context, event: Event) => Context
}

export type Handlers<State, Context, Event extends AnyEvent> = {
  readonly [Type in Event['type']]?: OneOrMany<
    Transition<State, Context, Extract<Event, { readonly type: Type }>>
  >
}

export interface StateDefinition<State, Context, Event extends AnyEvent> {
  readonly entry?: (context: Context) => void
  readonly exit?: (context: Context) => void
  readonly on?: Handlers<State, Context, Event>
}

export interface Definition<State extends string, Context, Event extends AnyEvent> {
  readonly initial: NoInfer<State>
  readonly context: Context
  readonly states: { readonly [Name in State]: StateDefinition<NoInfer<State>, Context, Event> }
}

type OneOrMany<T> = T | readonly T[]

/** Context and events are named, states are inferred: createMachine<Context, Event>()({ … }) */
export function createMachine<Context, Event extends AnyEvent>(): <State extends string>(
  definition: Definition<State, Context, Event>,
) => Machine<State, Context, Event> {
  return (definition) => new DefinedMachine(definition)
}

class DefinedMachine<State extends string, Context, Event extends AnyEvent>
  implements Machine<State, Context, Event>
{
  readonly #states: Definition<State, Context, Event>['states']
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

  can(event: Event): boolean {
    return !this.#busy && typeof this.#choose(event) === 'object'
  }

  send(event: Event): SendResult<State, Context> {
    if (this.#busy) return this.#refuse('busy')
    this.#busy = true
    try {
      const transition = this.#choose(event)
      if (typeof transition === 'string') return this.#refuse(transition)
      this.#take(transition, event)
      return { ok: true, state: this.#state, context: this.#context }
    } finally {
      this.#busy = false
    }
  }

  #choose(event: Event): Transition<State, Context, Event> | Refusal {
    const candidates = this.#candidates(event)
    if (candidates.length === 0) return 'unhandled'
    const allowed = candidates.find(({ when }) => !when || when(this.#context, event))
    return allowed ?? 'guarded'
  }

  #candidates(event: Event): readonly Transition<State, Context, Event>[] {
    const handlers = this.#states[this.#state].on
    if (!handlers || !Object.hasOwn(handlers, event.type)) return []
    // The key has been checked: these transitions are for events of exactly this type.
    type Found = OneOrMany<Transition<State, Context, Event>> | undefined
    const found = handlers[event.type as Event['type']] as Found
    if (found === undefined) return []
    return isMany(found) ? found : [found]
  }

  #take(transition: Transition<State, Context, Event>, event: Event): void {
    const { to, update } = transition
    if (to !== undefined) this.#states[this.#state].exit?.(this.#context)
    const context = update ? update(this.#context, event) : this.#context
    this.#state = to ?? this.#state
    this.#context = context
    if (to !== undefined) this.#states[to].entry?.(context)
  }

  #refuse(reason: Refusal): SendResult<State, Context> {
    return { ok: false, state: this.#state, reason }
  }
}

function isMany<T extends object>(value: OneOrMany<T>): value is readonly T[] {
  return Array.isArray(value)
}
