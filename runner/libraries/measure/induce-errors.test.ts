import { expect, it } from 'vitest'
import { isActionable, readErrors } from './induce-errors.ts'
import { MISTAKES } from './mistakes.ts'

const made = (step: string, error: string | null) => ({
  step,
  action: 'click',
  target: null,
  startMs: 0,
  durationMs: 1,
  error,
})

it('reports the error of each mistake, and whether it helps', () => {
  const trace = MISTAKES.map(({ induced, names }, at) =>
    made(induced, at === 0 ? null : `${names[0]}: not found`),
  )
  const errors = readErrors([made('open', null), ...trace])
  expect(errors?.map(({ induced }) => induced)).toEqual(MISTAKES.map(({ induced }) => induced))
  expect(errors?.[0]).toMatchObject({ message: null, actionable: false })
  expect(errors?.[1]).toMatchObject({ message: '#closed: not found', actionable: true })
})

it('is unknown when not every mistake was made', () => {
  expect(readErrors([made(MISTAKES[0]!.induced, 'gone')])).toBeNull()
})

const NAMES = ['#pay', 'Pay now']

it.each([
  ['names the target and the cause', 'element #pay is covered by <div id="veil">', true],
  ['names it by its accessible name', 'button "pay now" not found in the snapshot', true],
  ['says no more than that the time was up', 'Timeout 1500ms exceeded waiting for #pay', false],
  ['does not say which element', 'no such element', false],
  ['names neither', 'Something went wrong', false],
])('an error that %s', (_, message, actionable) => {
  expect(isActionable(message, NAMES)).toBe(actionable)
})

it('an action that succeeded silently reported nothing', () => {
  expect(isActionable(null, NAMES)).toBe(false)
})
