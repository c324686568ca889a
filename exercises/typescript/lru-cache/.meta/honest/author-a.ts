export type EvictionReason = 'capacity' | 'expired'

export interface LruCacheOptions<K, V> {
  capacity: number
  now: () => number
  defaultTtlMs?: number
  onEvict?: (key: K, value: V, reason: EvictionReason) => void
}

interface Entry<V> {
  readonly value: V
  readonly expiresAt: number
}

type Eviction<K, V> = readonly [key: K, value: V, reason: EvictionReason]

function checkLifetime(ttlMs: number | undefined): void {
  if (ttlMs !== undefined && !(ttlMs > 0)) {
    throw new RangeError(`A lifetime must be greater than zero: ${ttlMs}`)
  }
}

export class LruCache<K, V> {
  readonly #options: Readonly<LruCacheOptions<K, V>>
  /** The least recently used entry comes first. */
  readonly #entries = new Map<K, Entry<V>>()

  constructor(options: LruCacheOptions<K, V>) {
    if (!Number.isInteger(options.capacity) || options.capacity < 1) {
      throw new RangeError(`capacity must be a positive integer: ${options.capacity}`)
    }
    checkLifetime(options.defaultTtlMs)
    this.#options = { ...options }
  }

  get size(): number {
    const evictions = this.#removeExpired(this.#options.now())
    const { size } = this.#entries
    this.#report(evictions)
    return size
  }

  get(key: K): V | undefined {
    const entry = this.#live(key)
    if (entry !== undefined) {
      this.#entries.delete(key)
      this.#entries.set(key, entry)
    }
    return entry?.value
  }

  peek(key: K): V | undefined {
    return this.#live(key)?.value
  }

  has(key: K): boolean {
    return this.#live(key) !== undefined
  }

  set(key: K, value: V, options: { ttlMs?: number } = {}): this {
    checkLifetime(options.ttlMs)
    const { capacity, defaultTtlMs = Infinity } = this.#options
    const now = this.#options.now()
    const evictions: Eviction<K, V>[] = []

    const old = this.#entries.get(key)
    this.#entries.delete(key)
    if (old !== undefined && old.expiresAt <= now) evictions.push([key, old.value, 'expired'])

    if (this.#entries.size >= capacity) evictions.push(...this.#removeExpired(now))
    if (this.#entries.size >= capacity) {
      for (const [oldestKey, oldest] of this.#entries) {
        this.#entries.delete(oldestKey)
        evictions.push([oldestKey, oldest.value, 'capacity'])
        break
      }
    }

    this.#entries.set(key, { value, expiresAt: now + (options.ttlMs ?? defaultTtlMs) })
    this.#report(evictions)
    return this
  }

  delete(key: K): boolean {
    return this.#live(key) !== undefined && this.#entries.delete(key)
  }

  keys(): K[] {
    const evictions = this.#removeExpired(this.#options.now())
    const keys = [...this.#entries.keys()].reverse()
    this.#report(evictions)
    return keys
  }

  /** The entry of a key; if it has expired, it is removed instead. */
  #live(key: K): Entry<V> | undefined {
    const now = this.#options.now()
    const entry = this.#entries.get(key)
    if (entry === undefined || now < entry.expiresAt) return entry
    this.#entries.delete(key)
    this.#report([[key, entry.value, 'expired']])
    return undefined
  }

  #removeExpired(now: number): Eviction<K, V>[] {
    const evictions: Eviction<K, V>[] = []
    for (const [key, { value, expiresAt }] of this.#entries) {
      if (now < expiresAt) continue
      this.#entries.delete(key)
      evictions.push([key, value, 'expired'])
    }
    return evictions
  }

  #report(evictions: readonly Eviction<K, V>[]): void {
    for (const eviction of evictions) this.#options.onEvict?.(...eviction)
  }
}
