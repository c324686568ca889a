import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type SseEvent, SseParser } from './sse-parser.ts'

function parse(pieces: readonly Uint8Array[], limit = 1 << 20) {
  const events: SseEvent[] = []
  const parser = new SseParser(limit, (event) => events.push(event))
  for (const piece of pieces) parser.push(piece)
  parser.end()
  return { events, oversized: parser.oversized }
}

function cutAt(bytes: Uint8Array, cuts: readonly number[]): Uint8Array[] {
  const ends = [...new Set(cuts.map((cut) => cut % (bytes.length + 1)))].sort((a, b) => a - b)
  const bounds = [0, ...ends, bytes.length]
  return bounds.slice(1).map((end, index) => bytes.subarray(bounds[index], end))
}

const text = (value: string) => [Buffer.from(value)]

describe('server-sent events', () => {
  it.each([
    ['one event', 'event: a\ndata: 1\n\n', [{ name: 'a', data: '1' }]],
    ['CRLF', 'data: 1\r\n\r\ndata: 2\r\n\r\n', [ev('1'), ev('2')]],
    ['CR alone', 'data: 1\r\rdata: 2\r\r', [ev('1'), ev('2')]],
    ['several data lines', 'data: 1\ndata: 2\n\n', [ev('1\n2')]],
    ['no space after the colon', 'data:1\n\n', [ev('1')]],
    ['only one space goes', 'data:  1\n\n', [ev(' 1')]],
    ['comments and other fields', ': ping\n\nid: 7\nretry: 1\ndata: 1\n\n', [ev('1')]],
    ['an event without data', 'event: a\n\ndata: 1\n\n', [ev('1')]],
    ['a byte order mark', '\uFEFFdata: 1\n\n', [ev('1')]],
    ['no blank line at the end', 'data: 1\n\ndata: 2', [ev('1'), ev('2')]],
    ['nothing', '', []],
  ])('%s', (_what, input, events) => {
    expect(parse(text(input)).events).toEqual(events)
  })

  it('gives the same events however the bytes are cut', () => {
    const piece = fc.constantFrom(
      'data: ',
      'event: x',
      '\n',
      '\r\n',
      '\r',
      '\n\n',
      ': c',
      'ä€𝄞',
      '{"a":1}',
      ':',
      '\uFEFF',
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), fc.array(fc.nat()), (parts, cuts) => {
        const bytes = Buffer.from(parts.join(''))
        const whole = parse([bytes])
        expect(parse(cutAt(bytes, cuts))).toEqual(whole)
        expect(parse([...bytes].map((byte) => Uint8Array.of(byte)))).toEqual(whole)
      }),
      { numRuns: 500 },
    )
  })

  it('leaves out an event over the limit, counts it, and goes on', () => {
    const big = `data: ${'x'.repeat(200)}\n\n`
    const inLines = `${'data: 0123456789\n'.repeat(20)}\n`
    const { events, oversized } = parse(
      text(`data: 1\n\n${big}data: 2\n\n${inLines}data: 3\n\n`),
      100,
    )
    expect(events).toEqual([ev('1'), ev('2'), ev('3')])
    expect(oversized).toBe(2)
  })

  it.each([
    ['LF', '\n'],
    ['CRLF', '\r\n'],
    ['CR', '\r'],
  ])('finds the end of a large event however it is cut, with lines ended by %s', (_name, end) => {
    const line = `data: ${'€'.repeat(150)}${end}`
    const large = `event: large${end}${line.repeat(4)}${end}`
    const bytes = Buffer.from(
      `data: 1${end}${end}${large}data: 2${end}${end}${large}data: 3${end}data: 4${end}${end}`,
    )
    const expected = { events: [ev('1'), ev('2'), ev('3\n4')], oversized: 2 }
    expect(parse([bytes], 200)).toEqual(expected)
    expect(
      parse(
        [...bytes].map((byte) => Uint8Array.of(byte)),
        200,
      ),
    ).toEqual(expected)
    fc.assert(
      fc.property(fc.array(fc.nat()), (cuts) => {
        expect(parse(cutAt(bytes, cuts), 200)).toEqual(expected)
      }),
      { numRuns: 300 },
    )
  })

  it('counts the limit in bytes', () => {
    const [fits, large] = ['€'.repeat(33), '€'.repeat(34)].map((data) => `data: ${data}\n\n`)
    expect(parse(text(`${fits}${large}`), 100)).toEqual({
      events: [ev('€'.repeat(33))],
      oversized: 1,
    })
  })

  it('leaves out a large event that never ends, and one in a comment', () => {
    expect(parse(text(`data: 1\n\ndata: ${'x'.repeat(200)}`), 100)).toEqual({
      events: [ev('1')],
      oversized: 1,
    })
    const comment = [...text(`: ${'x'.repeat(200)}`), ...text('\ndata: 1\n\ndata: 2\n\n')]
    expect(parse(comment, 100)).toEqual({ events: [ev('2')], oversized: 1 })
  })

  it('takes the first event when it has come whole, before the stream goes on', () => {
    const events: SseEvent[] = []
    const parser = new SseParser(100, (event) => events.push(event))
    parser.push(Buffer.from('data: 1\r\n\r\n'))
    expect(events).toEqual([ev('1')])
  })
})

function ev(data: string): SseEvent {
  return { name: null, data }
}
