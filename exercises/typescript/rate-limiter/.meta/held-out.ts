import type { Scenario } from '../../../held-out.ts'
import { RateLimiter } from '../rate-limiter.ts'

const KEYS = ['a', 'b', 'c', 'toString', '__proto__', '']

/** Random takes and prunes under a clock that runs, stands and jumps back. */
export const scenario: Scenario = (context) => {
  const { random, record, attempt } = context
  const isRangeError = (error: unknown) => error instanceof RangeError
  for (let round = 0; round < 12; round++) {
    let time = random.int(-1000, 1_000_000)
    const options = {
      capacity: random.int(1, 12),
      refillTokens: random.int(1, 7),
      refillIntervalMs: random.pick([1, 3, 7, 10, 100, 1000]),
      now: () => time,
    }
    const limiter = new RateLimiter(options)
    for (let step = 0; step < 30; step++) {
      if (random.chance(0.7)) time += random.pick([0, 1, 2, random.int(0, 40), random.int(0, 3000)])
      if (random.chance(0.15)) time -= random.int(1, 2000)
      const key = random.pick(KEYS)
      const cost = random.chance(0.4) ? undefined : random.int(1, options.capacity + 2)
      if (random.chance(0.12)) record('prune', limiter.prune())
      else {
        const decision = limiter.take(key, ...((cost === undefined ? [] : [cost]) as [number?]))
        record(`take ${key} ${cost}`, decision)
        if (!decision.allowed && Number.isFinite(decision.retryAfterMs) && random.chance(0.4)) {
          // One millisecond less is never enough, the wait itself always is.
          time += decision.retryAfterMs - 1
          record('too early', limiter.take(key, cost ?? 1))
          time += 1
          record('in time', limiter.take(key, cost ?? 1))
        }
      }
      record('size', limiter.size)
    }
  }
  for (let round = 0; round < 8; round++) askOften(context)
  for (const field of ['capacity', 'refillTokens', 'refillIntervalMs']) {
    const bad = random.pick([0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY])
    const options = { capacity: 1, refillTokens: 1, refillIntervalMs: 1, now: () => 0, [field]: bad }
    attempt(`${field} ${bad}`, () => new RateLimiter(options).size, isRangeError)
  }
  const limiter = new RateLimiter({ capacity: 3, refillTokens: 1, refillIntervalMs: 1, now: () => 0 })
  for (const cost of [0, -1, 0.5, Number.NaN]) {
    attempt(`cost ${cost}`, () => limiter.take('a', cost), isRangeError)
  }
}

/** An empty bucket that is asked again and again while it fills by small fractions of a token. */
const askOften: Scenario = ({ random, record }) => {
  let time = random.int(0, 1_000_000)
  const capacity = random.int(2, 4)
  const limiter = new RateLimiter({
    capacity,
    refillTokens: random.int(1, 3),
    refillIntervalMs: random.int(5, 60),
    now: () => time,
  })
  record('all at once', limiter.take('drip', capacity))
  const cost = random.int(2, capacity)
  for (let step = 0; step < 50; step++) {
    time += random.int(0, 2)
    record('asked again', limiter.take('drip', cost))
  }
}
