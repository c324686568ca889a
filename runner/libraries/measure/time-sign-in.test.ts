import { expect, it } from 'vitest'
import { durationOf } from './time-sign-in.ts'

const action = (step: string, startMs: number, error: string | null = null) => ({
  ...{ step, action: 'click', target: null, startMs, durationMs: 50, error },
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
