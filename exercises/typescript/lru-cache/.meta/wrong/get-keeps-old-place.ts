// Wrong: get does not refresh the place of an entry, so the oldest entry is evicted instead of the
// least recently used one.
export type EvictionReason = 'capacity' | 'expired'

export interface LruCacheOptions<K, V> {
  capacity: number
  now: () => number
  defaultTtlMs?: number
  onEvict?: (key: K, value: V, reason: EvictionReason) => void
}

interface Entry<V> {
  value: V
  expiresAt: number
}

type Eviction<K, V> = [key: K, value: V, reason: EvictionReason]

export class LruCache<K, V> {
  readonly #capacity: number
  readonly #now: () => number
  readonly #defaultTtlMs: number
  readonly #onEvict: ((key: K, value: V, reason: EvictionReason) => void) | undefined

  /** The insertion order of the map is the order of use: least recently used first. */
  readonly #entries = new Map<K, Entry<V>>()

  constructor({ capacity, now, defaultTtlMs = Infinity, onEvict }: LruCacheOptions<K, V>) {
    if (!Number.isInteger(capacity) || capacity < 1) {
      throw new RangeError('capacity must be a positive integer')
    }
    assertLifetime(defaultTtlMs)
    this.#capacity = capacity
    this.#now = now
    this.#defaultTtlMs = defaultTtlMs
    this.#onEvict = onEvict
  }

  get size(): number {
    this.#report(this.#removeExpired())
    return this.#entries.size
  }

  get(key: K): V | undefined {
    return this.#liveEntry(key)?.value
  }

  peek(key: K): V | undefined {
    return this.#liveEntry(key)?.value
  }

  has(key: K): boolean {
    return this.#liveEntry(key) !== undefined
  }

  set(key: K, value: V, { ttlMs = this.#defaultTtlMs }: { ttlMs?: number } = {}): this {
    assertLifetime(ttlMs)
    const evictions = this.#removeIfExpired(key)
    const isNew = !this.#entries.delete(key)
    if (isNew && this.#isFull()) evictions.push(...this.#removeExpired())
    if (isNew && this.#isFull()) evictions.push(...this.#removeLeastRecentlyUsed())
    this.#entries.set(key, { value, expiresAt: this.#now() + ttlMs })
    this.#report(evictions)
    return this
  }

  delete(key: K): boolean {
    this.#report(this.#removeIfExpired(key))
    return this.#entries.delete(key)
  }

  keys(): K[] {
    this.#report(this.#removeExpired())
    return [...this.#entries.keys()].reverse()
  }

  #isFull(): boolean {
    return this.#entries.size >= this.#capacity
  }

  #liveEntry(key: K): Entry<V> | undefined {
    this.#report(this.#removeIfExpired(key))
    return this.#entries.get(key)
  }

  #removeIfExpired(key: K): Eviction<K, V>[] {
    const entry = this.#entries.get(key)
    if (!entry || entry.expiresAt > this.#now()) return []
    this.#entries.delete(key)
    return [[key, entry.value, 'expired']]
  }

  #removeExpired(): Eviction<K, V>[] {
    return [...this.#entries.keys()].flatMap((key) => this.#removeIfExpired(key))
  }

  #removeLeastRecentlyUsed(): Eviction<K, V>[] {
    for (const [key, { value }] of this.#entries) {
      this.#entries.delete(key)
      return [[key, value, 'capacity']]
    }
    return []
  }

  #report(evictions: Eviction<K, V>[]): void {
    for (const eviction of evictions) this.#onEvict?.(...eviction)
  }
}

function assertLifetime(ttlMs: number): void {
  if (!(ttlMs > 0)) throw new RangeError('a lifetime must be greater than zero')
}
