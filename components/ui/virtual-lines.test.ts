import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { positionAt, scaleOf, scrolledPosition } from './virtual-lines.tsx'

const LINE = 20
const VIEW = 480
const count = fc.integer({ min: 1, max: 50_000_000 })
const share = fc.double({ min: 0, max: 1, noNaN: true })

describe('a list higher than an element can be', () => {
  it('reaches every line, and never leaves the element', () => {
    fc.assert(
      fc.property(count, share, (lines, at) => {
        const scale = scaleOf(lines * LINE)
        const wanted = Math.floor(at * (lines - 1)) * LINE
        const { top, shift } = positionAt(scale, VIEW, wanted)
        const y = top + shift
        expect(y <= wanted && wanted < y + Math.max(VIEW, LINE)).toBe(true)
        expect(top).toBeGreaterThanOrEqual(0)
        expect(top).toBeLessThanOrEqual(Math.max(0, scale.boxPx - VIEW))
        expect(scale.boxPx).toBeLessThanOrEqual(8e6)
      }),
    )
  })

  it('moves by as much as a wheel or a key says', () => {
    fc.assert(
      fc.property(count, share, fc.integer({ min: -400, max: 400 }), (lines, at, by) => {
        const scale = scaleOf(lines * LINE)
        const listEnd = Math.max(0, scale.listPx - VIEW)
        const before = positionAt(scale, VIEW, at * listEnd)
        const top = Math.max(0, Math.min(before.top + by, Math.max(0, scale.boxPx - VIEW)))
        const after = scrolledPosition(scale, VIEW, before, top)
        const moved = after.top + after.shift - before.top - before.shift
        expect(Math.abs(moved - (top - before.top))).toBeLessThan(1)
      }),
    )
  })

  it('goes from end to end with the bar', () => {
    for (const lines of [30, 399_999, 400_001, 10_000_000]) {
      const scale = scaleOf(lines * LINE)
      const end = scrolledPosition(scale, VIEW, { top: 0, shift: 0 }, scale.boxPx - VIEW)
      expect(Math.abs(end.top + end.shift - (scale.listPx - VIEW))).toBeLessThan(1)
      const start = scrolledPosition(scale, VIEW, end, 0)
      expect(start.top + start.shift).toBe(0)
    }
  })
})
