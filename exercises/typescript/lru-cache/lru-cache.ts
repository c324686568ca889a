export type EvictionReason = 'capacity' | 'expired'

export interface LruCacheOptions<K, V> {
  capacity: number
  now: () => number
  defaultTtlMs?: number
  onEvict?: (key: K, value: V, reason: EvictionReason) => void
}

export class LruCache<K, V> {
  constructor(options: LruCacheOptions<K, V>) {
    throw new Error('Remove this line and implement the function')
  }

  get size(): number {
    throw new Error('Remove this line and implement the function')
  }

  get(key: K): V | undefined {
    throw new Error('Remove this line and implement the function')
  }

  peek(key: K): V | undefined {
    throw new Error('Remove this line and implement the function')
  }

  has(key: K): boolean {
    throw new Error('Remove this line and implement the function')
  }

  set(key: K, value: V, options?: { ttlMs?: number }): this {
    throw new Error('Remove this line and implement the function')
  }

  delete(key: K): boolean {
    throw new Error('Remove this line and implement the function')
  }

  keys(): K[] {
    throw new Error('Remove this line and implement the function')
  }
}
