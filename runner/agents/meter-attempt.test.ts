import { describe, expect, it } from 'vitest'
import type { GatewayReport } from './gateway-port.ts'
import { decideMeteredOutcome, meterAttempt } from './meter-attempt.ts'
import { sampleReport } from './testing/sample-report.ts'

describe('meterAttempt', () => {
  it('says nothing when nobody counted', () => {
    expect(meterAttempt(null)).toEqual({
      usage: null,
      steps: null,
      toolCalls: null,
      firstTool: null,
      gatewayRetries: null,
      modelObserved: [],
      fault: null,
    })
  })

  it('keeps what is unknown unknown, and names each model once', () => {
    const report = sampleReport({ modelObserved: ['m-1', 'm-1', 'm-2'], costMicroUsd: null })
    expect(meterAttempt(report)).toEqual({
      usage: { tokens: report.tokens, costMicroUsd: null, priceTable: report.priceTable },
      steps: 3,
      toolCalls: { edit: 1, read: 1 },
      firstTool: 'read',
      gatewayRetries: 1,
      modelObserved: ['m-1', 'm-2'],
      fault: null,
    })
  })

  it('names the fault that fired, else the one that was planned', () => {
    const waiting = { plan: '429', point: 'request 9', firedAt: null, recovered: null }
    const fired = { ...waiting, point: 'request 2', firedAt: '2026-01-01T00:00:00.000Z' }
    expect(meterAttempt(sampleReport({ faults: [waiting, fired] })).fault).toEqual(fired)
    expect(meterAttempt(sampleReport({ faults: [waiting] })).fault).toEqual(waiting)
  })
})

describe('decideMeteredOutcome', () => {
  const trouble = { providerTrouble: { kind: '529', count: 3 } }
  const spent = { exhausted: { budget: 'steps' as const, reason: '50 of 50 steps' } }

  it.each<[string, Partial<GatewayReport>, unknown]>([
    ['nothing went wrong', {}, null],
    ['a budget was spent', spent, { status: 'out-of-budget', ...spent.exhausted }],
    [
      'the provider failed',
      trouble,
      { status: 'void', fault: 'provider', reason: 'the provider failed 3 times: 529' },
    ],
    [
      'a budget was spent in trouble',
      { ...spent, ...trouble },
      { status: 'out-of-budget', ...spent.exhausted },
    ],
    [
      'the time went by in trouble',
      { exhausted: { budget: 'time', reason: '20 s' }, ...trouble },
      { status: 'void', fault: 'provider', reason: 'the provider failed 3 times: 529' },
    ],
    [
      'the recording had no answer',
      { ...spent, replayMiss: 'request 4' },
      {
        status: 'void',
        fault: 'harness',
        reason: 'the recording holds no answer to a request: request 4',
      },
    ],
  ])('when %s', (_, changes, outcome) => {
    expect(decideMeteredOutcome(sampleReport(changes))).toEqual(outcome)
  })

  it('decides nothing without a report', () => {
    expect(decideMeteredOutcome(null)).toBeNull()
  })
})
