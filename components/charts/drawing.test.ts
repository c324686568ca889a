import { expect, it } from 'vitest'
import { fitted, lettersOf, TEXT_WIDTH } from './drawing.ts'

it('gives the widest letters of a name their room', () => {
  // At 11 px in the face of the pages, of which 6.1 px are a usual letter.
  const measured = { W: 11.1, M: 9.6, m: 9.6, w: 7.9, A: 7.4, '@': 10.9, n: 6.5 }
  for (const [letter, px] of Object.entries(measured)) {
    expect(lettersOf(letter.repeat(40)) * TEXT_WIDTH, letter).toBeGreaterThan(40 * px * 0.93)
    const shown = fitted(letter.repeat(40), 200)
    expect((shown.length - 1) * px, letter).toBeLessThan(205)
  }
})

it('gives broad letters their room, and cuts none in two', () => {
  expect(['agent', '智能体', '에이전트', '🤖'].map(lettersOf)).toEqual([5, 6, 8, 2])
  expect(fitted('智能体编程助手', 61)).toBe('智能体编…')
  for (const width of [30, 36, 42, 48, 54])
    expect(encodeURI(fitted(`a${'🤖'.repeat(9)}`, width))).toMatch(/^a/)
})

it('writes a name whole that just fits, also where its letters are wide', () => {
  for (const name of ['demo-agent-a · model-l', 'playwright · 1.65.1', 'MMM'])
    expect(fitted(name, lettersOf(name) * TEXT_WIDTH + 1)).toBe(name)
})
