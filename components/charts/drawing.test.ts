import { expect, it } from 'vitest'
import { fitted, lettersOf } from './drawing.ts'

it('gives broad letters their room, and cuts none in two', () => {
  expect(['agent', '智能体', '에이전트', '🤖'].map(lettersOf)).toEqual([5, 6, 8, 2])
  expect(fitted('智能体编程助手', 61)).toBe('智能体编…')
  for (const width of [30, 36, 42, 48, 54])
    expect(encodeURI(fitted(`a${'🤖'.repeat(9)}`, width))).toMatch(/^a/)
})
