import { expect, it } from 'vitest'
import { fitted, fittedNames, lettersOf, TEXT_WIDTH } from './drawing.ts'

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
  expect(fitted('智能体编程助手', 61)).toBe('智能体…手')
  for (const width of [30, 36, 42, 48, 54])
    expect(encodeURI(fitted(`a${'🤖'.repeat(9)}`, width))).toMatch(/^a/)
})

it('writes a name whole that just fits, also where its letters are wide', () => {
  for (const name of ['demo-agent-a · model-l', 'playwright · 1.65.1', 'MMM'])
    expect(fitted(name, lettersOf(name) * TEXT_WIDTH + 1)).toBe(name)
})

it('tells long names of forty entries apart in whatever room they have', () => {
  const agents = ['claude-code-with-extended-thinking', 'openai-codex-cli-nightly-preview']
  const models = [
    'claude-sonnet-5-20261001-thinking-high',
    'gpt-5.6-codex-max-reasoning-xhigh-2026-10',
  ]
  const names = Array.from({ length: 10 }, (_, at) => String(at).padStart(2, '0')).flatMap((at) =>
    agents.flatMap((agent) => models.map((model) => `${agent}-${at} · ${model}`)),
  )
  for (const width of [150, 200, 290, 330])
    expect(new Set(names.map(fittedNames(names, width))).size, String(width)).toBe(names.length)
})
