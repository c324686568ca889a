import { describe, expect, it } from 'vitest'
import { parseDiff } from './code-view.tsx'

describe('a unified diff', () => {
  it('numbers both sides', () => {
    const lines = parseDiff('--- a/x.ts\n+++ b/x.ts\n@@ -1,2 +1,2 @@\n same\n-old\n+new\n')
    expect(lines.map(({ sign, before, after }) => [sign, before, after])).toEqual([
      ['file', null, null],
      ['file', null, null],
      ['@', null, null],
      [' ', 1, 1],
      ['-', 2, null],
      ['+', null, 2],
    ])
  })

  it('takes a removed line that looks like a header as content', () => {
    const lines = parseDiff('@@ -1,2 +0,0 @@\n--- not a file\n-@@ -9 +9 @@\n--- a/y.ts')
    expect(lines.map(({ sign }) => sign)).toEqual(['@', '-', '-', 'file'])
  })

  it('reads hunks without counts, missing line ends and several files', () => {
    const diff =
      '@@ -3 +3 @@\n-a\n\\ No newline at end of file\n+b\n\\ No newline at end of file\ndiff --git a/z b/z\n'
    const lines = parseDiff(diff)
    expect(lines.map(({ sign }) => sign)).toEqual(['@', '-', '@', '+', 'file'])
    expect(lines[3]).toMatchObject({ text: 'b', after: 3 })
  })

  it('survives text that is not a diff', () => {
    expect(parseDiff('').length).toBe(0)
    expect(parseDiff('=====\n--- a\n+++ b\n').length).toBe(2)
    expect(parseDiff('Binary files differ').map(({ sign }) => sign)).toEqual(['file'])
  })
})
