import { describe, expect, it } from 'vitest'
import {
  addLines,
  addWindow,
  appendRange,
  lineAt,
  missingPages,
  NO_LINES,
  NO_LIVE_LINES,
  PAGE_LINES,
  parsePart,
  parseWindow,
  startPages,
} from './log-lines.ts'

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
})

const lines = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ text: `${at}`, restBytes: 0 }))
const first = { text: 'one\ntwo\nthr', offset: 0, nextOffset: 11, sizeBytes: 1100 }

describe('the pages of a log', () => {
  it('begin with the first range, whole or as a guess', () => {
    expect(startPages({ ...first, nextOffset: null })).toMatchObject({
      whole: ['one', 'two', 'thr'],
      isExact: true,
      total: 3,
    })
    const log = startPages(first)
    expect(log).toMatchObject({ whole: null, isExact: false, total: 300 })
    expect(lineAt(log, 1)?.text).toBe('two')
    expect(lineAt(log, 2)).toBeNull()
  })

  it('ask for what is seen and not here', () => {
    const log = addWindow(startPages(first), {
      first: PAGE_LINES,
      lines: lines(PAGE_LINES),
      total: 1000,
      isExact: true,
      sizeBytes: 1100,
    })
    expect(missingPages(log, 250, 600)).toEqual([0, 2])
    expect(missingPages(log, 256, 300)).toEqual([])
    expect(lineAt(log, 300)?.text).toBe('44')
  })

  it('hold a window of the log and no more', () => {
    let log = startPages(first) as Parameters<typeof addWindow>[0]
    for (let page = 0; page < 100; page++) {
      const window = {
        first: page * PAGE_LINES,
        lines: lines(PAGE_LINES),
        total: 1e7,
        isExact: true,
        sizeBytes: 1,
      }
      log = addWindow(log, window)
    }
    expect(log.pages.size).toBe(16)
    expect(lineAt(log, 99 * PAGE_LINES)).not.toBeNull()
    expect(lineAt(log, 0)).toBeNull()
  })

  it('refuse answers that are none', () => {
    const window = { first: 0, lines: lines(1), total: 1, isExact: true, sizeBytes: 1 }
    expect(parseWindow(window)).toEqual(window)
    for (const wrong of [null, 1, {}, { ...window, lines: [1] }, { ...window, total: '1' }])
      expect(parseWindow(wrong)).toBeNull()
    expect(parsePart('{"hits":[]}')).toEqual({ hits: [] })
    expect(parsePart('{"partial":null}')).toEqual({ partial: null })
    for (const wrong of ['1', '{}', '{"hits":1}']) expect(parsePart(wrong)).toBeNull()
  })
})

const line = (text: string, source = 'a', open = false) => ({ source, text, ...(open && { open }) })
const texts = (log: ReturnType<typeof addLines>) => log.lines.map(({ text }) => text)

describe('a live log in the page', () => {
  it('puts lines together that came in pieces, each source by itself', () => {
    let log = addLines(NO_LIVE_LINES, [line('one '), line('half ', 'a', true), line('other', 'b')])
    log = addLines(log, [
      line('of ', 'a', true),
      line('next', 'b'),
      line('it', 'a'),
      line('new', 'a'),
    ])
    expect(texts(log)).toEqual(['one ', 'half of it', 'other', 'next', 'new'])
  })

  it('holds so many lines and so much of one, and counts the rest', () => {
    const many = Array.from({ length: 30_000 }, (_, index) => line(String(index)))
    const log = addLines(addLines(NO_LIVE_LINES, [line('x'.repeat(5000))]), many)
    expect(log.lines.length).toBe(10_000)
    expect(log.dropped).toBe(20_001)
    expect(texts(log).at(-1)).toBe('29999')
    const long = addLines(NO_LIVE_LINES, [
      line('x'.repeat(1500), 'a', true),
      line('y'.repeat(1500)),
    ])
    expect(long.lines).toEqual([
      { source: 'a', text: 'x'.repeat(1500) + 'y'.repeat(500), rest: 1000 },
    ])
  })

  it('begins a new line when the one that went on is gone', () => {
    let log = addLines(NO_LIVE_LINES, [line('endless', 'b', true)])
    log = addLines(
      log,
      Array.from({ length: 30_000 }, () => line('x')),
    )
    expect(texts(addLines(log, [line('end', 'b')])).at(-1)).toBe('end')
  })
})
