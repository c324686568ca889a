// Wrong: an occurrence has any event name beside any arguments, so checking the name does not
// narrow the arguments. Only the types are wrong.
/** Written in terms of its own keys, so that interfaces fit as well as type aliases. */
type EventMap<Events> = Record<keyof Events, readonly unknown[]>

export type Occurrence<Events> = { event: keyof Events; args: Events[keyof Events] }

type Listener<Args extends readonly unknown[]> = (...args: Args) => void

interface Registration {
  listener: Listener<never>
  call: (args: readonly unknown[], event: PropertyKey) => void
  active: boolean
  once: boolean
}

export class TypedEventEmitter<Events extends EventMap<Events>> {
  readonly #byEvent = new Map<PropertyKey, Registration[]>()
  #anyEvent: Registration[] = []

  on<Event extends keyof Events>(event: Event, listener: Listener<Events[Event]>): () => void {
    return this.#register(event, listener, false)
  }

  once<Event extends keyof Events>(event: Event, listener: Listener<Events[Event]>): () => void {
    return this.#register(event, listener, true)
  }

  off<Event extends keyof Events>(event: Event, listener: Listener<Events[Event]>): boolean {
    const registrations = this.#registrationsOf(event)
    const latest = registrations.filter((registration) => registration.listener === listener).pop()
    if (!latest) return false
    this.#remove(event, latest)
    return true
  }

  onAny(listener: (occurrence: Occurrence<Events>) => void): () => void {
    const registration: Registration = {
      listener,
      call: (args, event) => listener({ event, args } as Occurrence<Events>),
      active: true,
      once: false,
    }
    this.#anyEvent = [...this.#anyEvent, registration]
    return () => {
      registration.active = false
      this.#anyEvent = this.#anyEvent.filter((other) => other !== registration)
    }
  }

  emit<Event extends keyof Events>(event: Event, ...args: Events[Event]): number {
    const errors: unknown[] = []
    let called = 0
    for (const registration of [...this.#registrationsOf(event), ...this.#anyEvent]) {
      if (!registration.active) continue
      if (registration.once) this.#remove(event, registration)
      called++
      try {
        registration.call(args, event)
      } catch (error) {
        errors.push(error)
      }
    }
    if (errors.length > 1) throw new AggregateError(errors, 'several listeners failed')
    if (errors.length === 1) throw errors[0]
    return called
  }

  listenerCount(event: keyof Events): number {
    return this.#registrationsOf(event).length
  }

  #register<Event extends keyof Events>(
    event: Event,
    listener: Listener<Events[Event]>,
    once: boolean,
  ): () => void {
    const registration: Registration = {
      listener,
      call: (args) => listener(...(args as Events[Event])),
      active: true,
      once,
    }
    this.#byEvent.set(event, [...this.#registrationsOf(event), registration])
    return () => this.#remove(event, registration)
  }

  #remove(event: keyof Events, registration: Registration): void {
    registration.active = false
    const remaining = this.#registrationsOf(event).filter((other) => other !== registration)
    this.#byEvent.set(event, remaining)
  }

  #registrationsOf(event: keyof Events): Registration[] {
    return this.#byEvent.get(event) ?? []
  }
}
