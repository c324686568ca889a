import { describe, expect, it } from 'vitest'
import { sampleProviderFailure, sampleReport } from '#lib/testing/factories/agent-samples.ts'
import type { GatewayReport } from '../gateway/gateway-report.ts'
import { nop } from '../subjects/controls.ts'
import { DONE, type SubjectContext, type SubjectEnding } from '../subjects/subject-driver.ts'
import { decideMeteredOutcome } from './decide-subject-outcome.ts'
import { meterAttempt, runSubject } from './run-subject.ts'

const TROUBLE = sampleReport({ providerFailure: sampleProviderFailure('unreachable', 2) })
const SPENT = sampleReport({ exhausted: { budget: 'tokens', reason: 'all spent', spent: 9 } })

/** Returns the outcome of an attempt whose subject ended so. */
async function tell(ending: Partial<SubjectEnding>): Promise<string> {
  const driver = { ...nop, act: async () => ({ ...DONE, ...ending }) }
  const settings = { timeoutMs: 1000, diskQuotaBytes: 2000 }
  const { outcome } = await runSubject(driver, { settings } as SubjectContext)
  if (outcome === null) return 'to be judged'
  const detail = 'budget' in outcome ? outcome.budget : 'fault' in outcome ? outcome.fault : ''
  return `${outcome.status} ${detail}`.trim()
}

describe('the outcome that the subject phase names', () => {
  it.each<[string, Partial<SubjectEnding>, string]>([
    ['a quiet end', {}, 'to be judged'],
    ['an exit code', { exitCode: 3 }, 'to be judged'],
    ['a quiet end that was metered', { report: sampleReport() }, 'to be judged'],
    ['a signal', { exitCode: null, signal: 'SIGSEGV' }, 'subject-crashed'],
    ['the time limit', { cause: 'timeout' }, 'out-of-budget time'],
    [
      'the time limit, waiting for a provider',
      { cause: 'timeout', report: TROUBLE },
      'void provider',
    ],
    ['a budget, then the time limit', { cause: 'timeout', report: SPENT }, 'out-of-budget tokens'],
    ['a budget, then a signal', { signal: 'SIGTERM', report: SPENT }, 'out-of-budget tokens'],
    [
      'a full disk during a provider failure',
      { cause: 'disk', report: TROUBLE },
      'out-of-budget disk',
    ],
    ['too many processes', { cause: 'processes', report: SPENT }, 'out-of-budget processes'],
    ['a stop during a provider failure', { cause: 'cancelled', report: TROUBLE }, 'cancelled'],
    ['a missing shell', { cause: 'spawn-failed', report: SPENT }, 'void infrastructure'],
    ['processes that stay', { clean: false, report: SPENT }, 'void infrastructure'],
  ])('%s', async (_, ending, told) => {
    expect(await tell(ending)).toBe(told)
  })
})

describe('meterAttempt', () => {
  it('says nothing when it was not metered', () => {
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
    const report = sampleReport({
      models: ['m-1', 'm-1', 'm-2'],
      costMicroUsd: null,
      knownCostMicroUsd: 900,
      costSources: { unknown: 1, 'price-table': 2 },
      unknownBecause: [{ reason: 'the answer broke off', calls: 1 }],
    })
    expect(meterAttempt(report)).toEqual({
      usage: {
        tokens: report.tokens,
        costMicroUsd: null,
        priceTable: report.priceTable,
        costSources: { unknown: 1, 'price-table': 2 },
        atLeast: { input: 100, output: 20, costMicroUsd: 900 },
        unknownBecause: [{ reason: 'the answer broke off', calls: 1 }],
      },
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
    expect(meterAttempt(sampleReport({ faultOutcomes: [waiting, fired] })).fault).toEqual(fired)
    expect(meterAttempt(sampleReport({ faultOutcomes: [waiting] })).fault).toEqual(waiting)
  })
})

describe('decideMeteredOutcome', () => {
  const trouble = { providerFailure: sampleProviderFailure('overloaded', 3) }
  const steps = { budget: 'steps' as const, reason: '50 of 50 steps' }
  const spent = { exhausted: { ...steps, spent: 50 } }

  it.each<[string, Partial<GatewayReport>, unknown]>([
    ['nothing went wrong', {}, null],
    ['a budget was spent', spent, { status: 'out-of-budget', ...steps }],
    [
      'the provider failed',
      trouble,
      { status: 'void', fault: 'provider', reason: 'the provider failed 3 times: overloaded' },
    ],
    [
      'a budget was spent during a provider failure',
      { ...spent, ...trouble },
      { status: 'out-of-budget', ...steps },
    ],
    [
      'the time went by during a provider failure',
      { exhausted: { budget: 'time', reason: '20 s', spent: null }, ...trouble },
      { status: 'void', fault: 'provider', reason: 'the provider failed 3 times: overloaded' },
    ],
    [
      'the provider recovered',
      { providerFailure: { ...trouble.providerFailure, unrecovered: 0 } },
      null,
    ],
    [
      'the agent provoked the trouble',
      { providerFailure: { ...trouble.providerFailure, isProvoked: true } },
      null,
    ],
    [
      'the recording had no answer',
      { ...spent, replayMisses: [{ path: 'request 4', key: 'k', at: '' }] },
      {
        status: 'void',
        fault: 'harness',
        reason: 'the recording contains no answer to a request: request 4',
      },
    ],
  ])('when %s', (_, changes, outcome) => {
    expect(decideMeteredOutcome(sampleReport(changes))).toEqual(outcome)
  })

  it('decides nothing without a report', () => {
    expect(decideMeteredOutcome(null)).toBeNull()
  })
})
