import { describe, it, expect } from '@jest/globals'
import { diffLines, formatHunks, type Hunk } from './text-diff.ts'

const NO_NEWLINE = '\\ No newline at end of file'

/** Every word is a line. */
const textOf = (words: string): string =>
  words
    .split(' ')
    .filter((word) => word !== '')
    .map((word) => `${word}\n`)
    .join('')

const linesOf = (text: string): string[] => text.match(/[^\n]*\n|[^\n]+$/g) ?? []

const numbered = (count: number): string[] => Array.from({ length: count }, (_, i) => `line ${i}`)

const formatDiff = (oldText: string, newText: string, context?: number): string[] => {
  const written = formatHunks(diffLines(oldText, newText, context))
  expect(written === '' || written.endsWith('\n')).toBe(true)
  return written.split('\n').slice(0, -1)
}

/** Puts the newlines back that the hunk leaves out. */
function entriesOf(hunk: Hunk): { kind: string; line: string }[] {
  return hunk.lines.flatMap((entry, i) => {
    if (entry === NO_NEWLINE) return []
    const end = hunk.lines[i + 1] === NO_NEWLINE ? '' : '\n'
    return [{ kind: entry[0], line: entry.slice(1) + end }]
  })
}

/** Applies the hunks to the old text and checks every number and line in them on the way. */
function applyHunks(oldText: string, hunks: readonly Hunk[]): string {
  const oldLines = linesOf(oldText)
  const newLines: string[] = []
  let position = 0
  for (const hunk of hunks) {
    const entries = entriesOf(hunk)
    const before = entries.filter(({ kind }) => kind !== '+').map(({ line }) => line)
    const after = entries.filter(({ kind }) => kind !== '-').map(({ line }) => line)
    const start = hunk.oldLines === 0 ? hunk.oldStart : hunk.oldStart - 1

    newLines.push(...oldLines.slice(position, start))
    expect(hunk.oldLines).toBe(before.length)
    expect(hunk.newLines).toBe(after.length)
    expect(oldLines.slice(start, start + before.length)).toEqual(before)
    expect(hunk.newStart).toBe(after.length === 0 ? newLines.length : newLines.length + 1)

    newLines.push(...after)
    position = start + before.length
  }
  return [...newLines, ...oldLines.slice(position)].join('')
}

const countEdits = (hunks: readonly Hunk[]): number =>
  hunks.flatMap(entriesOf).filter(({ kind }) => kind !== ' ').length

function fewestEdits(oldText: string, newText: string): number {
  const oldLines = linesOf(oldText)
  const newLines = linesOf(newText)
  let row = newLines.map((_, i) => i + 1)
  row.unshift(0)
  for (const oldLine of oldLines) {
    const next = [row[0] + 1]
    newLines.forEach((newLine, i) => {
      next.push(oldLine === newLine ? row[i] : Math.min(row[i + 1], next[i]) + 1)
    })
    row = next
  }
  return row[newLines.length]
}

function expectMinimal(oldText: string, newText: string, context?: number): void {
  const hunks = diffLines(oldText, newText, context)
  expect(applyHunks(oldText, hunks)).toBe(newText)
  expect(countEdits(hunks)).toBe(fewestEdits(oldText, newText))
}

/** The same sequence of numbers below the limit on every machine. */
function dice(seed: number): (limit: number) => number {
  let state = seed
  return (limit) => {
    state = (state * 1103515245 + 12345) % 2147483648
    return Math.floor((state / 2147483648) * limit)
  }
}

describe('a single change', () => {
  it('shows removed lines before added ones, with context around', () => {
    expect(diffLines(textOf('a b c'), textOf('a x c'))).toEqual([
      { oldStart: 1, oldLines: 3, newStart: 1, newLines: 3, lines: [' a', '-b', '+x', ' c'] },
    ])
  })

  it('shows a block of changes as all removals and then all additions', () => {
    expect(diffLines(textOf('a b c d'), textOf('a x y d'))[0].lines).toEqual([
      ' a',
      '-b',
      '-c',
      '+x',
      '+y',
      ' d',
    ])
  })

  it('has three lines of context unless told otherwise', () => {
    const oldText = textOf('a b c d e f g h i')
    const newText = textOf('a b c d X f g h i')
    expect(formatDiff(oldText, newText)).toEqual([
      '@@ -2,7 +2,7 @@',
      ' b',
      ' c',
      ' d',
      '-e',
      '+X',
      ' f',
      ' g',
      ' h',
    ])
    expect(formatDiff(oldText, newText, 1)).toEqual(['@@ -4,3 +4,3 @@', ' d', '-e', '+X', ' f'])
  })

  it('has less context at the beginning and at the end of a text', () => {
    expect(formatDiff(textOf('a b c d e f'), textOf('a X c d e f'), 2)[0]).toBe('@@ -1,4 +1,4 @@')
    expect(formatDiff(textOf('a b c d e f'), textOf('a b c d e'), 2)).toEqual([
      '@@ -4,3 +4,2 @@',
      ' d',
      ' e',
      '-f',
    ])
  })

  it('does not exist between equal texts', () => {
    expect(diffLines(textOf('a b'), textOf('a b'))).toEqual([])
    expect(diffLines('', '')).toEqual([])
    expect(formatHunks([])).toBe('')
  })
})

describe('headers', () => {
  it('leave out a count of one', () => {
    expect(formatDiff(textOf('a'), textOf('b'))[0]).toBe('@@ -1 +1 @@')
    expect(formatDiff(textOf('a b c'), textOf('a x y c'), 0)[0]).toBe('@@ -2 +2,2 @@')
  })

  it('name the line before if one side shows no lines', () => {
    expect(formatDiff(textOf('a b c d'), textOf('a b X c d'), 0)).toEqual(['@@ -2,0 +3 @@', '+X'])
    expect(formatDiff(textOf('a b c d'), textOf('a b d'), 0)).toEqual(['@@ -3 +2,0 @@', '-c'])
  })

  it('name line zero before the beginning of a text', () => {
    expect(formatDiff(textOf('b'), textOf('a b'), 0)).toEqual(['@@ -0,0 +1 @@', '+a'])
    expect(formatDiff(textOf('a b'), textOf('b'), 0)).toEqual(['@@ -1 +0,0 @@', '-a'])
  })

  it('are right for empty texts', () => {
    expect(formatDiff('', textOf('a b'))).toEqual(['@@ -0,0 +1,2 @@', '+a', '+b'])
    expect(formatDiff(textOf('a b'), '')).toEqual(['@@ -1,2 +0,0 @@', '-a', '-b'])
  })

  it('count on in the new text after lines were added and removed', () => {
    const oldText = textOf('a b c d e f g h i j')
    const newText = textOf('X Y a b c d e f g i j')
    expect(diffLines(oldText, newText, 1)).toEqual([
      { oldStart: 1, oldLines: 1, newStart: 1, newLines: 3, lines: ['+X', '+Y', ' a'] },
      { oldStart: 7, oldLines: 3, newStart: 9, newLines: 2, lines: [' g', '-h', ' i'] },
    ])
  })
})

describe('near changes', () => {
  const twoChanges = (distance: number, context: number): Hunk[] => {
    const between = numbered(distance).join('\n')
    const body = between === '' ? '' : `${between}\n`
    return diffLines(`a\n${body}b\n`, body, context)
  }

  it('share a hunk if their contexts overlap', () => {
    expect(formatDiff(textOf('a b c d e'), textOf('a X c Y e'), 1)).toEqual([
      '@@ -1,5 +1,5 @@',
      ' a',
      '-b',
      '+X',
      ' c',
      '-d',
      '+Y',
      ' e',
    ])
  })

  it('share a hunk if their contexts just touch', () => {
    expect(twoChanges(6, 3).length).toBe(1)
    expect(twoChanges(2, 1).length).toBe(1)
  })

  it('have hunks of their own if one more line stands between them', () => {
    expect(twoChanges(7, 3).length).toBe(2)
    expect(twoChanges(3, 1).length).toBe(2)
    expect(twoChanges(7, 3).map((hunk) => hunk.oldLines)).toEqual([4, 4])
  })

  it('have hunks of their own without context, unless nothing stands between them', () => {
    expect(twoChanges(1, 0).length).toBe(2)
    expect(twoChanges(0, 0).length).toBe(1)
  })
})

describe('newlines', () => {
  it('are reported missing after the line that has none', () => {
    expect(formatDiff('a\nb', 'a\nc')).toEqual([
      '@@ -1,2 +1,2 @@',
      ' a',
      '-b',
      NO_NEWLINE,
      '+c',
      NO_NEWLINE,
    ])
  })

  it('make a difference of their own', () => {
    expect(formatDiff('a\nb', 'a\nb\n')).toEqual(['@@ -1,2 +1,2 @@', ' a', '-b', NO_NEWLINE, '+b'])
    expect(formatDiff('a\nb\n', 'a\nb')).toEqual(['@@ -1,2 +1,2 @@', ' a', '-b', '+b', NO_NEWLINE])
  })

  it('are reported missing once after an unchanged line', () => {
    expect(diffLines('a\nb', 'X\nb')).toEqual([
      { oldStart: 1, oldLines: 2, newStart: 1, newLines: 2, lines: ['-a', '+X', ' b', NO_NEWLINE] },
    ])
  })

  it('tell a last line from the same line in the middle', () => {
    expect(formatDiff('a', 'a\nb\n')).toEqual(['@@ -1 +1,2 @@', '-a', NO_NEWLINE, '+a', '+b'])
  })

  it('make empty lines, which are lines like any other', () => {
    expect(formatDiff('\n', '\n\n', 0).slice(1)).toEqual(['+'])
    expect(formatDiff('', '\n')).toEqual(['@@ -0,0 +1 @@', '+'])
    expect(formatDiff('a\n\n', 'a\n')).toEqual(['@@ -1,2 +1 @@', ' a', '-'])
  })

  it('do not include carriage returns', () => {
    expect(formatDiff('a\r\nb\r\n', 'a\nb\r\n')).toEqual(['@@ -1,2 +1,2 @@', '-a\r', '+a', ' b\r'])
    expect(diffLines('a\rb', 'a\rc')[0].oldLines).toBe(1)
  })
})

describe('the number of edits', () => {
  it('is as small as possible where a moved block could mislead', () => {
    expectMinimal(textOf('a b c x y z'), textOf('x y z a b c'))
    expectMinimal(textOf('a b c d e f'), textOf('f a b c d e'))
    expectMinimal(textOf('x a b c d'), textOf('a b c d x'))
  })

  it('is as small as possible where lines repeat', () => {
    expectMinimal(textOf('a b c a b b a'), textOf('c b a b a c'))
    expectMinimal(textOf('a a a b a a'), textOf('a a b a a a'))
    expectMinimal(textOf('{ } { x } { }'), textOf('{ } { } { x } { }'))
  })

  it('is as small as possible for many random texts, and the hunks are right', () => {
    const roll = dice(20)
    const randomText = (): string => {
      const lines = Array.from({ length: roll(11) }, () => 'abc'[roll(3)])
      return lines.join('\n') + (lines.length > 0 && roll(3) > 0 ? '\n' : '')
    }
    for (let round = 0; round < 120; round += 1) expectMinimal(randomText(), randomText(), roll(4))
  })

  it('is found quickly in long texts with few changes', () => {
    const lines = numbered(3000)
    const changed = lines.flatMap((line, i) => {
      if (i % 500 === 250) return []
      return i % 600 === 300 ? [line, `new ${i}`] : [line]
    })
    const hunks = diffLines(`${lines.join('\n')}\n`, `${changed.join('\n')}\n`)
    expect(countEdits(hunks)).toBe(11)
    expect(hunks.length).toBe(11)
  })

  it('is found quickly in texts that have nothing in common', () => {
    const oldText = `${numbered(400).join('\n')}\n`
    const hunks = diffLines(oldText, oldText.replaceAll('line', 'row'))
    expect(hunks.length).toBe(1)
    expect(countEdits(hunks)).toBe(800)
  })
})

describe('the context', () => {
  it('must be a non-negative integer', () => {
    expect(() => diffLines('a', 'b', -1)).toThrow(RangeError)
    expect(() => diffLines('a', 'b', 1.5)).toThrow(RangeError)
    expect(() => diffLines('a', 'a', Number.NaN)).toThrow(RangeError)
  })

  it('may be larger than the text', () => {
    expect(diffLines(textOf('a b c'), textOf('a b d'), 1000)[0].lines.length).toBe(4)
  })
})
