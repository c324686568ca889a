import { describe, expect, it } from 'vitest'
import {
  findLines,
  firstLine,
  groupDigits,
  nearestNames,
  plainText,
  toCsv,
  toMarkdown,
  unknownName,
} from './text.ts'

const KNOWN = ['lru-cache', 'csv-parser', 'rate-limiter', 'text-diff']

describe('nearestNames', () => {
  it.each([
    ['lru-cahce', 'lru-cache'],
    ['csv', 'csv-parser'],
    ['Rate-Limitr', 'rate-limiter'],
  ])('finds for %s the name %s first', (wanted, expected) => {
    expect(nearestNames(wanted, KNOWN)[0]).toBe(expected)
  })

  it('offers nothing for a word that is like none', () => {
    expect(nearestNames('zzzzzzzzzzzzzz', KNOWN)).toEqual([])
  })
})

describe('findLines', () => {
  it('finds lines through colours, in any case', () => {
    expect(findLines(['\u001b[31mFA\u001b[0mIL x', 'pass', 'fail'], 'fail')).toEqual([0, 2])
    expect(findLines(['a'], '')).toEqual([])
  })
})

describe('groupDigits', () => {
  const intl = new Intl.NumberFormat('en-US')
  it.each([0, 7, 999, 1000, 12_345, 999_999, 1_000_000, -1234, 1234.5678, 0.1 + 0.2, 12_345.9996])(
    'says %d as the locale does',
    (value) => {
      expect(groupDigits(value)).toBe(intl.format(value))
    },
  )
})

describe('unknownName', () => {
  it('says one line with the nearest names, or with all of them', () => {
    expect(unknownName('task', 'lru-cash', KNOWN)).toBe(
      'unknown task "lru-cash": did you mean lru-cache?',
    )
    expect(unknownName('task', 'zzzzzzzzzzzzzz', KNOWN)).toBe(
      `unknown task "zzzzzzzzzzzzzz": choose from ${KNOWN.join(', ')}`,
    )
  })
})

it('lets no name or reason move the cursor or reorder words', () => {
  expect(plainText('a\u001b[2Jb\u202ec\nd')).toBe('a⟨U+001B⟩[2Jb⟨U+202E⟩c⟨U+000A⟩d')
  expect(plainText('größe 漢字 🙂')).toBe('größe 漢字 🙂')
})

const ROWS = [
  ['name', 'rate'],
  ['=1+1', 0.5],
  ['a,"b"\n<i>|', null],
]

describe('tables as text', () => {
  it('writes CSV that no spreadsheet executes', () => {
    expect(toCsv(ROWS)).toBe('name,rate\r\n\'=1+1,0.5\r\n"a,""b""\n<i>|",\r\n')
    expect(toCsv([['\n=1+1'], ['＝1+1'], ['＠x']])).toBe("\"'\n=1+1\"\r\n'＝1+1\r\n'＠x\r\n")
  })

  it('writes no image, link or mention out of a cell, and leaves words with underscores alone', () => {
    const cells = ['![x](https://a.example/p.png)', '@someone', 'row_good _not_']
    expect(toMarkdown([['a_b', 'c', 'd'], cells]).split('\n')[2]).toBe(
      '| \\!\\[x\\]\\(https&#58;//a.example/p.png\\) | &#64;someone | row_good \\_not\\_ |',
    )
  })

  it('writes Markdown that no page renders as markup', () => {
    expect(toMarkdown(ROWS)).toBe(
      '| name | rate |\n| --- | --- |\n| =1+1 | 0.5 |\n| a,"b" &lt;i&gt;\\| | – |\n',
    )
  })

  it('writes fractions short in Markdown, and whole in CSV', () => {
    const rows = [
      ['rate', 'tokens', 'ms'],
      [0.8833333333333332, 32297.320754716, 17154],
    ]
    expect(toMarkdown(rows)).toContain('| 0.8833 | 32297.32 | 17154 |')
    expect(toCsv(rows)).toContain('0.8833333333333332,32297.320754716,17154')
  })
})

describe('firstLine', () => {
  it.each([
    ['  \n\n  the test failed  \nmore', 'the test failed'],
    ['x'.repeat(600), 'x'.repeat(500)],
    [' \n ', null],
    [null, null],
    [undefined, null],
  ])('%j', (message, line) => {
    expect(firstLine(message)).toBe(line)
  })
})
