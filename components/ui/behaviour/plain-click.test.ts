import { expect, it } from 'vitest'
import { isPlainClick } from './plain-click.ts'

const CLICK = { altKey: false, button: 0, ctrlKey: false, metaKey: false, shiftKey: false }

it('leaves a click with a key, or with another button, to the browser', () => {
  expect(isPlainClick(CLICK)).toBe(true)
  for (const key of ['altKey', 'ctrlKey', 'metaKey', 'shiftKey'] as const)
    expect(isPlainClick({ ...CLICK, [key]: true }), key).toBe(false)
  expect(isPlainClick({ ...CLICK, button: 1 })).toBe(false)
})
