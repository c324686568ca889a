import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import { MarkdownView } from '#components/suite/markdown-view.tsx'
import { type MarkdownBlock, type MarkdownSpan, parseMarkdown } from './parse-markdown.ts'

const textOf = (spans: readonly MarkdownSpan[]) => spans.map(({ text }) => text).join('')
const kinds = (text: string) => parseMarkdown(text).map(({ kind }) => kind)

describe('an instruction', () => {
  it('is split into headings, paragraphs, code, lists and tables', () => {
    const text = [
      ...['# Title', 'One line', 'and its rest.', '', '```ts', '# no heading', '- no item', '```'],
      ...['- first', '  goes on', '- second', '', '1. one', '2. two', ''],
      ...['| a | b |', '| - | - |', '| `x` | 2 |'].map((line) => line.replaceAll(' - ', ' --- ')),
      ...['', 'After.'],
    ].join('\n')
    const blocks = parseMarkdown(text)
    expect(blocks.map(({ kind }) => kind)).toEqual([
      'heading',
      'paragraph',
      'code',
      'list',
      'list',
      'table',
      'paragraph',
    ])
    expect(blocks[2]).toEqual({ kind: 'code', text: '# no heading\n- no item' })
    const list = blocks[3] as MarkdownBlock & { kind: 'list' }
    expect(list.items.map(textOf)).toEqual(['first goes on', 'second'])
    const table = blocks[5] as MarkdownBlock & { kind: 'table' }
    expect([table.head, ...table.rows].map((cells) => cells.map(textOf))).toEqual([
      ['a', 'b'],
      ['x', '2'],
    ])
  })

  it('marks code, strong and emphasised words, and keeps what only looks like a mark', () => {
    const [block] = parseMarkdown(
      'A `code *x*`, **strong** and *soft*; 2 * 3 * 4, [text](https://a.example)',
    )
    expect(block).toEqual({
      kind: 'paragraph',
      spans: [
        { kind: 'plain', text: 'A ' },
        { kind: 'code', text: 'code *x*' },
        { kind: 'plain', text: ', ' },
        { kind: 'strong', text: 'strong' },
        { kind: 'plain', text: ' and ' },
        { kind: 'em', text: 'soft' },
        { kind: 'plain', text: '; 2 * 3 * 4, ' },
        {
          kind: 'link',
          text: 'text',
          address: 'https://a.example',
          href: 'https://a.example/',
        },
      ],
    })
  })

  it.each([
    ['[a](https://b.example/c?d#e "title")', 'https://b.example/c?d#e'],
    ['![a](HTTP://b.example/c.png)', 'http://b.example/c.png'],
    ['<https://b.example/>', 'https://b.example/'],
    ['[a](javascript:alert`1`)', null],
    ['[a](java\tscript:alert)', null],
    ['[a](//b.example)', null],
    ['[a](/admin)', null],
    ['[a](data:text/html,x)', null],
    ['[a](https://user:secret@b.example)', null],
    ['[a](https://)', null],
  ])('%s leads to %s', (text, href) => {
    const [block] = parseMarkdown(text)
    expect(block).toMatchObject({ kind: 'paragraph', spans: [{ kind: 'link', href }] })
  })

  it('shows where each link leads, and links to the web alone', () => {
    const draw = (text: string) => renderToStaticMarkup(createElement(MarkdownView, { text }))
    const link = draw('See [`docs`](https://a.example/x).')
    expect(link).toContain('<a class="link" href="https://a.example/x" rel="nofollow')
    expect(link).toContain('>docs</a><span class="text-muted"> (https://a.example/x)</span>')
    expect(draw('<https://a.example>').match(/a\.example/g)).toHaveLength(2)
    const hostile = draw('[click](javascript:alert`1`) [home](/admin)')
    expect(hostile).not.toMatch(/<a |href/)
    expect(hostile).toContain('(javascript:alert`1`)')
  })

  it('that is hostile ends, and loses nothing', () => {
    expect(kinds('```\nnever closed')).toEqual(['code'])
    expect(kinds('<script>alert(1)</script>')).toEqual(['paragraph'])
    expect(kinds('')).toEqual([])
    const long = `${'*'.repeat(5000)}${'`'.repeat(5000)}${'['.repeat(5000)}`
    expect(kinds(long)).toEqual(['paragraph'])
  })

  it.each([
    ['paragraphs', 'a\n\n', 1],
    ['lists', '- a\n\nb\n', 2],
    ['lists of both kinds', '- a\n1. b\n', 2],
    ['code', '```\nx\n```\n', 1],
    ['tables', '|a|\n|--|\n\n', 1],
  ])('of a hundred thousand %s is read line by line', (_, unit, blocks) => {
    expect(kinds(unit.repeat(100_000))).toHaveLength(100_000 * blocks)
  })

  it('of every shipped exercise keeps all its words', () => {
    const folder = 'exercises/typescript'
    for (const task of readdirSync(folder, { withFileTypes: true })) {
      if (!task.isDirectory()) continue
      const text = readFileSync(join(folder, task.name, '.docs/instructions.md'), 'utf8')
      const shown = parseMarkdown(text).flatMap(wordsOf).join(' ')
      const words = (all: string) => all.match(/[A-Za-z]{3,}/g) ?? []
      const fences = new Set(['ts', 'js', 'json', 'typescript', 'text', 'csv'])
      const expected = words(
        text.replace(/```(\w+)/g, (_, name) => (fences.has(name) ? '```' : name)),
      )
      expect(words(shown), task.name).toEqual(expected)
    }
  })
})

function wordsOf(block: MarkdownBlock): string[] {
  if (block.kind === 'code') return [block.text]
  if (block.kind === 'list') return block.items.map(textOf)
  if (block.kind === 'table') return [block.head, ...block.rows].flat().map(textOf)
  return [textOf(block.spans)]
}
