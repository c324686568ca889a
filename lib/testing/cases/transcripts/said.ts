import type { ScanKnowledge } from '#lib/domain/transcript/scan.ts'
import type { TranscriptStep } from '#lib/domain/transcript/transcript.ts'

export const TESTS = `import { describe, expect, it } from '@jest/globals'
import { RateLimiter } from '#lib/domain/transcript/rate-limiter.ts'

describe('taking tokens', () => {
  it('starts with a full bucket', () => {
    const limiter = new RateLimiter({ capacity: 3, refillTokens: 1, refillIntervalMs: 1_000 })
    expect(limiter.take('customer-771')).toEqual({ allowed: true, remaining: 2 })
    expect(limiter.take('customer-902')).toEqual({ allowed: true, remaining: 48213 })
  })
  it('waits for the next day', () => {
    const limiter = new RateLimiter({ capacity: 1, refillTokens: 1, refillIntervalMs: 86400000 })
    for (const key of ['__proto__', 'constructor', 'length', 'return', 'default'])
      expect(limiter.take(key)).toEqual({ allowed: true, remaining: 3600000 })
    expect(limiter.score()).toBeCloseTo(0.73215)
    expect(() => limiter.take(2 ** 31)).toThrow('TypeError')
  })
})`

export const REFERENCE = `export class RateLimiter {
  private readonly buckets = new Map<string, Bucket>()
  constructor(private readonly options: RateLimiterOptions) {}
  take(key: string, cost = 1): Decision {
    const bucket = this.buckets.get(key) ?? this.openBucket(key)
    const elapsed = this.options.now() - bucket.refilledAt
    const intervals = Math.floor(elapsed / this.options.refillIntervalMs)
    bucket.tokens = Math.min(this.options.capacity, bucket.tokens + intervals)
    if (bucket.tokens < cost) return this.refuse(bucket, cost)
    bucket.tokens = bucket.tokens - cost
    return { allowed: true, remaining: bucket.tokens }
  }
}`

export const HELPER = `export function openBucket(capacity: number, now: number): Bucket {
  return { tokens: capacity, refilledAt: now }
}
export function nextRefillOf(bucket: Bucket, interval: number): number {
  return bucket.refilledAt + interval - (bucket.refilledAt % interval)
}
export function secondsUntil(bucket: Bucket, now: number): number {
  return Math.ceil((bucket.refilledAt - now) / 1000)
}`

/** The task that the transcripts below are compared with. */
export const RATE_LIMITER: ScanKnowledge = {
  task: { id: 'rate-limiter', title: 'Rate limiter' },
  tests: [{ path: 'rate-limiter.test.ts', text: TESTS }],
  reference: [
    { path: 'rate-limiter.ts', text: REFERENCE },
    { path: 'buckets.ts', text: HELPER },
  ],
  solution: [{ path: 'rate-limiter.ts', text: 'export class RateLimiter {}' }],
  given: ['Write a rate limiter.', 'export class RateLimiter { take() { throw 1 } }'],
}

export type Said = Partial<TranscriptStep>

export function steps(...said: readonly Said[]): TranscriptStep[] {
  const unknown = { input: null, output: null, cached: null }
  return said.map((changes, place) => ({
    kind: 'step',
    index: place + 1,
    atMs: 0,
    call: place + 1,
    thread: 1,
    mark: null,
    role: 'assistant',
    text: null,
    reasoning: null,
    toolCalls: [],
    toolResult: null,
    model: null,
    trouble: null,
    tokens: null,
    costMicroUsd: null,
    changes: null,
    cutChars: 0,
    soFar: { ...unknown, costMicroUsd: null },
    ...changes,
  }))
}

export const call = (name: string, given: object | string, id: string | null = null): Said => ({
  toolCalls: [{ id, name, arguments: typeof given === 'string' ? given : JSON.stringify(given) }],
})
export const bash = (command: string, id: string | null = null) => call('Bash', { command }, id)
export const result = (text: string, callId: string | null = null): Said => ({
  role: 'tool',
  toolResult: { callId, text },
})
export const say = (text: string): Said => ({ text })
export const left = (text: string): Partial<ScanKnowledge> => ({
  solution: [{ path: 'rate-limiter.ts', text }],
})
export const lines = (text: string, from: number, to: number) =>
  text.split('\n').slice(from, to).join('\n')
export const repeat = (times: number, ...said: Said[]) =>
  Array.from({ length: times }, () => said).flat()
