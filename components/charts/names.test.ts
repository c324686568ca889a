import { expect, it } from 'vitest'
import { fitted, fittedNames } from './names.ts'

it('shortens names that are too long by what all of them share, and others not at all', () => {
  const names = ['an-agent-with-a-name · skill · 1.4.2', 'an-agent-with-a-name · baseline · 1.4.2']
  expect(names.map(fittedNames(names, 16))).toEqual(['skill', 'baseline'])
  expect(names.map(fittedNames(names, 100))).toEqual(names)
  const [first = ''] = names
  expect(fittedNames([first], 16)(first)).toBe('an-agent-w…1.4.2')
  expect([...names, 'till'].map(fittedNames([...names, 'till'], 16))).toEqual([
    'an-ag…me · skill',
    'an-a…e · base…e',
    'till',
  ])
})

it('leaves out the middle of a name, and cuts no letter in two', () => {
  expect(fitted('claude-sonnet-5-20261001', 12)).toBe('claude-…1001')
  expect(encodeURI(fitted('🤖'.repeat(9), 5))).not.toContain('%EF%BF%BD')
})

it('fits the width that it measures', () => {
  const measure = (text: string) =>
    Array.from(text).reduce((sum, at) => sum + (at === 'W' ? 11 : 6), 0)
  for (const width of [60, 90, 150])
    expect(measure(fitted('W'.repeat(40), width, measure))).toBeLessThanOrEqual(width)
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
  for (const width of [24, 32, 47, 54])
    expect(new Set(names.map(fittedNames(names, width))).size, String(width)).toBe(names.length)
})
