import { describe, expect, it } from 'vitest'
import { seededGenerator } from '#lib/domain/statistics/index.ts'
import { type Box, placeLabels as place } from './place-labels.ts'

const measure = (text: string) => text.length * 6.4
const placeLabels = (...[points, frame, lines = []]: [Points, Box, Box[]?]) =>
  place(points, frame, lines, measure)
type Points = Parameters<typeof place>[0]

const FRAME = { left: 0, top: 0, right: 400, bottom: 300 }

describe('placeLabels', () => {
  it('stands to the right of a lone point, and to the left at the right edge', () => {
    const placed = placeLabels(
      [
        { id: 'a', name: 'claude', x: 100, y: 100 },
        { id: 'b', name: 'codex', x: 390, y: 200 },
      ],
      FRAME,
    )
    expect(placed.map(({ anchor }) => anchor)).toEqual(['start', 'end'])
  })

  it('covers a line only where there is no other place', () => {
    const point = { id: 'a', name: 'claude', x: 200, y: 150 }
    const right = { left: 205, right: 400, top: 0, bottom: 300 }
    expect(placeLabels([point], FRAME, [right])).toMatchObject([{ anchor: 'end' }])
    const everywhere = { left: 0, right: 400, top: 0, bottom: 300 }
    expect(placeLabels([point], FRAME, [everywhere])).toMatchObject([{ anchor: 'start' }])
  })

  it('is nearer to its own point than to any other, and left out where it could be taken for another’s', () => {
    const row = [0, 14, 28, 42, 56].map((shift, at) => ({
      id: String(at),
      name: `tied-${at}`,
      x: 150 + shift,
      y: 20,
    }))
    const placed = placeLabels(row, { ...FRAME, top: 12 })
    expect(placed.map(({ id }) => id)).toEqual(['0', '4'])
  })

  it('names the first ones from afar, with a line to the point, where there is no room beside them', () => {
    const row = [0, 14, 28, 42, 56].map((shift, at) => ({
      id: String(at),
      name: `tied-${at}`,
      x: 150 + shift,
      y: 20,
      isFirst: true,
    }))
    const placed = placeLabels(row, { ...FRAME, top: 12 })
    expect(placed.map(({ id }) => id).sort()).toEqual(['0', '1', '2', '3', '4'])
    for (const { id, leader } of placed) {
      const isFar = !['0', '4'].includes(id)
      expect(leader?.slice(0, 2)).toEqual(isFar ? [150 + 14 * Number(id), 20] : undefined)
    }
  })

  it('covers no point without a name, and names none', () => {
    const [named, other] = [
      { id: 'named', name: 'agent', x: 100, y: 100 },
      { id: 'other', name: '', x: 130, y: 100 },
    ]
    expect(placeLabels([named, other], FRAME)).toMatchObject([{ id: 'named', anchor: 'end' }])
  })

  it('names both of two points at one place', () => {
    const twins = ['a', 'b'].map((id) => ({ id, name: `agent-${id}`, x: 200, y: 150 }))
    expect(placeLabels(twins, FRAME).map(({ anchor }) => anchor)).toEqual(['start', 'end'])
  })

  it('serves the first ones first, also across a line', () => {
    const everywhere = { left: 0, right: 400, top: 0, bottom: 300 }
    const room = { left: 90, right: 200, top: 80, bottom: 115 }
    const [early, first] = [
      { id: 'early', name: 'early-one', x: 100, y: 102 },
      { id: 'first', name: 'first-one', x: 100, y: 98, isFirst: true },
    ]
    const placed = placeLabels([early, first], room, [everywhere])
    expect(placed.map(({ id }) => id)).toEqual(['first'])
  })

  it('leaves out a name without room, and covers nothing with two hundred points', () => {
    const { nextUnit } = seededGenerator(7)
    const points = Array.from({ length: 200 }, (_, index) => ({
      id: String(index),
      name: `entry-${index}`,
      x: nextUnit() * 400,
      y: nextUnit() * 300,
    }))
    const placed = placeLabels(points, FRAME)
    expect(placed.length).toBeGreaterThan(3)
    expect(placed.length).toBeLessThan(points.length)
    const boxes = placed.map(({ x, y, name, anchor }) => {
      const width = name.length * 6.4
      const left = x - { start: 0, middle: width / 2, end: width }[anchor]
      return { left, right: left + width, top: y - 10, bottom: y + 3 }
    })
    const pairs = boxes.flatMap((a, at) => boxes.slice(at + 1).map((b) => [a, b] as const))
    const covering = pairs.filter(
      ([a, b]) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom,
    )
    expect(covering).toEqual([])
    const hidden = points.filter(({ x, y }) =>
      boxes.some((box) => x > box.left && x < box.right && y > box.top && y < box.bottom),
    )
    expect(hidden).toEqual([])
  })
})
