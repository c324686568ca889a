import { describe, expect, it } from 'vitest'
import { appendRange, findLines, NO_LINES, parseRange } from './log-lines.ts'

const range = (text: string, nextOffset: number | null = 1) => ({
  text,
  offset: 0,
  nextOffset,
  sizeBytes: 99,
})
const read = (...texts: string[]) =>
  texts.reduce((log, text) => appendRange(log, range(text)), NO_LINES).lines

describe('a log read in ranges', () => {
  it('makes the same lines wherever it is cut', () => {
    const text = 'one\ntwo\n\nfour\n'
    const cuts = Array.from({ length: text.length + 1 }, (_, at) => [
      text.slice(0, at),
      text.slice(at),
    ])
    for (const parts of cuts) expect(read(...parts)).toEqual(['one', 'two', '', 'four'])
  })

  it('keeps a last line without an end, and empty logs empty', () => {
    expect(read('one\ntwo')).toEqual(['one', 'two'])
    expect(read('', '')).toEqual([])
  })

  it('finds lines through colours, in any case', () => {
    expect(findLines(['\u001b[31mFA\u001b[0mIL x', 'pass', 'fail'], 'fail')).toEqual([0, 2])
    expect(findLines(['a'], '')).toEqual([])
  })

  it('refuses an answer that is no range', () => {
    expect(parseRange({ text: 'a', offset: 0, nextOffset: null, sizeBytes: 1 })).toEqual({
      text: 'a',
      offset: 0,
      nextOffset: null,
      sizeBytes: 1,
    })
    for (const answer of [null, 'x', {}, { text: 1, offset: 0, sizeBytes: 1 }])
      expect(parseRange(answer)).toBeNull()
  })
})
