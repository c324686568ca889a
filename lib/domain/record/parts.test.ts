import { describe, expect, it } from 'vitest'
import {
  countDistinct,
  filterInParts,
  inParts,
  joinParts,
  listParts,
  mergeNeighbours,
} from './parts.ts'

type Thing = { size: number }
const things = (...sizes: number[]): Thing[] => sizes.map((size) => ({ size }))

describe('a list of parts', () => {
  it('has the members of its parts in their order, and no empty part', () => {
    const [one, none, other] = [things(1, 2), things(), things(3)]
    const list = joinParts([one, none, other])
    expect(list.map(({ size }) => size)).toEqual([1, 2, 3])
    expect(listParts(list)).toEqual([one, other])
  })

  it('is asked once for each part, in whatever list the part stands', () => {
    const asked: number[] = []
    const count = inParts((part: readonly Thing[]) => {
      asked.push(part.length)
      return part.length
    })
    const [one, other, third] = [things(1, 2), things(3), things(4, 5, 6)]
    expect(count(joinParts([one, other]))).toEqual([2, 1])
    expect(count(joinParts([third, one, other]))).toEqual([3, 2, 1])
    expect(asked).toEqual([2, 1, 3])
  })

  it('is asked again under another key', () => {
    const larger = filterInParts(({ size }: Thing, least: number) => size >= least)
    const list = joinParts([things(1, 2), things(3)])
    expect(larger(list, 2).map(({ size }) => size)).toEqual([2, 3])
    expect(larger(list, 3).map(({ size }) => size)).toEqual([3])
    expect(listParts(larger(list, 3))).toHaveLength(1)
  })

  it('is evaluated each time unless it is declared constant, because the list may grow', () => {
    const count = inParts((part: readonly Thing[]) => part.length)
    const list = things(1)
    expect(count(list)).toEqual([1])
    list.push({ size: 2 })
    expect(count(list)).toEqual([2])
  })

  it('merges small neighbours, and one more changes only the part that it falls into', () => {
    const runs = Array.from({ length: 600 }, (_, index) => things(1000 + index))
    const name = ({ size }: Thing) => `run_${size}`
    const before = mergeNeighbours(runs, name)
    expect(before.flat()).toEqual(runs.flat())
    expect(before.length).toBeLessThan(30)
    expect(mergeNeighbours([...runs], name).every((part, at) => part === before[at])).toBe(true)
    const grown = things(1300.5)
    const after = mergeNeighbours([...runs.slice(0, 300), grown, ...runs.slice(300)], name)
    const known = new Set(before)
    expect(after.filter((part) => !known.has(part)).length).toBeLessThanOrEqual(2)
    expect(after.flat()).toContain(grown[0])
    const large = things(...Array.from({ length: 200 }, (_, index) => index))
    expect(mergeNeighbours([large], name)).toEqual([large])
    expect(mergeNeighbours([large], name)[0]).toBe(large)
  })

  it('has as many different keys as its lists have together, whichever of them changed', () => {
    const lists = [['a', 'b'], [], ['b', 'c', 'c'], ['d']]
    const distinct = () => new Set(lists.flat()).size
    expect([countDistinct([]), countDistinct([[]]), countDistinct(lists)]).toEqual([
      0,
      0,
      distinct(),
    ])
    lists[3] = ['d', 'a', 'e', 'e']
    expect(countDistinct(lists)).toBe(distinct())
    lists[0] = ['a', 'f']
    expect(countDistinct(lists)).toBe(distinct())
    lists.push(['f', 'g'])
    expect([countDistinct(lists), countDistinct(lists)]).toEqual([distinct(), distinct()])
    lists.splice(1, 2)
    expect(countDistinct(lists)).toBe(distinct())
  })
})
