import type { Random, Scenario } from '../../../held-out.ts'
import { LruCache, type LruCacheOptions } from '../lru-cache.ts'

type Cache = LruCache<unknown, unknown>

const BAD_CAPACITIES = [0, -1, -3, 0.5, 1.5, Number.NaN, Number.POSITIVE_INFINITY]
const BAD_LIFETIMES = [0, -1, -0.5, Number.NaN, Number.NEGATIVE_INFINITY]
const isRangeError = (error: unknown) => error instanceof RangeError

/** Random uses of caches whose entries expire while the clock runs, and what they report. */
export const scenario: Scenario = (context) => {
  for (let round = 0; round < 12; round++) useCache(context)
  for (let round = 0; round < 6; round++) useWithoutExpiry(context)
  rejectOptions(context)
}

const useCache: Scenario = ({ random, record, attempt }) => {
  let time = random.int(-1000, 1_000_000)
  let added: { key: unknown } | undefined
  const log: unknown[] = []
  const cache: Cache = new LruCache<unknown, unknown>({
    ...(random.chance(0.6) && { defaultTtlMs: lifetime(random) }),
    capacity: random.int(1, 6),
    now: () => time,
    onEvict: (key, value, reason) => {
      const seen = added ? [cache.has(added.key), cache.peek(added.key)] : []
      log.push([key, value, reason, cache.has(key), cache.peek(key), ...seen])
    },
  })
  const keys = someKeys(random)
  const looksAtAll = random.pick([0, 0.1, 0.3])
  for (let step = 0; step < 45; step++) {
    if (random.chance(0.5)) time += random.int(0, 4)
    const key = random.pick(keys)
    if (random.chance(0.45)) {
      added = { key }
      const value = random.chance(0.15) ? undefined : random.int(0, 99)
      const options = setOptions(random)
      attempt('set', () => cache.set(key, value, ...options) === cache, isRangeError)
      added = undefined
    } else if (random.chance(looksAtAll)) {
      record('all', random.chance(0.5) ? cache.keys() : cache.size)
    } else {
      const name = random.pick(['get', 'get', 'peek', 'has', 'delete'] as const)
      record(name, cache[name](key))
    }
    record('evicted', log.splice(0))
  }
  record('keys', cache.keys())
  record('size', [cache.size, log])
}

/** Nothing expires here, so the callback may look at the whole cache. */
const useWithoutExpiry: Scenario = ({ random, record }) => {
  const log: unknown[] = []
  const options: LruCacheOptions<unknown, unknown> = { capacity: random.int(1, 8), now: () => 0 }
  const cache: Cache = new LruCache<unknown, unknown>(
    random.chance(0.7)
      ? { ...options, onEvict: (...eviction) => log.push(eviction, cache.keys(), cache.size) }
      : options,
  )
  for (let step = 0; step < 30; step++) {
    const key = random.pick([random.int(0, 12), random.int(0, 6), `${random.int(0, 3)}`])
    if (random.chance(0.5)) cache.set(key, step).set(random.int(0, 12), -step)
    else {
      const name = random.pick(['get', 'peek', 'has', 'delete'] as const)
      record(name, cache[name](key))
    }
    record('evicted', log.splice(0))
  }
  const listed = cache.keys()
  listed.reverse()
  record('keys', [listed, cache.keys(), cache.size])
}

const rejectOptions: Scenario = ({ random, attempt }) => {
  const create = (options: Partial<LruCacheOptions<unknown, unknown>>) => () =>
    new LruCache<unknown, unknown>({ capacity: 1, now: () => 0, ...options }).size
  for (const capacity of random.shuffle([...BAD_CAPACITIES, 1, 2])) {
    attempt('capacity', create({ capacity }), isRangeError)
  }
  for (const defaultTtlMs of random.shuffle([...BAD_LIFETIMES, 0.5, Number.POSITIVE_INFINITY])) {
    attempt('default lifetime', create({ defaultTtlMs }), isRangeError)
  }
}

function lifetime(random: Random): number {
  return random.chance(0.15) ? random.pick([Number.POSITIVE_INFINITY, 0.5, 40]) : random.int(1, 12)
}

function setOptions(random: Random): [{ ttlMs?: number }?] {
  if (random.chance(0.5)) return random.pick([[], [{}]])
  return [{ ttlMs: random.chance(0.15) ? random.pick(BAD_LIFETIMES) : lifetime(random) }]
}

/** Few keys, so that they meet again; among them some that only a Map tells apart. */
function someKeys(random: Random): unknown[] {
  const special = [0, -0, Number.NaN, '0', '', '__proto__', 'toString', undefined, null, {}, {}]
  return [...random.shuffle(special).slice(0, random.int(0, 4)), ...random.shuffle([1, 2, 3, 4, 5])]
}
