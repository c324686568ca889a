import { describe, expect, it } from 'vitest'
import { FAULT_KINDS, parseFault } from './faults.ts'

describe('parseFault', () => {
  it.each(FAULT_KINDS)('reads %s at a step', (kind) => {
    expect(parseFault(`${kind}@2`)).toMatchObject({
      ok: true,
      value: { kind, atStep: 2, times: null, forMs: null },
    })
  })

  it('reads how often, how long and the details', () => {
    expect(parseFault('rate-limit@1x3,retry-after=0')).toMatchObject({
      value: { times: 3, retryAfterSeconds: 0 },
    })
    expect(parseFault('overloaded@2for10s')).toMatchObject({ value: { forMs: 10_000 } })
    expect(parseFault('stalled-stream@1,after=5,limit=7')).toMatchObject({
      value: { afterBytes: 5, limitMs: 7000 },
    })
  })

  it.each([
    '',
    'rate-limit',
    'rate-limit@',
    'nothing@1',
    'rate-limit@0',
    'rate-limit@1x0',
    'cut-stream@1,size=3',
    'rate-limit@1;rm',
  ])('refuses %j with a sentence', (text) => {
    const parsed = parseFault(text)
    expect(parsed.ok).toBe(false)
    expect(parsed.ok ? '' : parsed.problem).toMatch(/\w/)
  })
})
