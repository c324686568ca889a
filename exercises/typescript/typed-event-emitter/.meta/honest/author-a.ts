export type Occurrence<Events> = {
  [Name in keyof Events]-?: { event: Name; args: Events[Name] }
}[keyof Events]

interface Registration<Listener> {
  readonly listener: Listener
  readonly once: boolean
  active: boolean
}

type AnyListener = (...args: any[]) => void

function drop<T>(list: T[], item: T): void {
  const index = list.indexOf(item)
  if (index >= 0) list.splice(index, 1)
}

export class TypedEventEmitter<Events extends Record<keyof Events, readonly unknown[]>> {
  readonly #listeners = new Map<keyof Events, Registration<AnyListener>[]>()
  readonly #anyListeners: Registration<(occurrence: Occurrence<Events>) => void>[] = []

  on<Name extends keyof Events>(
    event: Name,
    listener: (...args: Events[Name]) => void,
  ): () => void {
    return this.#register(event, listener, false)
  }

  once<Name extends keyof Events>(
    event: Name,
    listener: (...args: Events[Name]) => void,
  ): () => void {
    return this.#register(event, listener, true)
  }

  off<Name extends keyof Events>(
    event: Name,
    listener: (...args: Events[Name]) => void,
  ): boolean {
    const newestFirst = [...(this.#listeners.get(event) ?? [])].reverse()
    const registration = newestFirst.find((candidate) => candidate.listener === listener)
    if (registration === undefined) return false
    this.#remove(event, registration)
    return true
  }

  onAny(listener: (occurrence: Occurrence<Events>) => void): () => void {
    const registration = { listener, once: false, active: true }
    this.#anyListeners.push(registration)
    return () => {
      registration.active = false
      drop(this.#anyListeners, registration)
    }
  }

  emit<Name extends keyof Events>(event: Name, ...args: Events[Name]): number {
    const registrations = [...(this.#listeners.get(event) ?? [])]
    const anyRegistrations = [...this.#anyListeners]
    const errors: unknown[] = []
    let calls = 0

    const call = (action: () => void): void => {
      calls++
      try {
        action()
      } catch (error) {
        errors.push(error)
      }
    }

    for (const registration of registrations) {
      if (!registration.active) continue
      if (registration.once) this.#remove(event, registration)
      const { listener } = registration
      call(() => listener(...args))
    }
    for (const registration of anyRegistrations) {
      if (!registration.active) continue
      const { listener } = registration
      call(() => listener({ event, args }))
    }

    if (errors.length === 1) throw errors[0]
    if (errors.length > 1) {
      throw new AggregateError(errors, `${errors.length} listeners of ${String(event)} have thrown`)
    }
    return calls
  }

  listenerCount<Name extends keyof Events>(event: Name): number {
    return this.#listeners.get(event)?.length ?? 0
  }

  #register(event: keyof Events, listener: AnyListener, once: boolean): () => void {
    const registration = { listener, once, active: true }
    const registrations = this.#listeners.get(event)
    if (registrations === undefined) this.#listeners.set(event, [registration])
    else registrations.push(registration)
    return () => this.#remove(event, registration)
  }

  #remove(event: keyof Events, registration: Registration<AnyListener>): void {
    registration.active = false
    const registrations = this.#listeners.get(event)
    if (registrations === undefined) return
    drop(registrations, registration)
    if (registrations.length === 0) this.#listeners.delete(event)
  }
}
