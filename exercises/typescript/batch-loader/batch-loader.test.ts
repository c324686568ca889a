import { describe, it, expect } from '@jest/globals'
import { BatchLoader, type BatchFunction, type BatchLoaderOptions } from './batch-loader.ts'

interface Call<K> {
  keys: readonly K[]
  answer(values: readonly unknown[]): void
  fail(reason: unknown): void
}

/** A loader whose flushes and answers happen by hand. */
function manual<K, V = string>(options: BatchLoaderOptions<K> = {}) {
  const calls: Call<K>[] = []
  const flushes: (() => void)[] = []
  const batch: BatchFunction<K, V> = (keys) =>
    new Promise((resolve, reject) => {
      const answer = (values: readonly unknown[]) => resolve(values as readonly V[])
      calls.push({ keys: [...keys], answer, fail: reject })
    })
  const schedule = (task: () => void) => void flushes.push(task)
  const loader = new BatchLoader<K, V>(batch, { ...options, schedule })
  const flush = () => flushes.splice(0).forEach((task) => task())
  return { loader, calls, flushes, flush, keys: () => calls.map((call) => call.keys) }
}

/** Waits for a promise, but not for ever: one that stays pending is an error. */
async function soon<T>(promise: Promise<T>): Promise<T> {
  let settled = false
  const mark = () => void (settled = true)
  promise.then(mark, mark)
  for (let turn = 0; turn < 100 && !settled; turn++) await Promise.resolve()
  if (!settled) throw new Error('The promise is still pending')
  return promise
}

const settle = (promise: Promise<unknown>): Promise<unknown> =>
  soon(promise).then(
    (value) => ['value', value],
    (reason: unknown) => ['error', reason],
  )

describe('collecting', () => {
  it('turns the loads of one tick into one call by default', async () => {
    const calls: (readonly number[])[] = []
    const loader = new BatchLoader<number, number>(async (keys) => {
      calls.push(keys)
      return keys.map((key) => key * 10)
    })
    const loads = [loader.load(3), loader.load(1), loader.load(2)]
    expect(calls).toEqual([])
    expect(await soon(Promise.all(loads))).toEqual([30, 10, 20])
    expect(calls).toEqual([[3, 1, 2]])
  })

  it('calls schedule once per queue and the batch function only in the flush', () => {
    const { loader, flushes, flush, keys } = manual<string>()
    loader.load('a')
    loader.load('b')
    expect(flushes.length).toBe(1)
    expect(keys()).toEqual([])
    flush()
    expect(keys()).toEqual([['a', 'b']])
  })

  it('starts a new queue while a batch is being answered', async () => {
    const { loader, calls, flushes, flush, keys } = manual<string>()
    const first = loader.load('a')
    flush()
    const second = loader.load('b')
    expect(flushes.length).toBe(1)
    flush()
    expect(keys()).toEqual([['a'], ['b']])
    calls[1].answer(['B'])
    expect(await soon(second)).toBe('B')
    await expect(soon(first)).rejects.toThrow('still pending')
    calls[0].answer(['A'])
    expect(await soon(first)).toBe('A')
  })

  it('puts loads from within the batch function into the next batch', async () => {
    const calls: (readonly number[])[] = []
    const inner: Promise<number>[] = []
    const loader: BatchLoader<number, number> = new BatchLoader(async (keys) => {
      calls.push([...keys])
      if (keys[0] < 3) inner.push(loader.load(keys[0] + 1))
      return keys.map((key) => key * 10)
    })
    expect(await soon(loader.load(1))).toBe(10)
    expect(await soon(inner[0])).toBe(20)
    expect(await soon(inner[1])).toBe(30)
    expect(calls).toEqual([[1], [2], [3]])
  })
})

describe('batch size', () => {
  it('cuts the queue from the front and starts all batches at once', async () => {
    const { loader, calls, flushes, flush, keys } = manual<number>({ maxBatchSize: 2 })
    const loads = [1, 2, 3, 4, 5].map((key) => loader.load(key))
    expect(flushes.length).toBe(1)
    expect(keys()).toEqual([])
    flush()
    expect(keys()).toEqual([[1, 2], [3, 4], [5]])
    calls[2].answer(['e'])
    calls[0].answer(['a', 'b'])
    calls[1].answer(['c', 'd'])
    expect(await soon(Promise.all(loads))).toEqual(['a', 'b', 'c', 'd', 'e'])
  })

  it('makes no empty batch when the queue fits exactly', () => {
    const { loader, flush, keys } = manual<number>({ maxBatchSize: 2 })
    for (const key of [1, 2, 1, 3, 4]) loader.load(key)
    flush()
    expect(keys()).toEqual([
      [1, 2],
      [3, 4],
    ])
  })

  it('must be an integer of at least 1', () => {
    for (const maxBatchSize of [0, -1, 1.5, NaN]) {
      expect(() => new BatchLoader(async () => [], { maxBatchSize })).toThrow(RangeError)
    }
    expect(() => new BatchLoader(async () => [], { maxBatchSize: 1 })).not.toThrow()
  })
})

describe('answers', () => {
  it('reject only the key that has an error', async () => {
    const { loader, calls, flush } = manual<string>()
    const loads = ['a', 'b', 'c'].map((key) => settle(loader.load(key)))
    flush()
    const gone = new RangeError('gone')
    calls[0].answer(['A', gone, 'C'])
    const outcomes = await soon(Promise.all(loads))
    expect(outcomes).toEqual([
      ['value', 'A'],
      ['error', gone],
      ['value', 'C'],
    ])
    expect((outcomes[1] as unknown[])[1]).toBe(gone)
  })

  it('may be any value, also undefined and null', async () => {
    const { loader, calls, flush, keys } = manual<string, unknown>()
    const loads = ['a', 'b', 'c'].map((key) => loader.load(key))
    flush()
    calls[0].answer([undefined, null, 0])
    expect(await soon(Promise.all(loads))).toEqual([undefined, null, 0])
    expect(await soon(loader.load('a'))).toBeUndefined()
    expect(keys()).toEqual([['a', 'b', 'c']])
  })

  it('of the wrong length reject every key of the batch', async () => {
    const { loader, calls, flush } = manual<string>({ maxBatchSize: 2 })
    const loads = ['a', 'b', 'c', 'd', 'e'].map((key) => settle(loader.load(key)))
    flush()
    calls[0].answer(['A'])
    calls[1].answer(['C', 'D', 'E'])
    calls[2].answer(['E'])
    const wrong = ['error', expect.any(TypeError)]
    expect(await soon(Promise.all(loads))).toEqual([wrong, wrong, wrong, wrong, ['value', 'E']])
  })

  it('that are no array reject every key of the batch', async () => {
    const { loader, calls, flush } = manual<string>()
    const load = settle(loader.load('a'))
    flush()
    calls[0].answer(undefined as never)
    expect(await load).toEqual(['error', expect.any(TypeError)])
  })

  it('of one batch do not concern another', async () => {
    const { loader, calls, flush } = manual<string>({ maxBatchSize: 1 })
    const loads = ['a', 'b'].map((key) => settle(loader.load(key)))
    flush()
    calls[0].fail('offline')
    calls[1].answer(['B'])
    expect(await soon(Promise.all(loads))).toEqual([
      ['error', 'offline'],
      ['value', 'B'],
    ])
  })

  it('are matched with the keys even if the batch function changes its array', async () => {
    const loader = new BatchLoader<string, string>(async (keys) => {
      const answers = keys.map((key) => key.toUpperCase())
      ;(keys as string[]).reverse().pop()
      return answers
    })
    expect(await soon(loader.loadMany(['a', 'b', 'c']))).toEqual(['A', 'B', 'C'])
  })

  it('may be missing because the batch function throws at once', async () => {
    const reason = new Error('no connection')
    let calls = 0
    const throws = (): never => {
      calls++
      throw reason
    }
    const loader = new BatchLoader<string, string>(throws, { maxBatchSize: 1 })
    const loads = [settle(loader.load('a')), settle(loader.load('b'))]
    expect(await soon(Promise.all(loads))).toEqual([
      ['error', reason],
      ['error', reason],
    ])
    expect(calls).toBe(2)
  })
})

describe('loadMany', () => {
  it('keeps the order of its keys and repeats repeated ones', async () => {
    const { loader, calls, flush, keys } = manual<string>()
    loader.load('c')
    const many = loader.loadMany(['b', 'c', 'a', 'b'])
    flush()
    expect(keys()).toEqual([['c', 'b', 'a']])
    calls[0].answer(['C', 'B', 'A'])
    expect(await soon(many)).toEqual(['B', 'C', 'A', 'B'])
    expect(await soon(loader.loadMany([]))).toEqual([])
  })

  it('has the errors as elements', async () => {
    const { loader, calls, flush } = manual<string>({ maxBatchSize: 2 })
    const many = loader.loadMany(['a', 'b', 'c'])
    flush()
    const [single, whole] = [new Error('b is gone'), new Error('offline')]
    calls[0].answer(['A', single])
    calls[1].fail(whole)
    const result = await soon(many)
    expect(result).toEqual(['A', single, whole])
    expect(result[1]).toBe(single)
    expect(result[2]).toBe(whole)
  })
})

describe('remembering', () => {
  it('shares one promise while queued, running and answered', async () => {
    const { loader, calls, flush, keys } = manual<string>()
    const queued = loader.load('a')
    expect(loader.load('a')).toBe(queued)
    flush()
    expect(loader.load('a')).toBe(queued)
    calls[0].answer(['A'])
    await soon(queued)
    expect(loader.load('a')).toBe(queued)
    flush()
    expect(keys()).toEqual([['a']])
  })

  it('compares cache keys like a Map', async () => {
    const plain = manual<number>()
    plain.loader.load(NaN)
    plain.loader.load(NaN)
    plain.flush()
    expect(plain.keys()).toEqual([[NaN]])

    const { loader, calls, flush, keys } = manual<{ id: number }>({ cacheKey: (key) => key.id })
    const loads = [loader.load({ id: 1 }), loader.load({ id: 2 }), loader.load({ id: 1 })]
    flush()
    expect(keys()).toEqual([[{ id: 1 }, { id: 2 }]])
    calls[0].answer(['one', 'two'])
    expect(await soon(Promise.all(loads))).toEqual(['one', 'two', 'one'])
    loader.clear({ id: 2 }).prime({ id: 2 }, 'TWO')
    expect(await soon(loader.load({ id: 2 }))).toBe('TWO')
  })

  it('keeps the error of a single key', async () => {
    const { loader, calls, flush, keys } = manual<string>()
    const error = new Error('gone')
    const first = settle(loader.load('a'))
    flush()
    calls[0].answer([error])
    expect(await soon(first)).toEqual(['error', error])
    expect(await settle(loader.load('a'))).toEqual(['error', error])
    expect(keys()).toEqual([['a']])
  })

  it('forgets the keys of a batch that failed as a whole', async () => {
    const { loader, calls, flush, keys } = manual<string>()
    const first = [settle(loader.load('a')), settle(loader.load('b'))]
    flush()
    calls[0].fail(new Error('offline'))
    await soon(Promise.all(first))
    const second = [loader.load('b'), loader.load('a')]
    flush()
    expect(keys()).toEqual([
      ['a', 'b'],
      ['b', 'a'],
    ])
    calls[1].answer(['B', 'A'])
    expect(await soon(Promise.all(second))).toEqual(['B', 'A'])
  })

  it('forgets the keys of an answer with the wrong length', async () => {
    const { loader, calls, flush, keys } = manual<string>()
    const first = settle(loader.load('a'))
    flush()
    calls[0].answer([])
    await soon(first)
    const second = loader.load('a')
    flush()
    expect(keys().length).toBe(2)
    calls[1].answer(['A'])
    expect(await soon(second)).toBe('A')
  })
})

describe('clear and prime', () => {
  it('clear makes the next load ask again, for this key only', async () => {
    const { loader, calls, flush, keys } = manual<string>()
    const first = loader.loadMany(['a', 'b'])
    flush()
    calls[0].answer(['A', 'B'])
    await soon(first)
    expect(loader.clear('a')).toBe(loader)
    const second = loader.loadMany(['a', 'b'])
    flush()
    expect(keys()[1]).toEqual(['a'])
    calls[1].answer(['A2'])
    expect(await soon(second)).toEqual(['A2', 'B'])
  })

  it('clearAll makes every load ask again', async () => {
    const { loader, calls, flush, keys } = manual<string>()
    const first = loader.loadMany(['a', 'b'])
    flush()
    calls[0].answer(['A', 'B'])
    await soon(first)
    expect(loader.clearAll()).toBe(loader)
    loader.loadMany(['b', 'a'])
    flush()
    expect(keys()[1]).toEqual(['b', 'a'])
  })

  it('clear leaves a running load alone', async () => {
    const { loader, calls, flush } = manual<string>()
    const before = loader.load('a')
    flush()
    loader.clear('a')
    const after = loader.load('a')
    flush()
    calls[1].answer(['new'])
    calls[0].answer(['old'])
    expect(await soon(Promise.all([before, after]))).toEqual(['old', 'new'])
    expect(await soon(loader.load('a'))).toBe('new')
  })

  it('a failure from before clear does not forget what came after it', async () => {
    const { loader, calls, flush, keys } = manual<string>()
    const before = settle(loader.load('a'))
    flush()
    loader.clear('a')
    const after = loader.load('a')
    flush()
    calls[0].fail(new Error('offline'))
    await soon(before)
    expect(loader.load('a')).toBe(after)
    calls[1].answer(['new'])
    expect(await soon(after)).toBe('new')
    expect(keys()).toEqual([['a'], ['a']])
  })

  it('prime answers without a batch', async () => {
    const { loader, flushes } = manual<string>()
    const error = new Error('gone')
    expect(loader.prime('a', 'A').prime('b', error)).toBe(loader)
    expect(await soon(loader.load('a'))).toBe('A')
    expect(await settle(loader.load('b'))).toEqual(['error', error])
    expect(flushes.length).toBe(0)
  })

  it('prime does not replace what is known or asked for', async () => {
    const { loader, calls, flush } = manual<string>()
    loader.prime('a', 'first').prime('a', 'second')
    expect(await soon(loader.load('a'))).toBe('first')
    loader.clear('a').prime('a', 'third')
    expect(await soon(loader.load('a'))).toBe('third')

    const asked = loader.load('b')
    loader.prime('b', 'primed')
    expect(loader.load('b')).toBe(asked)
    flush()
    calls[0].answer(['loaded'])
    expect(await soon(loader.load('b'))).toBe('loaded')
  })
})
