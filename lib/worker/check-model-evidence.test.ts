import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { digestBytes } from '../domain/digest/index.ts'
import { CALLS_FILE, type EpisodeBody, type GatewayCall } from '../domain/record/index.ts'
import { sampleEpisode } from '../testing/factories/sample-record.ts'
import { checkModelEvidence } from './check-model-evidence.ts'

const folder = mkdtempSync(join(tmpdir(), 'proofboard-calls-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const { subject, effort, startedAt } = sampleEpisode()
const tokens = { input: 100, output: 10, cacheRead: null, cacheWrite: null, reasoning: null }
const call: GatewayCall = {
  number: 1,
  startedAt,
  source: 'upstream',
  status: 200,
  ending: 'whole',
  isStep: true,
  retryOf: null,
  fault: null,
  model: 'model-x',
  tokens,
  costMicroUsd: 50,
  costSource: 'price-table',
  toolCalls: [],
  stopReason: 'stop',
  requestBytes: 1,
  responseBytes: 1,
  firstByteMs: 1,
  durationMs: 1,
}
/** A second call, and one that the gateway refused and did not bill. */
const CALLS = [
  call,
  { ...call, number: 2 },
  { ...call, number: 3, source: 'gateway' as const, status: 429, isStep: false },
]
const USAGE: EpisodeBody['usage'] = {
  tokens: { ...tokens, input: 200, output: 20 },
  costMicroUsd: 100,
  priceTable: null,
}

async function check(calls: readonly GatewayCall[], changes: Partial<EpisodeBody> = {}) {
  const text = calls.map((one) => `${JSON.stringify(one)}\n`).join('')
  writeFileSync(join(folder, CALLS_FILE), text)
  const digest = digestBytes(text)
  const sizeBytes = Buffer.byteLength(text)
  const file = { role: 'events' as const, path: CALLS_FILE, digest, sizeBytes, droppedBytes: 0 }
  const driven = { ...subject, modelRequested: 'model-x', modelObserved: ['model-x'] }
  const episode = sampleEpisode({
    mode: 'live',
    subject: driven,
    usage: USAGE,
    evidence: [file],
    effort: { ...effort, steps: 2 },
    ...changes,
  })
  return checkModelEvidence(episode, folder)
}

describe('the log of calls of an uploaded episode', () => {
  it('has the figures of the envelope', async () => {
    expect(await check(CALLS)).toBe('whole')
  })

  it('says less than the envelope needs', async () => {
    expect(await check([])).toBe('missing')
  })

  it.each<[string, Partial<GatewayCall>]>([
    ['another model', { model: 'model-y' }],
    ['more input', { tokens: { ...tokens, input: 101 } }],
    ['more output', { tokens: { ...tokens, output: 11 } }],
    ['unknown tokens', { tokens: { ...tokens, output: null } }],
    ['a higher cost', { costMicroUsd: 51 }],
    ['an unknown cost', { costMicroUsd: null, costSource: 'unknown' }],
    ['another time', { startedAt: '2020-01-01T00:00:00.000Z' }],
    ['a turn less', { isStep: false }],
  ])('contradicts it: %s', async (_, change) => {
    const [first, ...others] = CALLS
    expect(await check([{ ...call, ...first, ...change }, ...others])).toBe('contradicted')
  })

  it('contradicts an envelope that lists a model less, or leaves a call out', async () => {
    const other = {
      ...call,
      number: 4,
      model: 'model-y',
      tokens: { ...tokens, input: 0, output: 0 },
    }
    expect(await check([...CALLS, { ...other, costMicroUsd: 0, isStep: false }])).toBe(
      'contradicted',
    )
    expect(await check(CALLS.slice(1))).toBe('contradicted')
  })
})
