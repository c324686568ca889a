type Limits = { total: number; perNetwork: number }

/** Limits what is open at once, in total and per network, so that no network takes all slots. */
export class ConcurrencyLimiter {
  readonly #limits: Limits
  readonly #networks = new Map<string, number>()
  #open = 0

  constructor(limits: Limits) {
    this.#limits = limits
  }

  /** Returns a function to call at the end, or which limit is reached. `network` null = no limit per network. */
  enter(network: string | null): (() => void) | 'full' | 'network-full' {
    if (this.#open >= this.#limits.total) return 'full'
    const own = network === null ? 0 : (this.#networks.get(network) ?? 0)
    if (own >= this.#limits.perNetwork) return 'network-full'
    this.#add(network, 1)
    let isOpen = true
    return () => {
      if (isOpen) this.#add(network, -1)
      isOpen = false
    }
  }

  #add(network: string | null, change: 1 | -1): void {
    this.#open += change
    if (network === null) return
    const own = (this.#networks.get(network) ?? 0) + change
    if (own === 0) this.#networks.delete(network)
    else this.#networks.set(network, own)
  }
}
