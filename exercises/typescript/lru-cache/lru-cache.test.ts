import { describe, expect, it } from '@jest/globals'
import { type EvictionReason, LruCache } from './lru-cache.ts'

type Eviction = [key: string, value: number, reason: EvictionReason]

function setUp(capacity: number, defaultTtlMs?: number) {
  const clock = { time: 1_000 }
  const evictions: Eviction[] = []
  const cache = new LruCache<string, number>({
    capacity,
    now: () => clock.time,
    defaultTtlMs,
    onEvict: (...eviction) => evictions.push(eviction),
  })
  return { cache, clock, evictions }
}

describe('recency', () => {
  it('returns what was stored and undefined for anything else', () => {
    const { cache } = setUp(2)
    cache.set('a', 1)
    expect(cache.get('a')).toBe(1)
    expect(cache.get('b')).toBeUndefined()
    expect(cache.size).toBe(1)
  })

  it('evicts the least recently used entry and reports it', () => {
    const { cache, evictions } = setUp(2)
    cache.set('a', 1).set('b', 2).set('c', 3)
    expect(cache.keys()).toEqual(['c', 'b'])
    expect(evictions).toEqual([['a', 1, 'capacity']])
  })

  it('get makes an entry the most recently used one', () => {
    const { cache, evictions } = setUp(2)
    cache.set('a', 1).set('b', 2)
    cache.get('a')
    cache.set('c', 3)
    expect(cache.keys()).toEqual(['c', 'a'])
    expect(evictions).toEqual([['b', 2, 'capacity']])
  })

  it('peek and has leave the order untouched', () => {
    const { cache, evictions } = setUp(2)
    cache.set('a', 1).set('b', 2)
    expect(cache.peek('a')).toBe(1)
    expect(cache.has('a')).toBe(true)
    expect(cache.keys()).toEqual(['b', 'a'])
    cache.set('c', 3)
    expect(evictions).toEqual([['a', 1, 'capacity']])
  })

  it('giving a live key a new value moves it to the front and evicts nothing', () => {
    const { cache, evictions } = setUp(2)
    cache.set('a', 1).set('b', 2).set('a', 10)
    expect(cache.keys()).toEqual(['a', 'b'])
    expect(cache.get('a')).toBe(10)
    expect(evictions).toEqual([])
  })

  it('stores undefined as a value', () => {
    const cache = new LruCache<string, number | undefined>({ capacity: 2, now: () => 0 })
    cache.set('a', undefined).set('b', 2)
    expect(cache.has('a')).toBe(true)
    expect(cache.get('a')).toBeUndefined()
    cache.set('c', 3)
    expect(cache.keys()).toEqual(['c', 'a'])
  })

  it('works with room for a single entry', () => {
    const { cache, evictions } = setUp(1)
    cache.set('a', 1).set('b', 2).set('b', 3).set('c', 4)
    expect(cache.keys()).toEqual(['c'])
    expect(evictions).toEqual([
      ['a', 1, 'capacity'],
      ['b', 3, 'capacity'],
    ])
  })
})

describe('lifetime', () => {
  it('ends exactly when the lifetime has passed', () => {
    const { cache, clock } = setUp(2)
    cache.set('a', 1, { ttlMs: 50 })
    clock.time += 49
    expect(cache.has('a')).toBe(true)
    expect(cache.peek('a')).toBe(1)
    clock.time += 1
    expect(cache.has('a')).toBe(false)
    expect(cache.peek('a')).toBeUndefined()
    expect(cache.get('a')).toBeUndefined()
  })

  it('uses the default lifetime unless the call gives its own', () => {
    const { cache, clock } = setUp(3, 100)
    cache.set('default', 1).set('short', 2, { ttlMs: 10 }).set('forever', 3, { ttlMs: Infinity })
    clock.time += 10
    expect(cache.keys()).toEqual(['forever', 'default'])
    clock.time += 90
    expect(cache.keys()).toEqual(['forever'])
    clock.time += 1_000_000
    expect(cache.keys()).toEqual(['forever'])
  })

  it('is not prolonged by reading', () => {
    const { cache, clock } = setUp(2, 100)
    cache.set('a', 1)
    clock.time += 99
    expect(cache.get('a')).toBe(1)
    clock.time += 1
    expect(cache.get('a')).toBeUndefined()
  })

  it('starts anew when the entry is set again', () => {
    const { cache, clock } = setUp(2, 100)
    cache.set('a', 1, { ttlMs: 500 })
    clock.time += 60
    cache.set('a', 2)
    clock.time += 99
    expect(cache.get('a')).toBe(2)
    clock.time += 1
    expect(cache.get('a')).toBeUndefined()
  })

  it('reports an expired entry once, when it is first noticed', () => {
    const { cache, clock, evictions } = setUp(2, 100)
    cache.set('a', 1)
    clock.time += 100
    expect(evictions).toEqual([])
    cache.peek('a')
    cache.get('a')
    cache.has('a')
    expect(evictions).toEqual([['a', 1, 'expired']])
  })

  it('leaves the expired entries of other keys alone while there is room', () => {
    const { cache, clock, evictions } = setUp(3, 100)
    cache.set('a', 1)
    clock.time += 100
    cache.set('b', 2)
    cache.get('b')
    expect(evictions).toEqual([])
  })

  it('size removes all expired entries, the least recently used first', () => {
    const { cache, clock, evictions } = setUp(4, 100)
    cache.set('a', 1).set('b', 2).set('c', 3).set('d', 4, { ttlMs: 500 })
    cache.get('a')
    clock.time += 100
    expect(cache.size).toBe(1)
    expect(evictions).toEqual([
      ['b', 2, 'expired'],
      ['c', 3, 'expired'],
      ['a', 1, 'expired'],
    ])
  })

  it('keys removes and reports expired entries too', () => {
    const { cache, clock, evictions } = setUp(2)
    cache.set('a', 1, { ttlMs: 5 }).set('b', 2)
    clock.time += 5
    expect(cache.keys()).toEqual(['b'])
    expect(evictions).toEqual([['a', 1, 'expired']])
  })

  it('gives up expired entries before a live one', () => {
    const { cache, clock, evictions } = setUp(3)
    cache.set('live', 1).set('old', 2, { ttlMs: 10 }).set('older', 3, { ttlMs: 5 })
    clock.time += 10
    cache.set('new', 4)
    expect(evictions).toEqual([
      ['old', 2, 'expired'],
      ['older', 3, 'expired'],
    ])
    expect(cache.keys()).toEqual(['new', 'live'])
  })

  it('treats a key whose entry has expired as new', () => {
    const { cache, clock, evictions } = setUp(2)
    cache.set('a', 1, { ttlMs: 10 }).set('b', 2)
    clock.time += 10
    cache.set('a', 3)
    expect(evictions).toEqual([['a', 1, 'expired']])
    expect(cache.keys()).toEqual(['a', 'b'])
    expect(cache.peek('a')).toBe(3)
  })
})

describe('delete', () => {
  it('removes a live entry without reporting it', () => {
    const { cache, evictions } = setUp(2)
    cache.set('a', 1)
    expect(cache.delete('a')).toBe(true)
    expect(cache.delete('a')).toBe(false)
    expect(cache.has('a')).toBe(false)
    expect(evictions).toEqual([])
  })

  it('reports an expired entry instead of deleting it', () => {
    const { cache, clock, evictions } = setUp(2, 100)
    cache.set('a', 1)
    clock.time += 100
    expect(cache.delete('a')).toBe(false)
    expect(evictions).toEqual([['a', 1, 'expired']])
  })
})

describe('onEvict', () => {
  it('sees the cache in its final state', () => {
    const seen: unknown[] = []
    const cache: LruCache<string, number> = new LruCache<string, number>({
      capacity: 2,
      now: () => 0,
      onEvict: (key) => seen.push([key, cache.has(key), cache.peek('c'), cache.keys()]),
    })
    cache.set('a', 1).set('b', 2).set('c', 3)
    expect(seen).toEqual([['a', false, 3, ['c', 'b']]])
  })

  it('sees the replacement of an expired entry', () => {
    const clock = { time: 0 }
    const seen: unknown[] = []
    const cache: LruCache<string, number> = new LruCache<string, number>({
      capacity: 2,
      now: () => clock.time,
      onEvict: (key, value, reason) => seen.push([key, value, reason, cache.peek(key)]),
    })
    cache.set('a', 1, { ttlMs: 10 })
    clock.time = 10
    cache.set('a', 2)
    expect(seen).toEqual([['a', 1, 'expired', 2]])
  })

  it('is optional', () => {
    const cache = new LruCache<object, number>({ capacity: 1, now: () => 0 })
    const key = {}
    cache.set({}, 1).set(key, 2)
    expect(cache.get(key)).toBe(2)
    expect(cache.get({})).toBeUndefined()
  })
})

describe('invalid arguments', () => {
  it('rejects a capacity that is not a positive integer', () => {
    for (const capacity of [0, -1, 1.5, NaN, Infinity]) {
      expect(() => setUp(capacity)).toThrow(RangeError)
    }
  })

  it('rejects a default lifetime that is not greater than zero', () => {
    for (const ttlMs of [0, -1, NaN]) {
      expect(() => setUp(1, ttlMs)).toThrow(RangeError)
    }
  })

  it('a rejected set changes nothing and reports nothing', () => {
    const { cache, clock, evictions } = setUp(2)
    cache.set('a', 1, { ttlMs: 10 }).set('b', 2)
    clock.time += 10
    for (const ttlMs of [0, -1, NaN]) {
      expect(() => cache.set('c', 3, { ttlMs })).toThrow(RangeError)
      expect(() => cache.set('a', 3, { ttlMs })).toThrow(RangeError)
    }
    expect(evictions).toEqual([])
    expect(cache.keys()).toEqual(['b'])
  })
})
