import { expect, it } from 'vitest'
import type { Outcome, Verdict } from '#lib/domain/record/index.ts'
import { SAMPLE_LIBRARY_ERROR, sampleBrowser } from '#lib/testing/factories/samples.ts'
import { formatLibraryEnd } from './browser-facts.tsx'

function say(verdict: Verdict | null, hasError: boolean, status: Outcome['status'] = 'unsolved') {
  const counts = { assertions: [], expectedTests: null, executedTests: null, passedTests: null }
  return formatLibraryEnd({
    browser: sampleBrowser({ libraryError: hasError ? SAMPLE_LIBRARY_ERROR : null }),
    contract: verdict && { verdict, ...counts },
    outcome: { status, reason: '' } as Outcome,
  })
}

it('names what does not fit together', () => {
  expect(say('fail', false)).toEqual({
    tone: 'warn',
    text: 'The library reported success, but the success criteria are not met (false success).',
  })
  expect(say('pass', true, 'solved')).toEqual({
    tone: 'warn',
    text: 'The library reported an error, but the success criteria are met (success with an error).',
  })
})

it('shows no warning otherwise', () => {
  const plain = [
    say('pass', false, 'solved'),
    say('fail', true),
    say('fail', false, 'out-of-budget'),
    say('inconclusive', false),
    say(null, true, 'void'),
  ]
  expect(plain.map((ending) => ending?.tone)).toEqual(plain.map(() => 'plain'))
  expect(say('fail', false, 'out-of-budget')?.text).not.toMatch(
    /reported success|false success|a success/,
  )
  const counts = {
    contract: null,
    outcome: { status: 'void', fault: 'harness', reason: '' },
  } as const
  expect(formatLibraryEnd(counts)).toBeNull()
})
