import { describe, expect, it } from 'vitest'
import type { CallRecord } from './call-record.ts'
import type { TroubleKind } from './gateway-report.ts'
import { findProviderFailure } from './provider-failure.ts'
import { UNKNOWN_TOKENS } from './tokens.ts'

function call(changes: Partial<CallRecord>): CallRecord {
  return {
    number: 1,
    protocol: 'openai-chat',
    path: '/',
    streams: true,
    startedAt: '2026-11-21T00:00:00.000Z',
    retryOf: null,
    source: 'upstream',
    status: 200,
    ending: 'whole',
    isStep: false,
    fault: null,
    modelAsked: null,
    model: null,
    tokens: UNKNOWN_TOKENS,
    rawUsage: null,
    price: { costMicroUsd: null, priceTable: null },
    stated: UNKNOWN_TOKENS,
    unknownBecause: null,
    atLeastMicroUsd: 0,
    charge: { tokens: 0, costMicroUsd: 0, isEstimated: false },
    mayBeBilled: false,
    implausible: null,
    toolCalls: [],
    toolAsks: [],
    stopReason: null,
    refused: false,
    streamError: null,
    failure: null,
    errorMessage: null,
    retryAt: null,
    temperature: null,
    usageInjected: false,
    toolsLeftOut: [],
    requestBytes: 0,
    responseBytes: 0,
    firstByteMs: null,
    durationMs: 0,
    ...changes,
  }
}

const STEP = call({ isStep: true, stopReason: 'stop' })

/** A call that failed at the provider. */
const failed = (kind: TroubleKind, changes: Partial<CallRecord> = {}) =>
  call({ status: 500, failure: { by: 'provider', kind }, ...changes })
const invalid = call({ status: 400, failure: { by: 'agent', kind: 'invalid-request' } })

describe('whose fault a failed call was', () => {
  it.each<[string, CallRecord, TroubleKind | null]>([
    ['a failure of the provider', failed('overloaded'), 'overloaded'],
    ['no server', call({ status: null, ending: 'unreachable' }), 'unreachable'],
    ['a cut stream', call({ ending: 'upstream-cut' }), 'cut'],
    ['an invalid request, and never a turn', invalid, 'refused-request'],
    [
      'a prompt too long, and never a turn',
      call({ failure: { by: 'agent', kind: 'context-length' } }),
      null,
    ],
    ['the agent left', call({ ending: 'client-gone' }), null],
    [
      'our own fault injection',
      failed('overloaded', { fault: 'overloaded', source: 'gateway' }),
      null,
    ],
    ['a fault in a stream', call({ ending: 'fault', fault: 'cut-stream' }), null],
    ['our own budget', call({ source: 'gateway', ending: 'budget' }), null],
  ])('%s', (_what, one, kind) => {
    expect(findProviderFailure([one])?.kind ?? null).toBe(kind)
  })

  it('does not let an agent void its attempt by an invalid request, once a turn was answered', () => {
    expect(findProviderFailure([STEP, invalid])).toBeNull()
  })

  it('names the latest time for trying again of the failed calls at the end', () => {
    const at = (retryAt: string) => failed('rate-limited', { retryAt })
    const [early, late] = ['2026-11-21T01:00:00.000Z', '2026-11-21T04:00:00.000Z']
    expect(findProviderFailure([at(late), STEP, at(early), at(early)])?.retryAt).toBe(early)
    expect(findProviderFailure([at(late), STEP])?.retryAt).toBeNull()
  })

  it('does not let an agent void its attempt by asking for a model that is not there', () => {
    expect(findProviderFailure([STEP, failed('unknown-model', { status: 404 })])).toBeNull()
  })

  it('counts the failed calls at the end, and forgives after a step', () => {
    const bad = failed('server-error')
    const limit = failed('rate-limited', { status: 429 })
    expect(findProviderFailure([STEP])).toBeNull()
    expect(findProviderFailure([bad, limit, limit, STEP])).toMatchObject({
      kind: 'rate-limited',
      count: 3,
      kinds: { 'rate-limited': 2, 'server-error': 1 },
      unrecovered: 0,
    })
    expect(findProviderFailure([bad, STEP, bad, invalid, limit])).toMatchObject({
      count: 3,
      unrecovered: 2,
    })
  })

  const at = (ms: number) => ({ startedAt: new Date(Date.UTC(2026, 10, 21) + ms).toISOString() })
  const steps = (count: number, everyMs: number) =>
    Array.from({ length: count }, (_, index) => call({ ...STEP, ...at(index * everyMs) }))
  const refused = (count: number, fromMs: number) =>
    Array.from({ length: count }, (_, index) =>
      failed('rate-limited', { status: 429, ...at(fromMs + index * 100) }),
    )

  it('does not let an agent void its attempt by a burst of calls', () => {
    const burst = [...steps(30, 50), ...refused(5, 1_600)]
    expect(findProviderFailure(burst)).toMatchObject({ unrecovered: 5, isProvoked: true })
    const atOnce = refused(60, 0).map((one) => ({ ...one, ...at(0), durationMs: 400 }))
    expect(findProviderFailure(atOnce)).toMatchObject({ isProvoked: true })
  })

  it('takes limits that began without a burst for the provider’s, however often the agent asks again', () => {
    const patient = [...steps(60, 3_000), ...refused(100, 180_000)]
    expect(findProviderFailure(patient)).toMatchObject({ unrecovered: 100, isProvoked: false })
    const recovered = [...steps(30, 50), ...refused(5, 1_600), call({ ...STEP, ...at(60_000) })]
    const later = [...recovered, ...refused(3, 120_000)]
    expect(findProviderFailure(later)).toMatchObject({ unrecovered: 3, isProvoked: false })
  })

  it('never takes a refused key or a dead line for the agent’s doing', () => {
    const down = call({ status: null, ending: 'unreachable', ...at(1_600) })
    expect(findProviderFailure([...steps(40, 20), down])).toMatchObject({ isProvoked: false })
  })
})
