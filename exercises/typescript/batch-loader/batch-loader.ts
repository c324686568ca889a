export type BatchFunction<K, V> = (keys: readonly K[]) => Promise<readonly (V | Error)[]>

export interface BatchLoaderOptions<K> {
  /** The most keys that one call of the batch function may get. Default: no limit. */
  maxBatchSize?: number
  /** Keys with the same cache key are the same record. Default: the key itself. */
  cacheKey?: (key: K) => unknown
  /** Arranges that `flush` is called later. Default: in a microtask. */
  schedule?: (flush: () => void) => void
}

export class BatchLoader<K, V> {
  constructor(batch: BatchFunction<K, V>, options?: BatchLoaderOptions<K>) {
    throw new Error('Remove this line and implement the function')
  }

  load(key: K): Promise<V> {
    throw new Error('Remove this line and implement the function')
  }

  loadMany(keys: readonly K[]): Promise<(V | Error)[]> {
    throw new Error('Remove this line and implement the function')
  }

  clear(key: K): this {
    throw new Error('Remove this line and implement the function')
  }

  clearAll(): this {
    throw new Error('Remove this line and implement the function')
  }

  prime(key: K, value: V | Error): this {
    throw new Error('Remove this line and implement the function')
  }
}
