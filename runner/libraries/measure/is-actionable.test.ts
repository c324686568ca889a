import { expect, it } from 'vitest'
import { isActionable } from './is-actionable.ts'

const NAMES = ['#pay', 'Pay now']

it.each([
  ['names the target and the cause', 'element #pay is covered by <div id="veil">', true],
  ['names it by its accessible name', 'button "pay now" not found in the snapshot', true],
  ['says no more than that the time was up', 'Timeout 1500ms exceeded waiting for #pay', false],
  ['does not say which element', 'no such element', false],
  ['says nothing of either', 'Something went wrong', false],
])('an error that %s', (_, message, actionable) => {
  expect(isActionable(message, NAMES)).toBe(actionable)
})

it('an action that went on as if all were well told nothing', () => {
  expect(isActionable(null, NAMES)).toBe(false)
})
