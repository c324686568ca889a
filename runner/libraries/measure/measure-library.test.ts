import { describe, expect, it } from 'vitest'
import { addUp, countCodeLines, durationOf } from './measure-library.ts'

const seen = { ending: 'finished' as const, resultBytes: 300, resultTokens: 90 }

describe('addUp', () => {
  it('adds up bytes and tokens of the pages that were seen', () =>
    expect(addUp([seen, seen])).toEqual({ pages: 2, bytes: 600, tokens: 180 }))
  it('leaves tokens unknown where one page has none', () =>
    expect(addUp([seen, { ...seen, resultTokens: null }])).toMatchObject({ tokens: null }))
  it('says nothing when a page was not seen', () => {
    expect(addUp([seen, null])).toBeNull()
    expect(addUp([{ ...seen, ending: 'gave-up' }])).toBeNull()
    expect(addUp([])).toBeNull()
  })
})

const action = (step: string, startMs: number, error: string | null = null) => ({
  step,
  action: 'click',
  target: null,
  startMs,
  durationMs: 50,
  error,
})

it('is from the first action of the step to the end of its last', () => {
  const trace = [action('sign in', 100), action('sign in', 300), action('save', 500)]
  expect(durationOf(trace)).toBe(250)
})

it('is unknown when the step failed, was not left, or never began', () => {
  expect(durationOf([action('sign in', 100, 'Timeout'), action('save', 500)])).toBeNull()
  expect(durationOf([action('sign in', 100)])).toBeNull()
  expect(durationOf([])).toBeNull()
})

it('counts code and leaves blank lines and comments out', () => {
  const source = `/** One. */
import { a } from 'a'

// Two.
/*
 * Three.
 */
export const b = a // four
const url = 'http://five'
`
  expect(countCodeLines(source)).toBe(3)
  expect(countCodeLines('')).toBe(0)
})
