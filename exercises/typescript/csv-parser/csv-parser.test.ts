import { describe, expect, it } from '@jest/globals'
import { CsvError, type CsvOptions, parseCsv } from './csv-parser.ts'

function mistakeIn(text: string, options: CsvOptions = {}): unknown {
  try {
    if (options.header) parseCsv(text, { ...options, header: true })
    else parseCsv(text, { ...options, header: false })
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    const { code, line, column, message } = error
    if (!message.endsWith(`(line ${line}, column ${column})`)) return message
    return [code, line, column]
  }
  return 'no mistake'
}

describe('rows', () => {
  it('splits rows into fields', () => {
    expect(parseCsv('a,b\nc,d')).toEqual([
      ['a', 'b'],
      ['c', 'd'],
    ])
  })

  it('accepts every kind of line break', () => {
    expect(parseCsv('a\nb\r\nc\rd')).toEqual([['a'], ['b'], ['c'], ['d']])
  })

  it('a line break at the end starts no further row', () => {
    expect(parseCsv('a\n')).toEqual([['a']])
    expect(parseCsv('a\r\n')).toEqual([['a']])
    expect(parseCsv('"a"\r')).toEqual([['a']])
  })

  it('nothing but line breaks is no row', () => {
    expect(parseCsv('')).toEqual([])
    expect(parseCsv('\n\r\n\r')).toEqual([])
  })

  it('skips empty lines but not a pair of quotes or a space', () => {
    expect(parseCsv('a\n\n""\r\n\r\n \nb')).toEqual([['a'], [''], [' '], ['b']])
  })

  it('keeps empty fields', () => {
    expect(parseCsv(',\na,,b,\n,a')).toEqual([
      ['', ''],
      ['a', '', 'b', ''],
      ['', 'a'],
    ])
  })

  it('keeps an empty field after a delimiter at the end of the text', () => {
    expect(parseCsv('a,')).toEqual([['a', '']])
    expect(parseCsv('"a",')).toEqual([['a', '']])
  })

  it('does not trim fields', () => {
    expect(parseCsv(' a , b\t')).toEqual([[' a ', ' b\t']])
  })

  it('lets rows differ in length', () => {
    expect(parseCsv('a\nb,c,d\ne,f')).toEqual([['a'], ['b', 'c', 'd'], ['e', 'f']])
  })
})

describe('quotes', () => {
  it('keep delimiters as they are', () => {
    expect(parseCsv('"a,b",c\nd,"e,"')).toEqual([
      ['a,b', 'c'],
      ['d', 'e,'],
    ])
  })

  it('keep line breaks exactly as they are written', () => {
    expect(parseCsv('"a\r\nb","c\nd"\r\n"e\rf\n\n"')).toEqual([['a\r\nb', 'c\nd'], ['e\rf\n\n']])
  })

  it('may be doubled to stand for one quote', () => {
    expect(parseCsv('"say ""hi""",""""\n"""",""""""')).toEqual([
      ['say "hi"', '"'],
      ['"', '""'],
    ])
  })

  it('may hold nothing', () => {
    expect(parseCsv('"",a,""')).toEqual([['', 'a', '']])
  })
})

describe('byte order mark', () => {
  it('is ignored at the beginning', () => {
    expect(parseCsv('\uFEFFa,b')).toEqual([['a', 'b']])
    expect(parseCsv('\uFEFF"a",b')).toEqual([['a', 'b']])
    expect(parseCsv('\uFEFF')).toEqual([])
  })

  it('is an ordinary character anywhere else', () => {
    expect(parseCsv('\uFEFF\uFEFFa\n\uFEFF')).toEqual([['\uFEFFa'], ['\uFEFF']])
  })

  it('does not count as a column', () => {
    expect(mistakeIn('\uFEFFab"')).toEqual(['unexpected-quote', 1, 3])
  })
})

describe('delimiter', () => {
  it('can be any other character', () => {
    expect(parseCsv('a;"b;c";1,5', { delimiter: ';' })).toEqual([['a', 'b;c', '1,5']])
    expect(parseCsv('a\tb', { delimiter: '\t' })).toEqual([['a', 'b']])
    expect(parseCsv('a|b.c', { delimiter: '|' })).toEqual([['a', 'b.c']])
    expect(parseCsv('a.b', { delimiter: '.' })).toEqual([['a', 'b']])
    expect(parseCsv('a  b', { delimiter: ' ' })).toEqual([['a', '', 'b']])
  })

  it('has to be a single usable character', () => {
    for (const delimiter of ['', '||', '"', '\n', '\r', '\r\n']) {
      expect(() => parseCsv('a', { delimiter })).toThrow(RangeError)
    }
  })
})

describe('header', () => {
  it('names the fields of the other rows', () => {
    const text = 'id,full name\n1,"Lovelace, Ada"\n\n2,\n'
    expect(parseCsv(text, { header: true })).toEqual([
      { id: '1', 'full name': 'Lovelace, Ada' },
      { id: '2', 'full name': '' },
    ])
  })

  it('alone gives no records', () => {
    expect(parseCsv('a,b\n', { header: true })).toEqual([])
    expect(parseCsv('\n', { header: true })).toEqual([])
  })

  it('is not touched by the byte order mark', () => {
    expect(parseCsv('\uFEFFid\n7', { header: true })).toEqual([{ id: '7' }])
  })

  it('may use any name', () => {
    const [record] = parseCsv('__proto__,\n1,2', { header: true })
    expect(Object.keys(record)).toEqual(['__proto__', ''])
    expect(Object.values(record)).toEqual(['1', '2'])
    expect(Object.keys({})).toEqual([])
  })

  it('must not name a column twice', () => {
    expect(mistakeIn('a,b,"a"\n', { header: true })).toEqual(['duplicate-column', 1, 5])
    expect(mistakeIn('\n"x\ny",,\n', { header: true })).toEqual(['duplicate-column', 3, 5])
    expect(mistakeIn('a,a')).toBe('no mistake')
  })

  it('demands the same number of fields in every row', () => {
    expect(mistakeIn('a,b\n1,2\n3\n', { header: true })).toEqual(['field-count', 3, 1])
    expect(mistakeIn('a,b\n1,2,3', { header: true })).toEqual(['field-count', 2, 1])
    expect(mistakeIn('a\n""', { header: true })).toBe('no mistake')
  })
})

describe('mistakes', () => {
  it('a quote inside an unquoted field', () => {
    expect(mistakeIn('a,b"c"')).toEqual(['unexpected-quote', 1, 4])
    expect(mistakeIn('a, "b"')).toEqual(['unexpected-quote', 1, 4])
  })

  it('text after a quoted field', () => {
    expect(mistakeIn('"a"b,c')).toEqual(['text-after-quote', 1, 4])
    expect(mistakeIn('x,"a" ,c')).toEqual(['text-after-quote', 1, 6])
    expect(mistakeIn('"a"""b')).toEqual(['text-after-quote', 1, 6])
  })

  it('a quoted field that is never closed', () => {
    expect(mistakeIn('a\nb,"c\nd,e\n')).toEqual(['unterminated-quote', 2, 3])
    expect(mistakeIn('"')).toEqual(['unterminated-quote', 1, 1])
    expect(mistakeIn('a,"b""')).toEqual(['unterminated-quote', 1, 3])
  })

  it('lines are counted as an editor counts them', () => {
    expect(mistakeIn('a\r\n\r\nb\rc"')).toEqual(['unexpected-quote', 4, 2])
    expect(mistakeIn('"1\r\n2\r3\n4"x')).toEqual(['text-after-quote', 4, 3])
    expect(mistakeIn('"1\n2","3\r\n",x"')).toEqual(['unexpected-quote', 3, 4])
  })

  it('columns are counted in UTF-16 code units', () => {
    expect(mistakeIn('😀,é"')).toEqual(['unexpected-quote', 1, 5])
  })

  it('the first mistake is reported', () => {
    expect(mistakeIn('a,a\n1,2\nb"', { header: true })).toEqual(['duplicate-column', 1, 3])
    expect(mistakeIn('a,b\n1\n2,"x"y', { header: true })).toEqual(['field-count', 2, 1])
    expect(mistakeIn('a,b\n1,2,3"', { header: true })).toEqual(['unexpected-quote', 2, 6])
    expect(mistakeIn('x"\n"y')).toEqual(['unexpected-quote', 1, 2])
  })

  it('are errors of their own class', () => {
    expect(() => parseCsv('"')).toThrow(CsvError)
    expect(() => parseCsv('"')).toThrow(Error)
  })
})
