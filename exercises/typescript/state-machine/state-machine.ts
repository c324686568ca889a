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

/** Too loose: replace this by types that know the states and the events. */
export interface Definition<Context> {
  initial: string
  context: Context
  states: Record<string, object>
}

export function createMachine<Context, Event extends AnyEvent>(): (
  definition: Definition<Context>,
) => Machine<string, Context, Event> {
  throw new Error('Remove this line and implement the function')
}
