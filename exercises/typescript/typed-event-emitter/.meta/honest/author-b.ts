/** Every event is mapped to the tuple of its arguments. */
type EventMap<Events> = { [E in keyof Events]-?: readonly unknown[] }

type Listener<Args extends readonly unknown[]> = (...args: Args) => void

export type Occurrence<Events> = {
  [E in keyof Events]-?: { event: E; args: Events[E] }
}[keyof Events]

/** One call of `on`, `once` or `onAny`. It is in place until it has been removed. */
interface Registration<Fn> {
  readonly listener: Fn
  readonly once: boolean
  inPlace: boolean
}

type Call = () => void

export class TypedEventEmitter<Events extends EventMap<Events>> {
  /** The lists are replaced and never changed, so that an `emit` can walk along the one it found. */
  #byEvent: ReadonlyMap<keyof Events, readonly Registration<Listener<any>>[]> = new Map()
  #forAny: readonly Registration<(occurrence: Occurrence<Events>) => void>[] = []

  on<E extends keyof Events>(event: E, listener: Listener<Events[E]>): () => void {
    return this.#register(event, listener, false)
  }

  once<E extends keyof Events>(event: E, listener: Listener<Events[E]>): () => void {
    return this.#register(event, listener, true)
  }

  off<E extends keyof Events>(event: E, listener: Listener<Events[E]>): boolean {
    const latest = this.#listOf(event).reduceRight<Registration<Listener<any>> | undefined>(
      (found, candidate) => found ?? (candidate.listener === listener ? candidate : undefined),
      undefined,
    )
    if (latest === undefined) return false
    this.#remove(event, latest)
    return true
  }

  onAny(listener: (occurrence: Occurrence<Events>) => void): () => void {
    const registration = { listener, once: false, inPlace: true }
    this.#forAny = [...this.#forAny, registration]
    return () => {
      registration.inPlace = false
      this.#forAny = this.#forAny.filter((other) => other !== registration)
    }
  }

  emit<E extends keyof Events>(event: E, ...args: Events[E]): number {
    const calls: readonly { of: Registration<unknown>; call: Call }[] = [
      ...this.#listOf(event).map((of) => ({
        of,
        call: () => {
          const { listener } = of
          if (of.once) this.#remove(event, of)
          listener(...args)
        },
      })),
      ...this.#forAny.map((of) => ({
        of,
        call: () => {
          const { listener } = of
          listener({ event, args: [...args] } as unknown as Occurrence<Events>)
        },
      })),
    ]

    let called = 0
    const errors: unknown[] = []
    for (const { of, call } of calls) {
      if (!of.inPlace) continue
      called += 1
      try {
        call()
      } catch (error) {
        errors.push(error)
      }
    }

    if (errors.length === 1) throw errors[0]
    if (errors.length > 1) {
      throw new AggregateError(errors, `${errors.length} listeners of ${String(event)} have thrown`)
    }
    return called
  }

  listenerCount<E extends keyof Events>(event: E): number {
    return this.#listOf(event).length
  }

  #listOf(event: keyof Events): readonly Registration<Listener<any>>[] {
    return this.#byEvent.get(event) ?? []
  }

  #replace(event: keyof Events, list: readonly Registration<Listener<any>>[]): void {
    const others = [...this.#byEvent].filter(([name]) => name !== event)
    this.#byEvent = new Map(list.length > 0 ? [...others, [event, list]] : others)
  }

  #register(event: keyof Events, listener: Listener<any>, once: boolean): () => void {
    const registration = { listener, once, inPlace: true }
    this.#replace(event, [...this.#listOf(event), registration])
    return () => this.#remove(event, registration)
  }

  #remove(event: keyof Events, registration: Registration<Listener<any>>): void {
    registration.inPlace = false
    this.#replace(
      event,
      this.#listOf(event).filter((other) => other !== registration),
    )
  }
}
