// Wrong: listeners are removed from the very array that emit walks through, so the next one is
// skipped.
type EventMap<Events> = Record<keyof Events, readonly unknown[]>

export type Occurrence<Events> = {
  [Event in keyof Events]: { event: Event; args: Events[Event] }
}[keyof Events]

type Listener<Args extends readonly unknown[]> = (...args: Args) => void

interface Registration {
  listener: unknown
  call: (args: readonly unknown[]) => void
  once: boolean
}

export class TypedEventEmitter<Events extends EventMap<Events>> {
  private readonly byEvent = new Map<PropertyKey, Registration[]>()
  private readonly anyEvent: Array<{ listener: (occurrence: Occurrence<Events>) => void }> = []

  on<Event extends keyof Events>(event: Event, listener: Listener<Events[Event]>): () => void {
    return this.register(event, listener, false)
  }

  once<Event extends keyof Events>(event: Event, listener: Listener<Events[Event]>): () => void {
    return this.register(event, listener, true)
  }

  off<Event extends keyof Events>(event: Event, listener: Listener<Events[Event]>): boolean {
    const registrations = this.registrationsOf(event)
    for (let index = registrations.length - 1; index >= 0; index--) {
      if (registrations[index].listener === listener) {
        registrations.splice(index, 1)
        return true
      }
    }
    return false
  }

  onAny(listener: (occurrence: Occurrence<Events>) => void): () => void {
    const registration = { listener }
    this.anyEvent.push(registration)
    return () => remove(this.anyEvent, registration)
  }

  emit<Event extends keyof Events>(event: Event, ...args: Events[Event]): number {
    const errors: unknown[] = []
    let called = 0
    const attempt = (action: () => void) => {
      called++
      try {
        action()
      } catch (error) {
        errors.push(error)
      }
    }
    const registrations = this.registrationsOf(event)
    const end = registrations.length
    const anyEnd = this.anyEvent.length
    for (let index = 0; index < Math.min(end, registrations.length); index++) {
      const registration = registrations[index]
      if (registration.once) registrations.splice(index--, 1)
      attempt(() => registration.call(args))
    }
    for (let index = 0; index < Math.min(anyEnd, this.anyEvent.length); index++) {
      const { listener } = this.anyEvent[index]
      attempt(() => listener({ event, args } as Occurrence<Events>))
    }
    if (errors.length > 1) throw new AggregateError(errors)
    if (errors.length === 1) throw errors[0]
    return called
  }

  listenerCount(event: keyof Events): number {
    return this.registrationsOf(event).length
  }

  private register<Event extends keyof Events>(
    event: Event,
    listener: Listener<Events[Event]>,
    once: boolean,
  ): () => void {
    const call = (args: readonly unknown[]) => listener(...(args as Events[Event]))
    const registration: Registration = { listener, call, once }
    this.registrationsOf(event).push(registration)
    return () => remove(this.registrationsOf(event), registration)
  }

  private registrationsOf(event: keyof Events): Registration[] {
    const registrations = this.byEvent.get(event) ?? []
    this.byEvent.set(event, registrations)
    return registrations
  }
}

function remove<T>(list: T[], item: T): void {
  const index = list.indexOf(item)
  if (index >= 0) list.splice(index, 1)
}
