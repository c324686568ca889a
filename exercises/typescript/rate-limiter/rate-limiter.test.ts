import { describe, expect, it } from '@jest/globals'
import { RateLimiter } from './rate-limiter.ts'

function setUp(capacity: number, refillTokens: number, refillIntervalMs: number, start = 0) {
  const clock = { time: start }
  const limiter = new RateLimiter({
    capacity,
    refillTokens,
    refillIntervalMs,
    now: () => clock.time,
  })
  return { limiter, clock }
}

describe('taking tokens', () => {
  it('starts with a full bucket', () => {
    const { limiter } = setUp(3, 1, 1_000)
    expect(limiter.take('a')).toEqual({ allowed: true, remaining: 2 })
  })

  it('allows a burst as large as the bucket and refuses the next action', () => {
    const { limiter } = setUp(3, 1, 1_000)
    const decisions = [1, 2, 3, 4].map(() => limiter.take('a'))
    expect(decisions).toEqual([
      { allowed: true, remaining: 2 },
      { allowed: true, remaining: 1 },
      { allowed: true, remaining: 0 },
      { allowed: false, remaining: 0, retryAfterMs: 1_000 },
    ])
    expect(Object.keys(decisions[0]).sort()).toEqual(['allowed', 'remaining'])
  })

  it('gives every key its own bucket', () => {
    const { limiter } = setUp(1, 1, 1_000)
    for (const key of ['a', 'b', '', '__proto__', 'constructor']) {
      expect(limiter.take(key).allowed).toBe(true)
      expect(limiter.take(key).allowed).toBe(false)
    }
  })

  it('takes all tokens of a cost or none', () => {
    const { limiter } = setUp(5, 1, 100)
    expect(limiter.take('a', 3)).toEqual({ allowed: true, remaining: 2 })
    expect(limiter.take('a', 3)).toEqual({ allowed: false, remaining: 2, retryAfterMs: 100 })
    expect(limiter.take('a', 2)).toEqual({ allowed: true, remaining: 0 })
  })

  it('a refused action creates no debt and does not delay the refill', () => {
    const { limiter, clock } = setUp(2, 1, 100)
    limiter.take('a', 2)
    for (const time of [0, 25, 50, 75, 99]) {
      clock.time = time
      const retryAfterMs = 100 - time
      expect(limiter.take('a')).toEqual({ allowed: false, remaining: 0, retryAfterMs })
    }
    clock.time = 100
    expect(limiter.take('a')).toEqual({ allowed: true, remaining: 0 })
  })
})

describe('refilling', () => {
  it('brings tokens back evenly within the interval', () => {
    const { limiter, clock } = setUp(10, 10, 1_000)
    limiter.take('a', 10)
    clock.time = 299
    expect(limiter.take('a', 3)).toEqual({ allowed: false, remaining: 2, retryAfterMs: 1 })
    clock.time = 300
    expect(limiter.take('a', 3)).toEqual({ allowed: true, remaining: 0 })
  })

  it('keeps the fraction that is left over after a take', () => {
    const { limiter, clock } = setUp(5, 1, 100)
    limiter.take('a', 5)
    clock.time = 150
    expect(limiter.take('a')).toEqual({ allowed: true, remaining: 0 })
    expect(limiter.take('a')).toEqual({ allowed: false, remaining: 0, retryAfterMs: 50 })
    clock.time = 200
    expect(limiter.take('a')).toEqual({ allowed: true, remaining: 0 })
  })

  it('never holds more than the capacity', () => {
    const { limiter, clock } = setUp(3, 1, 10)
    limiter.take('a')
    clock.time = 1_000_000
    expect(limiter.take('a', 2)).toEqual({ allowed: true, remaining: 1 })
    expect(limiter.take('a', 2)).toEqual({ allowed: false, remaining: 1, retryAfterMs: 10 })
  })

  it('works with several tokens in every millisecond', () => {
    const { limiter, clock } = setUp(100, 7, 2)
    limiter.take('a', 100)
    expect(limiter.take('a', 8)).toEqual({ allowed: false, remaining: 0, retryAfterMs: 3 })
    clock.time = 3
    expect(limiter.take('a', 8)).toEqual({ allowed: true, remaining: 2 })
  })
})

describe('retryAfterMs', () => {
  it('is rounded up to a whole millisecond', () => {
    const { limiter, clock } = setUp(3, 3, 1_000)
    limiter.take('a', 3)
    expect(limiter.take('a')).toEqual({ allowed: false, remaining: 0, retryAfterMs: 334 })
    clock.time = 333
    expect(limiter.take('a')).toEqual({ allowed: false, remaining: 0, retryAfterMs: 1 })
    clock.time = 334
    expect(limiter.take('a')).toEqual({ allowed: true, remaining: 0 })
  })

  it('counts only the tokens that are missing', () => {
    const { limiter, clock } = setUp(5, 1, 100)
    limiter.take('a', 5)
    clock.time = 230
    expect(limiter.take('a', 4)).toEqual({ allowed: false, remaining: 2, retryAfterMs: 170 })
  })

  it('is infinite for a cost that can never be paid', () => {
    const { limiter, clock } = setUp(3, 1, 10)
    const refusal = { allowed: false, remaining: 3, retryAfterMs: Infinity }
    expect(limiter.take('a', 4)).toEqual(refusal)
    expect(limiter.take('a', 3).allowed).toBe(true)
    clock.time = 1_000
    expect(limiter.take('a', 4)).toEqual(refusal)
  })

  it('stays exact when the limiter is asked in every millisecond', () => {
    const { limiter, clock } = setUp(1, 1, 10)
    limiter.take('a')
    for (let time = 1; time < 10; time++) {
      clock.time = time
      const retryAfterMs = 10 - time
      expect(limiter.take('a')).toEqual({ allowed: false, remaining: 0, retryAfterMs })
    }
    clock.time = 10
    expect(limiter.take('a')).toEqual({ allowed: true, remaining: 0 })
  })

  it('is always enough, and one millisecond less never is', () => {
    for (const [tokens, interval] of [
      [1, 10],
      [3, 1_000],
      [7, 60],
      [49, 1_000],
      [5, 3],
    ]) {
      const { limiter, clock } = setUp(20, tokens, interval)
      limiter.take('a', 20)
      for (let round = 0; round < 40; round++) {
        const cost = (round % 6) + 10
        const decision = limiter.take('a', cost)
        if (decision.allowed) continue
        clock.time += decision.retryAfterMs - 1
        expect(limiter.take('a', cost).allowed).toBe(false)
        clock.time += 1
        expect(limiter.take('a', cost).allowed).toBe(true)
      }
    }
  })
})

describe('the clock', () => {
  it('may start anywhere', () => {
    for (const start of [-5_000, 0, 1_700_000_000_000]) {
      const { limiter, clock } = setUp(1, 1, 100, start)
      expect(limiter.take('a').allowed).toBe(true)
      expect(limiter.take('a')).toEqual({ allowed: false, remaining: 0, retryAfterMs: 100 })
      clock.time += 100
      expect(limiter.take('a').allowed).toBe(true)
    }
  })

  it('takes no tokens away when it jumps backwards', () => {
    const { limiter, clock } = setUp(5, 1, 100, 1_000)
    limiter.take('a', 2)
    clock.time = 0
    expect(limiter.take('a', 3)).toEqual({ allowed: true, remaining: 0 })
    expect(limiter.take('a')).toEqual({ allowed: false, remaining: 0, retryAfterMs: 100 })
  })

  it('does not credit the same time twice after a jump', () => {
    const { limiter, clock } = setUp(5, 1, 100, 1_000)
    limiter.take('a', 5)
    clock.time = 500
    expect(limiter.take('a').allowed).toBe(false)
    clock.time = 1_000
    expect(limiter.take('a')).toEqual({ allowed: false, remaining: 0, retryAfterMs: 100 })
    clock.time = 1_100
    expect(limiter.take('a')).toEqual({ allowed: true, remaining: 0 })
  })

  it('remembers the time of a refused action', () => {
    const { limiter, clock } = setUp(1, 1, 100)
    limiter.take('a')
    clock.time = 60
    limiter.take('a')
    clock.time = 20
    expect(limiter.take('a')).toEqual({ allowed: false, remaining: 0, retryAfterMs: 40 })
  })

  it('remembers the time at which it was pruned', () => {
    const { limiter, clock } = setUp(1, 1, 100)
    limiter.take('a')
    clock.time = 60
    expect(limiter.prune()).toBe(0)
    clock.time = 20
    expect(limiter.take('a')).toEqual({ allowed: false, remaining: 0, retryAfterMs: 40 })
    clock.time = 100
    expect(limiter.prune()).toBe(1)
    clock.time = 0
    expect(limiter.take('a').allowed).toBe(true)
    clock.time = 150
    expect(limiter.take('a')).toEqual({ allowed: false, remaining: 0, retryAfterMs: 50 })
  })

  it('prunes by the greatest time that it read', () => {
    const { limiter, clock } = setUp(1, 1, 100)
    limiter.take('a')
    clock.time = 100
    expect(limiter.take('b').allowed).toBe(true)
    clock.time = 0
    expect(limiter.prune()).toBe(1)
    expect(limiter.size).toBe(1)
  })
})

describe('memory', () => {
  it('holds a key from its first allowed action on', () => {
    const { limiter } = setUp(2, 1, 100)
    expect(limiter.size).toBe(0)
    limiter.take('a', 3)
    expect(limiter.size).toBe(0)
    limiter.take('a')
    limiter.take('b')
    limiter.take('b')
    expect(limiter.size).toBe(2)
  })

  it('prune drops only the keys whose bucket is full again', () => {
    const { limiter, clock } = setUp(2, 1, 100)
    limiter.take('a')
    limiter.take('b', 2)
    clock.time = 99
    expect(limiter.prune()).toBe(0)
    clock.time = 100
    expect(limiter.prune()).toBe(1)
    expect(limiter.size).toBe(1)
    expect(limiter.take('b')).toEqual({ allowed: true, remaining: 0 })
    expect(limiter.take('a')).toEqual({ allowed: true, remaining: 1 })
  })
})

describe('invalid arguments', () => {
  it('rejects settings that are not positive integers', () => {
    for (const value of [0, -1, 1.5, NaN, Infinity]) {
      expect(() => setUp(value, 1, 100)).toThrow(RangeError)
      expect(() => setUp(1, value, 100)).toThrow(RangeError)
      expect(() => setUp(1, 1, value)).toThrow(RangeError)
    }
  })

  it('rejects a cost that is not a positive integer and takes nothing', () => {
    const { limiter } = setUp(2, 1, 100)
    for (const cost of [0, -1, 0.5, NaN]) {
      expect(() => limiter.take('a', cost)).toThrow(RangeError)
    }
    expect(limiter.take('a')).toEqual({ allowed: true, remaining: 1 })
  })
})
