import { expect, it } from 'vitest'
import { modifiersOf, parseKeys } from './keys.ts'

it.each([
  ['Return', [{ key: 'Enter', modifiers: 0, commands: [] }]],
  ['ctrl+a', [{ key: 'a', modifiers: 2, commands: ['selectAll'] }]],
  ['shift+Tab', [{ key: 'Tab', modifiers: 8, commands: [] }]],
  ['Page_Down', [{ key: 'PageDown', modifiers: 0, commands: [] }]],
  [
    'Down Down',
    [
      { key: 'ArrowDown', modifiers: 0, commands: [] },
      { key: 'ArrowDown', modifiers: 0, commands: [] },
    ],
  ],
  ['+', [{ key: '+', modifiers: 0, commands: [] }]],
])('reads %s', (words, keys) => {
  expect(parseKeys(words)).toEqual(keys)
})

it('leaves unknown held keys out', () => {
  expect(modifiersOf('ctrl+shift+hyper')).toBe(10)
  expect(modifiersOf('')).toBe(0)
})
