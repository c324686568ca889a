/** One that waits: for readers of these networks; more may join while it does. */
type Waiting = { senders: ReadonlySet<string>; go: () => void; refuse: () => void }

type QueueLimits = { total: number; perNetwork: number; waiting: number }

/**
 * Limits the renders under way, in total and for one network. Others wait, and a render without readers is never
 * started. Networks take turns, so that one that asks for a thousand pages makes no other wait for them.
 */
export class RenderQueue {
  readonly #limits: QueueLimits
  readonly #waiting = new Set<Waiting>()
  /** When each network had its last turn, while any waits. */
  readonly #turns = new Map<string, number>()
  /** Renders under way, by network. */
  readonly #networks = new Map<string, number>()
  #turn = 0
  #underWay = 0

  constructor(limits: QueueLimits) {
    this.#limits = limits
  }

  /** Resolves with a function to call at the end; `full` = too many wait already, `gone` = the reader left. */
  enter(gone: AbortSignal, senders: ReadonlySet<string>): Promise<(() => void) | 'full' | 'gone'> {
    if (gone.aborted) return Promise.resolve('gone')
    if (this.#hasRoom(senders)) return Promise.resolve(this.#take(senders))
    return new Promise((resolve) => {
      const one = {
        senders,
        go: () => resolve(this.#take(senders)),
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

  /** A page that several networks wait for needs room for one of them. */
  #hasRoom(senders: ReadonlySet<string>): boolean {
    if (this.#underWay >= this.#limits.total) return false
    return least(senders, this.#networks) < this.#limits.perNetwork
  }

  #take(senders: ReadonlySet<string>): () => void {
    // More readers may join while it renders.
    const counted = [...senders]
    this.#count(counted, 1)
    this.#turn++
    for (const sender of counted) this.#turns.set(sender, this.#turn)
    let isOver = false
    return () => {
      if (isOver) return
      isOver = true
      this.#count(counted, -1)
      this.#next()
    }
  }

  #count(senders: readonly string[], change: 1 | -1): void {
    this.#underWay += change
    for (const sender of senders) {
      const own = (this.#networks.get(sender) ?? 0) + change
      if (own === 0) this.#networks.delete(sender)
      else this.#networks.set(sender, own)
    }
  }

  /** Whose network had its turn longest ago; of equals, who came first. */
  #next(): void {
    if (this.#waiting.size === 0) {
      this.#turns.clear()
      return
    }
    const ready = [...this.#waiting].filter(({ senders }) => this.#hasRoom(senders))
    const next = leastOf(ready, ({ senders }) => least(senders, this.#turns))
    if (next === null) return
    this.#waiting.delete(next)
    next.go()
  }

  /** The last of the network that waits for most. */
  #refuseOne(): void {
    const counts = new Map<string, number>()
    for (const { senders } of this.#waiting)
      for (const sender of senders) counts.set(sender, (counts.get(sender) ?? 0) + 1)
    const latest = [...this.#waiting].reverse()
    const refused = leastOf(latest, ({ senders }) => -least(senders, counts))
    if (refused === null) return
    this.#waiting.delete(refused)
    refused.refuse()
  }
}

function least(senders: ReadonlySet<string>, numbers: ReadonlyMap<string, number>): number {
  let found = Number.POSITIVE_INFINITY
  for (const sender of senders) found = Math.min(found, numbers.get(sender) ?? 0)
  return found
}

/** The first of those with the least number. */
function leastOf<T>(all: Iterable<T>, numberOf: (one: T) => number): T | null {
  let found: { one: T; number: number } | null = null
  for (const one of all) {
    const number = numberOf(one)
    if (found === null || number < found.number) found = { one, number }
  }
  return found?.one ?? null
}
