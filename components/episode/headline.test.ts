import { describe, expect, it } from 'vitest'
import type { Assertion, EpisodeBody, Verdict } from '#lib/domain/record/index.ts'
import { sampleBrowser, sampleEpisode } from '#lib/testing/factories/samples.ts'
import { headlineOf } from './headline.ts'

const check = (
  kind: string,
  label: string,
  observed: string,
  children: Assertion[] = [],
  verdict: Verdict = 'fail',
): Assertion => ({ kind, label, expected: 'ok', observed, verdict, children })

const tests = (...messages: string[]) =>
  check(
    'tests',
    'every official test passes',
    'failed',
    messages.map((message, index) => check('test', `test ${index}`, message)),
  )
const types = (...messages: string[]) =>
  check(
    'types',
    'compiles',
    `${messages.length} type errors`,
    messages.map((message, index) => check('diagnostic', `a.ts:${index + 1}:1`, message)),
  )
const executed = check('executed-set', 'exactly the expected tests were executed', '0 tests')

function headline(assertions: Assertion[], changes: Partial<EpisodeBody> = {}) {
  const contract = {
    verdict: 'fail' as const,
    assertions,
    expectedTests: 8,
    executedTests: 8,
    passedTests: 0,
  }
  const outcome = { status: 'unsolved' as const, reason: 'types: a side effect' }
  return headlineOf(sampleEpisode({ outcome, contract, ...changes }))
}

describe('the cause of a failed exercise', () => {
  it('is the error that most tests share, not the type error beside it', () => {
    const same = ['TypeError: f is not a function', 'TypeError: f is not a function\n  at x (a:1)']
    expect(headline([types('TS6133: unused'), tests('Error: other', ...same)])).toEqual({
      cause: 'TypeError: f is not a function',
      extent: '3 of 3 tests failed, 2 of them with this error.',
    })
  })

  it('names the test where values were compared', () => {
    const message = 'Error: expect(received).toBe(expected)\n\nExpected: 4\nReceived: 5\n    at a:1'
    expect(headline([tests('Error: other', message, message)]).cause).toBe(
      'test 1: expected 4, received 5',
    )
  })

  it('is a missing name or a syntax error before the tests that fail because of it', () => {
    const broken = types('TS6133: unused', "TS2305: Module has no exported member 'f'.")
    expect(headline([broken, tests('TypeError: f is not a function')])).toEqual({
      cause: "a.ts:2:1: TS2305: Module has no exported member 'f'.",
      extent: '2 type errors.',
    })
  })

  it('is why the test file did not load, not the count of executed tests', () => {
    const loaded = check('tests', 'every official test passes', '0 passed', [
      check('load', 'the test file loads', 'SyntaxError: Unexpected token\n    at x.ts:1:1'),
    ])
    expect(headline([executed, loaded])).toEqual({
      cause: 'SyntaxError: Unexpected token',
      extent: 'The test file could not be loaded.',
    })
  })

  it('is the untouched stub', () => {
    const assertions = [types('TS6133: unused'), tests('Error: remove this line')]
    expect(headline(assertions, { failureCategory: 'no-change' })).toEqual({
      cause: 'The solution files were not changed.',
      extent: 'Error: remove this line',
    })
  })

  it('is the type error, or the held-out difference, where all tests pass', () => {
    expect(headline([types('TS2322: not assignable')]).cause).toBe(
      'a.ts:1:1: TS2322: not assignable',
    )
    const difference = { ...check('observation', 'first difference', '5\nmore'), expected: '4' }
    const heldOut = check('held-out', 'behaves as the reference', 'another', [difference])
    expect(headline([heldOut]).cause).toBe('On held-out inputs: expected 4, received 5')
    expect(headline([executed]).cause).toBe('exactly the expected tests were executed: 0 tests')
  })

  it('stays the outcome of an attempt that was ended, with what failed beside it', () => {
    const outcome = {
      status: 'out-of-budget' as const,
      budget: 'time' as const,
      reason: 'ran 300 s',
    }
    expect(headline([tests('Error: not implemented')], { outcome })).toEqual({
      cause: 'ran 300 s',
      extent: 'Error: not implemented (1 of 1 test failed.)',
    })
  })
})

describe('the cause of a browser episode', () => {
  const contract = [check('state', 'one order exists', '0 orders')]
  it('is the error that the library reported, with the criterion beside it', () => {
    const libraryError = { step: 'pay', action: 'click', message: 'no such button' }
    const outcome = { status: 'unsolved' as const, reason: 'pay, click: no such button' }
    expect(headline(contract, { browser: { ...sampleBrowser(), libraryError }, outcome })).toEqual({
      cause: 'pay, click: no such button',
      extent: 'one order exists: 0 orders',
    })
  })

  it('is the unmet criterion where the library reported success', () => {
    const browser = { ...sampleBrowser(), libraryError: null }
    expect(headline(contract, { browser })).toEqual({
      cause: 'one order exists: 0 orders',
      extent: null,
    })
  })
})

it('is the stored reason where nothing was evaluated or everything passed', () => {
  expect(headlineOf(sampleEpisode({})).extent).toBeNull()
  const outcome = { status: 'void' as const, fault: 'provider' as const, reason: '529 all day' }
  expect(headlineOf(sampleEpisode({ outcome, contract: null }))).toEqual({
    cause: '529 all day',
    extent: null,
  })
})
