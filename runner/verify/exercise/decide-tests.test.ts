import { describe, expect, it } from 'vitest'
import { compareTranscripts, decideTests } from './decide-tests.ts'
import type { ChildReport, TestProcessEnd, TestResult, TestRun } from './verifier-types.ts'

const result = (name: string, status: TestResult['status'] = 'passed'): TestResult => ({
  name,
  status,
  durationMs: 1,
})

function ran(report: Partial<ChildReport>, end: Partial<TestProcessEnd> = {}): TestRun {
  return {
    kind: 'ran',
    durationMs: 5,
    end: { exitCode: 0, signal: null, report: '', output: '', stoppedBy: null, ...end },
    report: {
      results: [result('a')],
      findings: [],
      loadError: null,
      probeMax: null,
      transcripts: [],
      started: true,
      complete: true,
      closed: true,
      ...report,
    },
  }
}

const decide = (run: TestRun | null, expectedTests: string[] | null = ['a']) =>
  decideTests({ expectedTests }, run)

describe('decideTests', () => {
  it('is satisfied by a complete report of exactly the expected tests', () => {
    expect(decide(ran({}))).toMatchObject({
      tests: { ok: true, passed: 1, missing: [], unexpected: [] },
      findings: [],
    })
  })

  it('does not ask the exit code', () => {
    expect(decide(ran({}, { exitCode: 7 })).tests).toMatchObject({ ok: true, exitCode: 7 })
  })

  it.each([
    ['a failure', ran({ results: [result('a', 'failed')] })],
    ['a load error', ran({ loadError: 'x' })],
    ['a test that was skipped', ran({ results: [result('a', 'skipped')] })],
    ['one test too many', ran({ results: [result('a'), result('a')] })],
    ['no result', ran({ results: [] })],
    ['a time-out after the report', ran({}, { stoppedBy: 'timeout' })],
    ['an incomplete report', ran({ complete: false }, { exitCode: 1 })],
    ['files that do not compile', { kind: 'not-compiled', error: 'x', durationMs: 1 } as const],
  ])('is not satisfied by %s, and calls it honest', (_name, run) => {
    expect(decide(run)).toMatchObject({ tests: { ok: false }, findings: [] })
  })

  it('finds a clean end without a report', () => {
    expect(decide(ran({ complete: false, closed: false })).findings.map((one) => one.code)).toEqual(
      ['report-missing'],
    )
    expect(
      decide(ran({ complete: false, closed: false }, { exitCode: null, signal: 'SIGKILL' }))
        .findings,
    ).toEqual([])
  })

  it('collects when nothing is expected, but never from nothing', () => {
    expect(decide(ran({}), null).tests.ok).toBe(true)
    expect(decide(ran({ results: [] }), null).tests.ok).toBe(false)
  })

  it('says that tests are not part of the task', () => {
    expect(decide(null)).toMatchObject({ tests: { ran: false, ok: false }, findings: [] })
  })
})

const compare = (solution: string[][], reference: string[][]) =>
  compareTranscripts(['s', 't'], { solution, reference })

it('agrees to the letter or names the first difference with its seed', () => {
  expect(compare([['a'], ['b']], [['a'], ['b']])).toEqual({
    seeds: ['s', 't'],
    observations: 2,
    agreed: true,
    difference: null,
  })
  expect(compare([['a'], ['b', 'd']], [['a'], ['b', 'c']])).toMatchObject({
    agreed: false,
    difference: { seed: 't', expected: 'c', observed: 'd' },
  })
  expect(compare([['a'], []], [['a'], ['b']]).difference?.observed).toBe('(nothing more)')
  expect(compare([['a', 'x'], ['b']], [['a'], ['b']]).difference?.expected).toBe('(nothing more)')
})

it('never agrees about nothing', () => {
  expect(compare([[], []], [[], []]).agreed).toBe(false)
  expect(compare([['a'], []], [['a'], []]).agreed).toBe(false)
  expect(compareTranscripts([], { solution: [], reference: [] }).agreed).toBe(false)
})
