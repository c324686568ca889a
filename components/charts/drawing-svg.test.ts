import { describe, expect, it } from 'vitest'
import { escapeXml } from '#lib/domain/board/index.ts'
import { type Drawing, group, mark, text } from './drawing.ts'
import { renderCard, renderNode, wrap } from './drawing-svg.ts'

const HOSTILE = `</text><script>alert(1)</script>"'&\u0000\ud800`

describe('a drawing as a file', () => {
  const drawing: Drawing = {
    width: 200,
    height: 100,
    label: HOSTILE,
    nodes: [group(HOSTILE, [text(HOSTILE, 1, 2), mark(3, 4, 'accent', false)])],
  }
  const svg = renderCard(drawing, { title: HOSTILE, lines: [HOSTILE], footer: [HOSTILE] })

  it('escapes every text, and holds no script and no link', () => {
    expect(svg).not.toMatch(/<script|<foreignObject|<a |href|onload|javascript:/i)
    expect(svg).toContain('&lt;script&gt;')
    expect(svg.match(/<\/text>/g)).toHaveLength(svg.match(/<text /g)?.length ?? 0)
  })

  it('has no character that XML does not allow', () => {
    expect(svg).not.toContain('\u0000')
    expect(svg).not.toMatch(/\p{Surrogate}/u)
  })

  it('is as large as what it holds', () => {
    const [, width = '0', height = '0'] = /width="(\d+)" height="(\d+)"/.exec(svg) ?? []
    expect(Number(width)).toBeGreaterThan(drawing.width)
    expect(Number(height)).toBeGreaterThan(drawing.height)
  })
})

it('writes attributes as SVG names them, in fixed colours', () => {
  expect(renderNode(mark(1, 2, 'accent', false))).toBe(
    '<circle fill="#ffffff" stroke="#1c4fd1" cx="1" cy="2" r="4.5" stroke-width="1.75"/>',
  )
})

it('escapes what ends an attribute', () => {
  expect(escapeXml(`a"b'c<d>&`)).toBe('a&quot;b&#39;c&lt;d&gt;&amp;')
})

it('breaks lines at spaces, and words that are longer than a line', () => {
  expect(wrap('one two three', 7)).toEqual(['one two', 'three'])
  expect(wrap('abcdefgh', 3)).toEqual(['abc', 'def', 'gh'])
})
