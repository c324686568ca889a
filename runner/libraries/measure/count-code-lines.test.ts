import { expect, it } from 'vitest'
import { countCodeLines } from './count-code-lines.ts'

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
