import { expect, it } from 'vitest'
import { RateLimiter } from './rate-limiter.ts'

const RULE = { perMinute: 2, burst: 2 }

it('counts each sender for itself, and says what is left and when there is more', () => {
  const limiter = new RateLimiter()
  const take = (key: string, now: number) => limiter.take('writes', key, RULE, now)
  expect(take('a', 0)).toMatchObject({
    allowed: true,
    retrySeconds: 0,
    headers: { 'RateLimit-Policy': '"writes";q=2;w=60', RateLimit: '"writes";r=1;t=30' },
  })
  expect(take('a', 0).allowed).toBe(true)
  expect(take('a', 1000)).toMatchObject({
    allowed: false,
    retrySeconds: 29,
    headers: { RateLimit: '"writes";r=0;t=59' },
  })
  expect(take('b', 1000).allowed).toBe(true)
  expect(take('a', 30_000).allowed).toBe(true)
})

it('remembers who is over the limit, as long as they keep coming, however many others do', () => {
  const limiter = new RateLimiter()
  for (let at = 0; at < 3; at++) limiter.take('writes', 'wild', RULE, 0)
  for (let at = 0; at < 50_000; at++) {
    limiter.take('writes', `calm ${at}`, RULE, 0)
    if (at % 5000 === 0) expect(limiter.take('writes', 'wild', RULE, 0).allowed).toBe(false)
  }
})

it('counts pools apart, and forgets senders whose allowance is free again', () => {
  const limiter = new RateLimiter()
  for (let at = 0; at < 2; at++) limiter.take('writes', 'a', RULE, 0)
  expect(limiter.take('writes', 'a', RULE, 0).allowed).toBe(false)
  expect(limiter.take('reads', 'a', RULE, 0).allowed).toBe(true)
  for (let at = 0; at < 50_000; at++) limiter.take('writes', `calm ${at}`, RULE, 0)
  expect(limiter.size).toBeLessThanOrEqual(20_000 + 2)
  limiter.take('writes', 'late', RULE, 120_000)
  expect(limiter.size).toBe(1)
})

it('a clock that is set back two hours does not block clients', () => {
  const limiter = new RateLimiter()
  const limit = { perMinute: 6000, burst: 1 }
  const realNow = Date.now
  try {
    expect(limiter.take('reads', 'a', limit).allowed).toBe(true)
    Date.now = () => realNow() - 7_200_000
    const until = performance.now() + 20
    while (performance.now() < until) void 0
    expect(limiter.take('reads', 'a', limit).allowed).toBe(true)
  } finally {
    Date.now = realNow
  }
})
