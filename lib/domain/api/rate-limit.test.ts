import fc from 'fast-check'
import { expect, it } from 'vitest'
import { applyRateLimit } from './rate-limit.ts'

const LIMIT = { perMinute: 60, burst: 60 }

it('lets a burst through, refuses the next and says when one is free', () => {
  let fullAt: number | null = null
  const remaining: number[] = []
  for (let request = 0; request < 60; request++) {
    const { allowed, remaining: left, fullAt: next } = applyRateLimit(fullAt, LIMIT, 1000)
    expect(allowed).toBe(true)
    remaining.push(left)
    fullAt = next
  }
  expect([remaining[0], remaining.at(-1)]).toEqual([59, 0])
  expect(applyRateLimit(fullAt, LIMIT, 1000)).toMatchObject({
    allowed: false,
    remaining: 0,
    retrySeconds: 1,
    resetSeconds: 60,
  })
  expect(applyRateLimit(fullAt, LIMIT, 2000).allowed).toBe(true)
  expect(applyRateLimit(fullAt, LIMIT, 61_000)).toMatchObject({ allowed: true, remaining: 59 })
})

it('never lets more than burst and refill through, whenever they come', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 5000 }), { maxLength: 200 }), (pauses) => {
      let [now, fullAt, passed]: [number, number | null, number] = [0, null, 0]
      for (const pause of pauses) {
        now += pause
        const result = applyRateLimit(fullAt, { perMinute: 60, burst: 10 }, now)
        fullAt = result.fullAt
        if (result.allowed) passed++
      }
      expect(passed).toBeLessThanOrEqual(10 + Math.ceil(now / 1000))
    }),
  )
})

it('says whole seconds of a clock that tells fractions of a millisecond', () => {
  const times = Array.from({ length: 5000 }, (_, index) => index * 1234.567_891)
  const told = times.map(
    (now) => applyRateLimit(null, { perMinute: 3, burst: 3 }, now).resetSeconds,
  )
  expect([...new Set(told)]).toEqual([20])
})
