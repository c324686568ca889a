import { describe, it, expect } from '@jest/globals'
import { IntervalSet, type Interval } from './interval-set.ts'

type Pair = [start: number, end: number]

const toInterval = ([start, end]: Pair): Interval => ({ start, end })
const toPair = ({ start, end }: Interval): Pair => [start, end]
const setOf = (...pairs: Pair[]): IntervalSet => new IntervalSet(pairs.map(toInterval))
const pairsOf = (set: IntervalSet): Pair[] => set.toArray().map(toPair)
const gapsOf = (set: IntervalSet, start: number, end: number): Pair[] =>
  set.gaps(start, end).map(toPair)

describe('making a set', () => {
  it('starts empty', () => {
    const set = new IntervalSet()
    expect(set.toArray()).toEqual([])
    expect(set.totalLength).toBe(0)
    expect(set.has(0)).toBe(false)
  })

  it('sorts the intervals by number', () => {
    expect(pairsOf(setOf([10, 12], [9, 9.5], [-3, -1], [100, 101]))).toEqual([
      [-3, -1],
      [9, 9.5],
      [10, 12],
      [100, 101],
    ])
  })

  it('merges intervals that overlap, touch or lie within each other', () => {
    expect(pairsOf(setOf([5, 7], [1, 3], [3, 4], [6, 9]))).toEqual([
      [1, 4],
      [5, 9],
    ])
    expect(pairsOf(setOf([0, 10], [2, 3], [4, 5], [9, 11]))).toEqual([[0, 11]])
  })

  it('leaves intervals out that hold nothing', () => {
    expect(pairsOf(setOf([2, 2], [4, 5], [7, 7]))).toEqual([[4, 5]])
    expect(pairsOf(setOf([1, 2], [2, 2], [3, 4]))).toEqual([
      [1, 2],
      [3, 4],
    ])
  })

  it('accepts anything that can be iterated, once', () => {
    function* intervals() {
      yield { start: 1, end: 2 }
      yield { start: 2, end: 3 }
    }
    expect(pairsOf(new IntervalSet(intervals()))).toEqual([[1, 3]])
  })

  it('refuses intervals that run backwards or are not numbers', () => {
    expect(() => setOf([1, 2], [4, 3])).toThrow(RangeError)
    expect(() => setOf([Number.NaN, 3])).toThrow(RangeError)
    expect(() => setOf([3, Number.NaN])).toThrow(RangeError)
  })
})

describe('has', () => {
  it('holds the start of an interval but not its end', () => {
    const set = setOf([1, 3], [5, 6])
    expect([0.9, 1, 2.9, 3, 4, 5, 6].map((point) => set.has(point))).toEqual([
      false,
      true,
      true,
      false,
      false,
      true,
      false,
    ])
  })

  it('holds the point where two intervals touched', () => {
    expect(setOf([1, 3], [3, 5]).has(3)).toBe(true)
  })

  it('never holds NaN', () => {
    expect(setOf([Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY]).has(Number.NaN)).toBe(false)
  })

  it('finds points among many intervals', () => {
    const set = setOf(...Array.from({ length: 500 }, (_, i): Pair => [i * 4, i * 4 + 1]))
    const held = Array.from({ length: 2000 }, (_, point) => point).filter((p) => set.has(p))
    expect(held).toEqual(Array.from({ length: 500 }, (_, i) => i * 4))
  })
})

describe('add', () => {
  it('adds an interval apart from the others', () => {
    expect(pairsOf(setOf([5, 6]).add(1, 2).add(8, 9))).toEqual([
      [1, 2],
      [5, 6],
      [8, 9],
    ])
  })

  it('merges with a neighbour that it touches, on either side', () => {
    expect(pairsOf(setOf([1, 3]).add(3, 5))).toEqual([[1, 5]])
    expect(pairsOf(setOf([3, 5]).add(1, 3))).toEqual([[1, 5]])
  })

  it('closes the gap between two neighbours', () => {
    expect(pairsOf(setOf([1, 2], [4, 5], [7, 8]).add(2, 4))).toEqual([
      [1, 5],
      [7, 8],
    ])
  })

  it('swallows everything it covers', () => {
    expect(pairsOf(setOf([1, 2], [3, 4], [5, 6], [9, 10]).add(1.5, 7))).toEqual([
      [1, 7],
      [9, 10],
    ])
  })

  it('does not merge over the smallest distance', () => {
    expect(pairsOf(setOf([0, 1]).add(1 + Number.EPSILON, 2)).length).toBe(2)
  })

  it('refuses an interval that runs backwards', () => {
    expect(() => new IntervalSet().add(2, 1)).toThrow(RangeError)
    expect(() => setOf([0, 9]).add(Number.NaN, Number.NaN)).toThrow(RangeError)
  })
})

describe('remove', () => {
  it('splits an interval', () => {
    expect(pairsOf(setOf([0, 10]).remove(4, 6))).toEqual([
      [0, 4],
      [6, 10],
    ])
  })

  it('cuts off an end and leaves no empty rest', () => {
    expect(pairsOf(setOf([0, 10]).remove(0, 3))).toEqual([[3, 10]])
    expect(pairsOf(setOf([0, 10]).remove(7, 12))).toEqual([[0, 7]])
    expect(pairsOf(setOf([0, 10]).remove(0, 10))).toEqual([])
  })

  it('reaches over several intervals', () => {
    expect(pairsOf(setOf([0, 2], [3, 4], [5, 8]).remove(1, 6))).toEqual([
      [0, 1],
      [6, 8],
    ])
  })

  it('makes room that the same interval fills again', () => {
    expect(pairsOf(setOf([0, 10]).remove(4, 6).add(4, 6))).toEqual([[0, 10]])
  })

  it('refuses an interval that runs backwards', () => {
    expect(() => setOf([0, 9]).remove(5, 4)).toThrow(RangeError)
    expect(() => new IntervalSet().remove(0, Number.NaN)).toThrow(RangeError)
  })
})

describe('intersection', () => {
  it('keeps what both sets hold', () => {
    const shifts = setOf([0, 4], [6, 10], [12, 14])
    const breaks = setOf([1, 2], [3, 7], [9, 13])
    const expected = [
      [1, 2],
      [3, 4],
      [6, 7],
      [9, 10],
      [12, 13],
    ]
    expect(pairsOf(shifts.intersection(breaks))).toEqual(expected)
    expect(pairsOf(breaks.intersection(shifts))).toEqual(expected)
  })

  it('is empty for sets that only touch', () => {
    expect(
      setOf([0, 2], [4, 6])
        .intersection(setOf([2, 4], [6, 8]))
        .toArray(),
    ).toEqual([])
  })

  it('goes on when two intervals end together', () => {
    expect(pairsOf(setOf([0, 2], [3, 5]).intersection(setOf([1, 2], [4, 5])))).toEqual([
      [1, 2],
      [4, 5],
    ])
  })

  it('is empty with the empty set', () => {
    expect(setOf([0, 2]).intersection(new IntervalSet()).toArray()).toEqual([])
    expect(new IntervalSet().intersection(setOf([0, 2])).toArray()).toEqual([])
  })
})

describe('gaps', () => {
  it('lists what is uncovered between two bounds', () => {
    expect(gapsOf(setOf([2, 3], [5, 6]), 0, 10)).toEqual([
      [0, 2],
      [3, 5],
      [6, 10],
    ])
  })

  it('cuts everything off that lies outside', () => {
    const set = setOf([0, 2], [5, 6], [9, 12])
    expect(gapsOf(set, 1, 10)).toEqual([
      [2, 5],
      [6, 9],
    ])
    expect(gapsOf(set, 3, 4)).toEqual([[3, 4]])
    expect(gapsOf(set, 2, 5)).toEqual([[2, 5]])
    expect(gapsOf(set, 14, 20)).toEqual([[14, 20]])
  })

  it('finds none where all is covered, or nothing is asked for', () => {
    const set = setOf([0, 4])
    expect(gapsOf(set, 0, 4)).toEqual([])
    expect(gapsOf(set, 1, 2)).toEqual([])
    expect(gapsOf(set, 8, 8)).toEqual([])
  })

  it('is one gap if the set is empty', () => {
    expect(gapsOf(new IntervalSet(), -1, 1)).toEqual([[-1, 1]])
  })

  it('refuses bounds that run backwards', () => {
    expect(() => setOf([0, 1]).gaps(3, 2)).toThrow(RangeError)
  })
})

describe('length and infinity', () => {
  it('adds up the lengths of merged intervals', () => {
    expect(setOf([0, 3], [2, 5], [10, 10.5]).totalLength).toBe(5.5)
  })

  it('works with intervals that have no end', () => {
    const set = setOf([Number.NEGATIVE_INFINITY, 0], [10, Number.POSITIVE_INFINITY])
    expect(set.totalLength).toBe(Number.POSITIVE_INFINITY)
    expect(set.has(-1e300)).toBe(true)
    expect(pairsOf(set.remove(20, Number.POSITIVE_INFINITY).intersection(setOf([-5, 99])))).toEqual(
      [
        [-5, 0],
        [10, 20],
      ],
    )
    expect(gapsOf(set, Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY)).toEqual([[0, 10]])
  })
})

describe('immutability', () => {
  it('returns another set and leaves this one alone', () => {
    const set = setOf([0, 4], [6, 8])
    set.add(3, 7)
    set.remove(1, 2)
    set.intersection(setOf([0, 1]))
    expect(pairsOf(set)).toEqual([
      [0, 4],
      [6, 8],
    ])
  })

  it('returns this very set if nothing would change', () => {
    const set = setOf([0, 4], [6, 8])
    expect(set.add(1, 4)).toBe(set)
    expect(set.add(6, 8)).toBe(set)
    expect(set.add(5, 5)).toBe(set)
    expect(set.remove(4, 6)).toBe(set)
    expect(set.remove(2, 2)).toBe(set)
    expect(set.remove(8, 100)).toBe(set)
  })

  it('returns another set if anything would change', () => {
    const set = setOf([0, 4], [6, 8])
    expect(set.add(3, 4.5)).not.toBe(set)
    expect(set.remove(7.5, 9)).not.toBe(set)
  })

  it('cannot be changed through what it was made from', () => {
    const given = [{ start: 0, end: 4 }]
    const set = new IntervalSet(given)
    given[0].end = 100
    given.push({ start: 200, end: 300 })
    expect(pairsOf(set)).toEqual([[0, 4]])
  })

  it('cannot be changed through what it returns', () => {
    const set = setOf([0, 4], [6, 8])
    const returned = set.toArray() as { start: number; end: number }[]
    returned[0].start = -100
    returned.pop()
    set.gaps(0, 10).pop()
    expect(pairsOf(set)).toEqual([
      [0, 4],
      [6, 8],
    ])
  })

  it('does not let two sets change each other through what they return', () => {
    const first = setOf([0, 4], [6, 8])
    const second = first.add(10, 12)
    const returned = second.toArray() as { start: number; end: number }[]
    for (const interval of returned) interval.end += 1
    expect(first.totalLength).toBe(6)
    expect(second.totalLength).toBe(8)
  })
})
