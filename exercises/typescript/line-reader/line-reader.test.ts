import { describe, it, expect } from '@jest/globals'
import { LineReader, LineTooLongError, type LineReaderOptions } from './line-reader.ts'

function createReader(options?: LineReaderOptions) {
  const lines: string[] = []
  const numbers: number[] = []
  const reader = new LineReader((line, lineNumber) => {
    lines.push(line)
    numbers.push(lineNumber)
  }, options)
  /** The lines handed over since the last call. */
  const take = () => lines.splice(0)
  return { reader, take, numbers }
}

function read(...chunks: (string | Uint8Array)[]): string[] {
  const { reader, take } = createReader()
  for (const chunk of chunks) reader.push(chunk)
  reader.flush()
  return take()
}

function caught(action: () => void): unknown {
  try {
    action()
  } catch (error) {
    return error
  }
  return undefined
}

const bytes = (text: string) => new TextEncoder().encode(text)
const each = (text: string) => [...bytes(text)].map((byte) => Uint8Array.of(byte))

describe('lines', () => {
  it('are put together across chunks', () => {
    expect(read('one\ntw', 'o', '\nthr', 'ee\n')).toEqual(['one', 'two', 'three'])
  })

  it('are handed over as soon as they are complete', () => {
    const { reader, take } = createReader()
    reader.push('a')
    expect(take()).toEqual([])
    reader.push('b\nc\nd')
    expect(take()).toEqual(['ab', 'c'])
    reader.push('\n')
    expect(take()).toEqual(['d'])
    reader.flush()
    expect(take()).toEqual([])
  })

  it('may end with any of the three line breaks', () => {
    expect(read('a\nb\r\nc\rd')).toEqual(['a', 'b', 'c', 'd'])
  })

  it('may be empty', () => {
    expect(read('\n\na\n\n\nb')).toEqual(['', '', 'a', '', '', 'b'])
    expect(read('\r\r\n\n\r')).toEqual(['', '', '', ''])
  })

  it('do not end at other separators', () => {
    const line = 'a\u2028b\u2029c\u0085d\ve\ff'
    expect(read(`${line}\n${line}`)).toEqual([line, line])
  })

  it('keep spaces and tabs at both ends', () => {
    expect(read(' a \n\tb\t\r\n ')).toEqual([' a ', '\tb\t', ' '])
  })

  it('are counted from 1', () => {
    const { reader, numbers } = createReader()
    reader.push('a\n\nb')
    reader.push('\nc')
    reader.flush()
    expect(numbers).toEqual([1, 2, 3, 4])
  })
})

describe('line breaks between chunks', () => {
  it('make no empty line when \\r and \\n are apart', () => {
    expect(read('a\r', '\nb\r', '\n', 'c')).toEqual(['a', 'b', 'c'])
    expect(read(...each('a\r\nb\r\n\r\nc'))).toEqual(['a', 'b', '', 'c'])
  })

  it('hand over the line at the \\r without waiting for more', () => {
    const { reader, take } = createReader()
    reader.push('a\r')
    expect(take()).toEqual(['a'])
    reader.push('\n')
    expect(take()).toEqual([])
    reader.push('\n')
    expect(take()).toEqual([''])
  })

  it('are complete when something else follows the \\r', () => {
    expect(read('a\r', 'b\r', '\r', '\nc')).toEqual(['a', 'b', '', 'c'])
  })

  it('are not disturbed by empty chunks', () => {
    expect(read('a\r', '', '\nb', '', 'c\r', new Uint8Array(), '\n')).toEqual(['a', 'bc'])
    expect(read('', new Uint8Array(0))).toEqual([])
  })
})

describe('flush', () => {
  it('hands over the rest only if there is some', () => {
    expect(read('a\nb')).toEqual(['a', 'b'])
    expect(read('a\n')).toEqual(['a'])
    expect(read('a\r')).toEqual(['a'])
    expect(read('\n')).toEqual([''])
    expect(read()).toEqual([])
  })

  it('makes the reader ready for another text', () => {
    const { reader, take, numbers } = createReader()
    reader.push('a\nb')
    reader.flush()
    reader.flush()
    reader.push('c\n')
    expect(take()).toEqual(['a', 'b', 'c'])
    expect(numbers).toEqual([1, 2, 1])
  })

  it('forgets a \\r at the end', () => {
    const { reader, take } = createReader()
    reader.push('a\r')
    reader.flush()
    reader.push('\nb')
    reader.flush()
    expect(take()).toEqual(['a', '', 'b'])
  })
})

describe('bytes', () => {
  it('are put together to characters across chunks', () => {
    const text = 'né€\n😀ß\nend'
    expect(read(bytes(text))).toEqual(['né€', '😀ß', 'end'])
    expect(read(...each(text))).toEqual(['né€', '😀ß', 'end'])
  })

  it('may be filled with something else after the push', () => {
    const { reader, take } = createReader()
    const buffer = new Uint8Array(2)
    for (const chunk of [
      [0x61, 0xe2],
      [0x82, 0xac],
      [0x62, 0x0a],
    ]) {
      buffer.set(chunk)
      reader.push(buffer)
      buffer.fill(0x78)
    }
    expect(take()).toEqual(['a€b'])
  })

  it('may be part of a larger buffer', () => {
    const whole = bytes('xxé\nyy')
    expect(read(whole.subarray(2, 5), whole.subarray(5, 6))).toEqual(['é', 'y'])
  })

  it('that are not valid become U+FFFD', () => {
    expect(read(Uint8Array.of(0x61, 0xff, 0x62, 0x0a, 0xc3, 0x28))).toEqual(['a\uFFFDb', '\uFFFD('])
    expect(read(Uint8Array.of(0xe2), Uint8Array.of(0x0a, 0x61))).toEqual(['\uFFFD', 'a'])
  })

  it('of an unfinished character become U+FFFD at the end', () => {
    expect(read('a\n', Uint8Array.of(0xe2, 0x82))).toEqual(['a', '\uFFFD'])
    const { reader, take } = createReader()
    reader.push(Uint8Array.of(0xf0, 0x9f))
    reader.flush()
    reader.push(Uint8Array.of(0x98, 0x80))
    reader.flush()
    expect(take()).toEqual(['\uFFFD', '\uFFFD\uFFFD'])
  })

  it('may be mixed with strings, which end an unfinished character', () => {
    expect(read('a', bytes('é'), 'b\r', bytes('\nc'))).toEqual(['aéb', 'c'])
    expect(read(Uint8Array.of(0xc3), 'x', Uint8Array.of(0xa9))).toEqual(['\uFFFDx\uFFFD'])
    expect(read(Uint8Array.of(0xc3), '', Uint8Array.of(0xa9))).toEqual(['é'])
  })
})

describe('byte order mark', () => {
  it('is dropped at the start of a text, in bytes and in strings', () => {
    expect(read('\uFEFFa\nb')).toEqual(['a', 'b'])
    expect(read(bytes('\uFEFFa'))).toEqual(['a'])
    expect(read('', ...each('\uFEFFa\n'))).toEqual(['a'])
    expect(read('\uFEFF')).toEqual([])
  })

  it('is an ordinary character everywhere else', () => {
    expect(read('a', '\uFEFFb\n', '\uFEFFc')).toEqual(['a\uFEFFb', '\uFEFFc'])
    expect(read(bytes('\n'), bytes('\uFEFFa'))).toEqual(['', '\uFEFFa'])
    expect(read('\uFEFF\uFEFFa')).toEqual(['\uFEFFa'])
    expect(read('a', bytes('\uFEFFb'))).toEqual(['a\uFEFFb'])
  })

  it('is dropped again in the next text', () => {
    const { reader, take } = createReader()
    reader.push(bytes('\uFEFFa'))
    reader.flush()
    reader.push(bytes('\uFEFFb'))
    reader.flush()
    expect(take()).toEqual(['a', 'b'])
  })
})

describe('long lines', () => {
  it('are allowed up to the limit, not counting the line break', () => {
    const { reader, take } = createReader({ maxLineLength: 3 })
    reader.push('abc\nab')
    reader.push('c\r')
    reader.push('\nabc')
    reader.push('\r\n😀x')
    reader.flush()
    expect(take()).toEqual(['abc', 'abc', 'abc', '😀x'])
  })

  it('throw an error with the number of the line', () => {
    const { reader, take } = createReader({ maxLineLength: 3 })
    const error = caught(() => reader.push('abc\n\nabcd\nx\n'))
    expect(error).toBeInstanceOf(LineTooLongError)
    expect(error).toBeInstanceOf(Error)
    expect((error as LineTooLongError).lineNumber).toBe(3)
    expect(take()).toEqual(['abc', ''])
  })

  it('throw before their end has arrived', () => {
    const { reader } = createReader({ maxLineLength: 3 })
    reader.push('ab')
    reader.push('c')
    const error = caught(() => reader.push('d'))
    expect(error).toBeInstanceOf(LineTooLongError)
    expect((error as LineTooLongError).lineNumber).toBe(1)
  })

  it('count code units, so that an emoji has two', () => {
    const { reader } = createReader({ maxLineLength: 3 })
    expect(caught(() => reader.push('😀😀'))).toBeInstanceOf(LineTooLongError)
  })

  it('can come to light in a flush', () => {
    const { reader } = createReader({ maxLineLength: 1 })
    reader.push(Uint8Array.of(0x61, 0xe2))
    expect(caught(() => reader.flush())).toBeInstanceOf(LineTooLongError)
  })

  it('put the reader out of use for good', () => {
    const { reader, take } = createReader({ maxLineLength: 3 })
    const error = caught(() => reader.push('abcd'))
    expect(error).toBeInstanceOf(LineTooLongError)
    expect(caught(() => reader.push('\nx\n'))).toBe(error)
    expect(caught(() => reader.flush())).toBe(error)
    expect(caught(() => reader.push('y\n'))).toBe(error)
    expect(take()).toEqual([])
  })
})
