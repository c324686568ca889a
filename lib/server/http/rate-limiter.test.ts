import { expect, it } from 'vitest'
import { RateLimit } from './rate-limiter.ts'

const RULE = { perMinute: 2, burst: 2 }

it('counts each sender for itself, and says what is left and when there is more', () => {
  const limit = new RateLimit('writes')
  const take = (key: string, now: number) => limit.take(key, RULE, now)
  expect(take('a', 0)).toEqual({
    allowed: true,
    retryAfterMs: 0,
    headers: { 'RateLimit-Policy': '"writes";q=2;w=60', RateLimit: '"writes";r=1;t=30' },
  })
  expect(take('a', 0).allowed).toBe(true)
  expect(take('a', 1000)).toMatchObject({
    allowed: false,
    retryAfterMs: 29_000,
    headers: { RateLimit: '"writes";r=0;t=59' },
  })
  expect(take('b', 1000).allowed).toBe(true)
  expect(take('a', 30_000).allowed).toBe(true)
})

it('remembers who is over the limit, as long as they keep coming, however many others do', () => {
  const limit = new RateLimit('writes')
  for (let at = 0; at < 3; at++) limit.take('wild', RULE, 0)
  for (let at = 0; at < 50_000; at++) {
    limit.take(`calm ${at}`, RULE, 0)
    if (at % 5000 === 0) expect(limit.take('wild', RULE, 0).allowed).toBe(false)
  }
})
