/** One that waits: for readers of these networks; more may join while it does. */
type Waiting = { senders: ReadonlySet<string>; go: () => void; refuse: () => void }

/**
 * How many renders may be under way; the others wait, and one whose readers have left is never started. Networks take
 * turns, so that one that asks for a thousand pages makes no other wait for them.
 */
export class RenderGate {
  readonly #most: number
  readonly #mostWaiting: number
  readonly #waiting = new Set<Waiting>()
  /** When each network had its last turn, while any waits. */
  readonly #turns = new Map<string, number>()
  #turn = 0
  #underWay = 0

  constructor(most: number, mostWaiting: number) {
    this.#most = most
    this.#mostWaiting = mostWaiting
  }

  /** Resolves with a function to call at the end; `full` = too many wait already, `gone` = the reader left. */
  enter(gone: AbortSignal, senders: ReadonlySet<string>): Promise<(() => void) | 'full' | 'gone'> {
    if (gone.aborted) return Promise.resolve('gone')
    if (this.#underWay < this.#most) return Promise.resolve(this.#take(senders))
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
      if (this.#waiting.size > this.#mostWaiting) this.#refuseOne()
    })
  }

  #take(senders: ReadonlySet<string>): () => void {
    this.#underWay++
    this.#turn++
    for (const sender of senders) this.#turns.set(sender, this.#turn)
    let isOver = false
    return () => {
      if (isOver) return
      isOver = true
      this.#underWay--
      this.#next()
    }
  }

  /** Whose network had its turn longest ago; of equals, who came first. */
  #next(): void {
    const next = leastOf(this.#waiting, ({ senders }) => least(senders, this.#turns))
    if (next === null) {
      this.#turns.clear()
      return
    }
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
