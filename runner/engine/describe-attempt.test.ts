import { describe, expect, it } from 'vitest'
import { sampleReport } from '#lib/testing/factories/agent-samples.ts'
import { DONE, type SubjectEnding } from '../subjects/subject-driver.ts'
import { decideSubjectOutcome } from './decide-subject-outcome.ts'
import { describeAttempt } from './describe-attempt.ts'
import type { AttemptEvaluation } from './environment-adapter.ts'

const CONTRACT = { assertions: [], expectedTests: 1, executedTests: 1, passedTests: 1 }
const PASSES: AttemptEvaluation = {
  contract: { ...CONTRACT, verdict: 'pass' },
  findings: [],
  exit: { code: 0, signal: null },
  outcome: { status: 'solved' },
  unsolvedAs: 'partial',
}
const FAILS: AttemptEvaluation = {
  ...PASSES,
  contract: { ...CONTRACT, verdict: 'fail' },
  outcome: { status: 'unsolved', reason: 'one test fails' },
}
const findings = [{ code: 'forged', detail: 'x' }]
const TAMPERED: AttemptEvaluation = {
  ...PASSES,
  findings,
  outcome: { status: 'tampered', findings },
}

const exhausted = { budget: 'tokens' as const, reason: 'all spent', spent: 9 }
const SPENT = sampleReport({ exhausted })

function settle(ending: Partial<SubjectEnding>, judged: AttemptEvaluation) {
  const whole = { ...DONE, ...ending }
  const outcome = decideSubjectOutcome(whole, { timeoutMs: 4000, diskQuotaBytes: 1 })
  const subject = { ending: whole, outcome }
  return describeAttempt({ subject, touched: [], judged, stored: { files: [] }, wall: {} })
}

describe('finished, then stopped', () => {
  it('says both when the work passes and the subject ended by itself', () => {
    const { outcome, failureCategory, testSuccess } = settle({ report: SPENT }, PASSES)
    expect(outcome).toEqual({
      status: 'solved',
      budgetReached: { budget: 'tokens', reason: 'all spent' },
    })
    expect([failureCategory, testSuccess]).toEqual([null, true])
    expect(settle({ report: SPENT, exitCode: 1 }, PASSES).outcome.status).toBe('solved')
    expect(settle({ report: sampleReport() }, PASSES).outcome).toEqual({ status: 'solved' })
  })

  it.each<[string, Partial<SubjectEnding>, AttemptEvaluation]>([
    ['the work does not pass', { report: SPENT }, FAILS],
    ['it was tampered with', { report: SPENT }, TAMPERED],
    ['it had to be killed', { report: SPENT, cause: 'timeout', exitCode: null }, PASSES],
    ['it died of a signal', { report: SPENT, exitCode: null, signal: 'SIGSEGV' }, PASSES],
    ['its time ran out', { cause: 'timeout', exitCode: null, overrunMs: 230 }, PASSES],
  ])('stays out of budget when %s', (_, ending, judged) => {
    expect(settle(ending, judged).outcome.status).toBe('out-of-budget')
  })

  it('records how long it took to end a subject after its time', () => {
    const late = settle({ cause: 'timeout', exitCode: null, overrunMs: 230 }, PASSES)
    expect(late.effort.overrunMs).toBe(230)
    expect(settle({}, PASSES).effort).not.toHaveProperty('overrunMs')
  })
})

describe('what was paid', () => {
  it('stays known when the harness fails after the subject has worked', () => {
    const broken = settle({ report: sampleReport(), brokenBy: new Error('no disk') }, PASSES)
    expect(broken.outcome).toEqual({
      status: 'void',
      fault: 'harness',
      reason: 'the harness failed after the subject had worked: no disk',
    })
    expect(broken.usage?.costMicroUsd).toBe(1200)
    const failed = settle({ report: sampleReport({ ownErrors: ['a bug'] }) }, PASSES)
    expect(failed.outcome).toMatchObject({ status: 'void', reason: 'the gateway failed: a bug' })
    expect(failed.usage?.tokens.input).toBe(100)
  })
})
