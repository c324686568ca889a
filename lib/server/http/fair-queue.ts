/** A waiting request. */
type Waiting = { network: string; start: () => void; refuse: () => void }

type QueueLimits = { total: number; perNetwork: number; waiting: number }

/**
 * Limits concurrent work such as renders, in total and per network. Others wait, and work without a reader is never started.
 * Networks are served in turn, so that one that requests a thousand pages delays no other.
 */
export class FairQueue {
  readonly #limits: QueueLimits
  readonly #waiting = new Set<Waiting>()
  /** When each network was last served, while any request waits. */
  readonly #turns = new Map<string, number>()
  /** Renders in progress, by network. */
  readonly #networks = new Map<string, number>()
  #turn = 0
  #underWay = 0

  constructor(limits: QueueLimits) {
    this.#limits = limits
  }

  /** Resolves with a function to call at the end; `full` = too many wait already, `gone` = the reader left. */
  enter(gone: AbortSignal, network: string): Promise<(() => void) | 'full' | 'gone'> {
    if (gone.aborted) return Promise.resolve('gone')
    if (this.#hasRoom(network)) return Promise.resolve(this.#take(network))
    return new Promise((resolve) => {
      const one = {
        network,
        start: () => resolve(this.#take(network)),
        refuse: () => resolve('full'),
      }
      this.#waiting.add(one)
      const leave = () => {
        if (this.#waiting.delete(one)) resolve('gone')
      }
      gone.addEventListener('abort', leave, { once: true })
      if (this.#waiting.size > this.#limits.waiting) this.#refuseOne()
    })
  }

  /** Runs work of one network in turn. Throws `crowded()` when too many wait already. */
  async run<T>(work: () => Promise<T>, crowded: () => Error): Promise<T> {
    const leave = await this.enter(new AbortController().signal, '')
    if (typeof leave !== 'function') throw crowded()
    try {
      return await work()
    } finally {
      leave()
    }
  }

  #hasRoom(network: string): boolean {
    const own = this.#networks.get(network) ?? 0
    return this.#underWay < this.#limits.total && own < this.#limits.perNetwork
  }

  #take(network: string): () => void {
    this.#count(network, 1)
    this.#turn++
    this.#turns.set(network, this.#turn)
    let isOver = false
    return () => {
      if (isOver) return
      isOver = true
      this.#count(network, -1)
      this.#startNext()
    }
  }

  #count(network: string, change: 1 | -1): void {
    this.#underWay += change
    const own = (this.#networks.get(network) ?? 0) + change
    if (own === 0) this.#networks.delete(network)
    else this.#networks.set(network, own)
  }

  /** Starts the first request of the network that was served least recently. */
  #startNext(): void {
    if (this.#waiting.size === 0) {
      this.#turns.clear()
      return
    }
    const ready = [...this.#waiting].filter(({ network }) => this.#hasRoom(network))
    const next = leastOf(ready, ({ network }) => this.#turns.get(network) ?? 0)
    if (next === null) return
    this.#waiting.delete(next)
    next.start()
  }

  /** Refuses the last request of the network with most requests waiting. */
  #refuseOne(): void {
    const counts = new Map<string, number>()
    for (const { network } of this.#waiting) counts.set(network, (counts.get(network) ?? 0) + 1)
    const latest = [...this.#waiting].reverse()
    const refused = leastOf(latest, ({ network }) => -(counts.get(network) ?? 0))
    if (refused === null) return
    this.#waiting.delete(refused)
    refused.refuse()
  }
}

/** Returns the first item with the smallest number. */
function leastOf<T>(all: Iterable<T>, numberOf: (one: T) => number): T | null {
  let found: { one: T; number: number } | null = null
  for (const one of all) {
    const number = numberOf(one)
    if (found === null || number < found.number) found = { one, number }
  }
  return found?.one ?? null
}
