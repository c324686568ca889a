import { describe, expect, it } from 'vitest'
import { canonicalJson } from '../domain/digest/index.ts'
import { sampleContract, sampleEpisode } from '../testing/factories/samples.ts'
import {
  isStoredFact,
  PACKED_SHARE,
  packEnvelope,
  rederiveEpisode,
  unpackEnvelope,
} from './stored-episode.ts'

const names = Array.from({ length: 85 }, (_, index) => `works ${index} – ünïcode \u{1f600}`)
const text = canonicalJson(sampleEpisode({ contract: sampleContract(names) }))

describe('a stored envelope', () => {
  it('has the very same bytes again, and takes about as little as limits of memory count with', () => {
    const stored = packEnvelope(text)
    expect(unpackEnvelope(stored)).toBe(text)
    expect(stored.length * (PACKED_SHARE / 2)).toBeLessThan(text.length)
    expect(stored).toMatch(/^br:[\w+/=]+$/)
  })

  it('is read as it is when it was stored before envelopes were packed, or is short', () => {
    expect(unpackEnvelope(text)).toBe(text)
    expect(packEnvelope('{"a":1}')).toBe('{"a":1}')
  })

  it('keeps texts that no UTF-8 has, because canonical JSON escapes them', () => {
    const odd = canonicalJson({ text: `\ud800 ${'x'.repeat(2000)}` })
    expect(unpackEnvelope(packEnvelope(odd))).toBe(odd)
  })

  it('throws where it is damaged', () => {
    const stored = packEnvelope(text)
    expect(() => unpackEnvelope(stored.slice(0, stored.length / 2))).toThrow()
    expect(() => unpackEnvelope('br:AAAA????')).toThrow()
  })
})

describe('a stored fact', () => {
  const { fact } = rederiveEpisode(sampleEpisode())

  it('may be from before exits of agents were facts, but not state another exit', () => {
    expect(JSON.parse(fact)).toMatchObject({ status: 'solved', agentExit: 'ok' })
    const { agentExit: _, ...earlier } = JSON.parse(fact)
    expect(isStoredFact(canonicalJson(earlier), fact)).toBe(true)
    expect(isStoredFact(canonicalJson({ ...earlier, agentExit: 'failed' }), fact)).toBe(false)
  })
})
