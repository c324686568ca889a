import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { estimateLeft, formatCursor, frameEvent, parseCursor } from './live-view.ts'

const times = (...ms: number[]) => ({
  count: ms.length,
  sumMs: ms.reduce((sum, one) => sum + one, 0),
  sumSquaresMs: ms.reduce((sum, one) => sum + one * one, 0),
})

describe('estimateLeft', () => {
  it('is exact for equal durations, shared between the hands', () => {
    const left = estimateLeft(times(100, 100, 100, 100), { remaining: 10, hands: 2 })
    expect(left).toEqual({ lowMs: 500, highMs: 500, from: 4 })
  })

  it('is a range around the mean that narrows with what is sealed', () => {
    const few = estimateLeft(times(50, 100, 150), { remaining: 4, hands: 1 })
    const many = estimateLeft(times(...Array(20).fill([50, 100, 150]).flat()), {
      remaining: 4,
      hands: 1,
    })
    for (const left of [few, many]) {
      expect(left?.lowMs).toBeLessThan(400)
      expect(left?.highMs).toBeGreaterThan(400)
      expect(left?.lowMs).toBeGreaterThanOrEqual(0)
    }
    expect((many?.highMs ?? 0) - (many?.lowMs ?? 0)).toBeLessThan(
      (few?.highMs ?? 0) - (few?.lowMs ?? 0),
    )
  })

  it('has no more hands than episodes', () => {
    expect(estimateLeft(times(9, 9, 9), { remaining: 1, hands: 8 })?.highMs).toBe(9)
  })

  it('says nothing on too little, or when nothing is left', () => {
    expect(estimateLeft(times(1, 2), { remaining: 5, hands: 1 })).toBeNull()
    expect(estimateLeft(times(1, 2, 3), { remaining: 0, hands: 1 })).toBeNull()
    expect(estimateLeft(times(), { remaining: 5, hands: 1 })).toBeNull()
  })
})

it('reads what it wrote', () => {
  for (const attempts of [
    [],
    [[0, 12]],
    [
      [0, 12],
      [400, 0],
    ],
  ] as [number, number][][]) {
    const cursor = { runner: 5310, attempts: new Map(attempts) }
    expect(parseCursor(formatCursor(cursor))).toEqual(cursor)
  }
})

it('refuses everything else', () => {
  for (const text of ['', '-1', '1,', '1,2', '1:2', '1e9', ' 1', '1\n', '9'.repeat(16), '../x'])
    expect(parseCursor(text), text).toBeNull()
})

const HOSTILE = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom('\n\ndata: x\n\n', '\rid: 9\r', '\r\nevent: end\r\n', '\0', '\ud800', '\u2028'),
)

describe('frameEvent', () => {
  it('is one event of one data line, whatever the text', () => {
    fc.assert(
      fc.property(fc.array(HOSTILE), (parts) => {
        const text = parts.join('')
        const frame = frameEvent({ event: 'lines', id: '12,3:4', data: { text } })
        const lines = frame.split(/\r\n|\r|\n/)
        expect(lines.map((line) => line.slice(0, 6))).toEqual([
          'event:',
          'id: 12',
          'data: ',
          '',
          '',
        ])
        const back = JSON.parse((lines[2] ?? '').slice('data: '.length))
        expect(back.text).toBe(text)
      }),
    )
  })

  it('refuses a name or an id that could break out', () => {
    expect(() => frameEvent({ event: 'a\ndata: b', data: 1 })).toThrow('no name')
    expect(() => frameEvent({ event: 'a', id: '1\n', data: 1 })).toThrow('no id')
  })
})
