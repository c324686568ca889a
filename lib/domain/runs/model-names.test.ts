import { expect, it } from 'vitest'
import { declaredNames, modelNamesSchema } from './model-names.ts'

const FILES = [
  {
    aliases: { 'team-gpt': 'gpt-5.4-2026-03-05', 'claude-x': ['us.acme.cx-1', 'cx'] },
    secondary: ['gpt-5.4-nano'],
  },
  { aliases: { cx: ['cx-fast'] }, secondary: ['gpt-5.4-nano', 'claude-haiku-9'] },
]

it('a plan has the other names of its model, by whichever it is asked for, and all helpers', () => {
  expect(declaredNames('team-gpt', FILES)).toEqual({
    aliases: ['gpt-5.4-2026-03-05'],
    secondary: ['claude-haiku-9', 'gpt-5.4-nano'],
  })
  expect(declaredNames('cx', FILES).aliases).toEqual(['claude-x', 'cx-fast', 'us.acme.cx-1'])
  expect(declaredNames('acme/claude-x:nitro', FILES).aliases).toEqual([
    'claude-x',
    'cx',
    'us.acme.cx-1',
  ])
})

it('a plan without declarations has no such members, so that its digest stays', () => {
  expect(declaredNames('gpt-5.4', [{}, { aliases: { a: 'b' } }])).toEqual({})
})

it.each([
  { aliases: { 'team gpt': 'x' } },
  { aliases: { x: [] } },
  { aliases: ['x'] },
  { secondary: ['a b'] },
  { secondary: 'x' },
])('names that are none are refused: %j', (names) => {
  expect(modelNamesSchema.safeParse(names).success).toBe(false)
})
