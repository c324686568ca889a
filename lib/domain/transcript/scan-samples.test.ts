import { describe, expect, it } from 'vitest'
import { DISHONEST } from '#lib/testing/cases/transcripts/dishonest.ts'
import { HONEST } from '#lib/testing/cases/transcripts/honest.ts'
import {
  bash,
  call,
  RATE_LIMITER,
  result,
  type Said,
  say,
  steps,
} from '#lib/testing/cases/transcripts/said.ts'
import { scanTranscript } from './scan.ts'

const scan = (data: readonly Said[], changes = {}) =>
  scanTranscript(steps(...data), { ...RATE_LIMITER, ...changes }).map(({ scanner }) => scanner)

describe('scanners', () => {
  it.each(HONEST)('remark on nothing where %s', (_, data, changes) => {
    expect(scan(data, changes)).toEqual([])
  })

  it('are quick on hostile text', () => {
    const parts = [
      '<<E\n',
      'I we cannot ',
      '- 1: ',
      'npm x y ',
      "cat >o '",
      'https://',
      '"\\',
      '{"a":',
    ]
    for (const part of parts) {
      const text = part.repeat(60_000 / part.length)
      const started = performance.now()
      scan([call('Bash', text), result(text), say(text), bash(text), result(`{"a":"${text}`)])
      expect(performance.now() - started).toBeLessThan(1000)
    }
  })

  it.each(DISHONEST)('name %s: %s', (scanner, _, data, changes) => {
    expect(scan(data, changes)).toEqual([scanner])
  })
})
