export type EvictionReason = 'capacity' | 'expired'

export interface LruCacheOptions<K, V> {
  capacity: number
  now: () => number
  defaultTtlMs?: number
  onEvict?: (key: K, value: V, reason: EvictionReason) => void
}

interface Entry<V> {
  readonly value: V
  /** The first moment at which the entry is not live any more. */
  readonly expiresAt: number
}

type Eviction<K, V> = readonly [key: K, value: V, reason: EvictionReason]

export class LruCache<K, V> {
  /** The least recently used entry comes first. */
  readonly #entries = new Map<K, Entry<V>>()
  /** No entry expires before this moment, so that there is no need to look for one. */
  #firstExpiry = Infinity
  readonly #capacity: number
  readonly #defaultTtlMs: number
  readonly #now: () => number
  readonly #onEvict: (key: K, value: V, reason: EvictionReason) => void

  constructor(options: LruCacheOptions<K, V>) {
    const { capacity, now, defaultTtlMs = Infinity, onEvict = () => {} } = options
    if (!Number.isInteger(capacity) || capacity < 1) {
      throw new RangeError(`capacity must be a positive integer, not ${capacity}`)
    }
    this.#capacity = capacity
    this.#defaultTtlMs = checkedLifetime(defaultTtlMs)
    this.#now = now
    this.#onEvict = onEvict
  }

  get size(): number {
    const gone = this.#removeExpired(this.#now())
    const { size } = this.#entries
    this.#report(gone)
    return size
  }

  get(key: K): V | undefined {
    const entry = this.#notice(key)
    if (entry !== undefined) this.#putLast(key, entry)
    return entry?.value
  }

  peek(key: K): V | undefined {
    return this.#notice(key)?.value
  }

  has(key: K): boolean {
    return this.#notice(key) !== undefined
  }

  set(key: K, value: V, options: { ttlMs?: number } = {}): this {
    const lifetime = checkedLifetime(options.ttlMs ?? this.#defaultTtlMs)
    const now = this.#now()
    const gone = [
      ...this.#removeIfExpired(key, now),
      ...(this.#entries.has(key) ? [] : this.#makeRoom(now)),
    ]
    this.#putLast(key, { value, expiresAt: now + lifetime })
    this.#report(gone)
    return this
  }

  delete(key: K): boolean {
    const live = this.#notice(key) !== undefined
    return live && this.#entries.delete(key)
  }

  keys(): K[] {
    const gone = this.#removeExpired(this.#now())
    const keys = [...this.#entries.keys()].reverse()
    this.#report(gone)
    return keys
  }

  /** The entry, if it is live. An expired one is removed and reported. */
  #notice(key: K): Entry<V> | undefined {
    const gone = this.#removeIfExpired(key, this.#now())
    const entry = this.#entries.get(key)
    this.#report(gone)
    return entry
  }

  #putLast(key: K, entry: Entry<V>): void {
    this.#entries.delete(key)
    this.#entries.set(key, entry)
    this.#firstExpiry = Math.min(this.#firstExpiry, entry.expiresAt)
  }

  #makeRoom(now: number): Eviction<K, V>[] {
    if (this.#entries.size < this.#capacity) return []
    const expired = this.#removeExpired(now)
    if (expired.length > 0) return expired
    for (const [key, entry] of this.#entries) return [this.#remove(key, entry, 'capacity')]
    return []
  }

  #removeExpired(now: number): Eviction<K, V>[] {
    if (now < this.#firstExpiry) return []
    const gone = [...this.#entries.keys()].flatMap((key) => this.#removeIfExpired(key, now))
    this.#firstExpiry = [...this.#entries.values()].reduce(
      (first, { expiresAt }) => Math.min(first, expiresAt),
      Infinity,
    )
    return gone
  }

  #removeIfExpired(key: K, now: number): Eviction<K, V>[] {
    const entry = this.#entries.get(key)
    return entry === undefined || now < entry.expiresAt
      ? []
      : [this.#remove(key, entry, 'expired')]
  }

  #remove(key: K, { value }: Entry<V>, reason: EvictionReason): Eviction<K, V> {
    this.#entries.delete(key)
    return [key, value, reason]
  }

  #report(evictions: readonly Eviction<K, V>[]): void {
    evictions.forEach((eviction) => this.#onEvict(...eviction))
  }
}

function checkedLifetime(lifetime: number): number {
  if (!(lifetime > 0)) throw new RangeError(`A lifetime must be greater than zero, not ${lifetime}`)
  return lifetime
}
