import { expect, it } from 'vitest'
import { highlightLine, isHighlighted } from './highlight.ts'

const kinds = (line: string, state: 'comment' | 'template' | null = null) =>
  highlightLine(line, state).tokens.flatMap(({ kind, text }) => (kind ? [`${kind}:${text}`] : []))

it('colours keywords, types, strings, numbers and comments', () => {
  expect(kinds('export const total: Money = sum("a\\"b", 1_000) // done')).toEqual([
    'keyword:export',
    'keyword:const',
    'name:Money',
    'string:"a\\"b"',
    'number:1_000',
    'comment:// done',
  ])
})

it('carries comments and templates from line to line', () => {
  const open = highlightLine('a() /* from here')
  expect(open.state).toBe('comment')
  expect(kinds('until */ return 1', open.state)).toEqual([
    'comment:until */',
    'keyword:return',
    'number:1',
  ])
  expect(highlightLine('const x = `one ${two').state).toBe('template')
  expect(highlightLine('end` + 1', 'template').state).toBeNull()
})

it('changes no character, whatever the line', () => {
  const lines = ['/["\']/.test(x)', '"open', '🙂 = 1 / 2', '`a` + `b', '', '\\', '/', '0x1F n']
  for (const line of lines)
    for (const state of [null, 'comment', 'template'] as const)
      expect(
        highlightLine(line, state)
          .tokens.map(({ text }) => text)
          .join(''),
      ).toBe(line)
})

it('knows files by their names', () => {
  expect(['a.ts', 'b.test.tsx', 'c.mjs', 'd.json'].every(isHighlighted)).toBe(true)
  expect(['a.md', 'Makefile', 'ts'].some(isHighlighted)).toBe(false)
})
