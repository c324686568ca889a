import { describe, expect, it } from 'vitest'
import { lookAtPair, stopLooks } from './stop-rule.ts'
import { theseTasksDifference } from './these-tasks-difference.ts'

const single = (solved: number, tasks: number) =>
  Array.from({ length: tasks }, (_, task) => ({
    taskId: `t${task}`,
    solved: task < solved ? 1 : 0,
    scored: 1,
  }))
const even = (solved: number, scored: number, tasks = 25) =>
  Array.from({ length: tasks }, (_, task) => ({ taskId: `t${task}`, solved, scored }))

describe('the difference on these tasks', () => {
  it('is Newcombe’s tenth method for tasks of one episode, as computed with scipy', () => {
    const known = theseTasksDifference(single(9, 10), single(3, 10), 0.95)
    expect(known?.low).toBeCloseTo(0.17052272393450296, 9)
    expect(known?.high).toBeCloseTo(0.8090179735354881, 9)
    const all = theseTasksDifference(single(20, 20), single(0, 20), 0.95)
    expect([all?.high, all?.difference]).toEqual([1, 1])
  })

  it('is narrower where tasks are always or never solved, and never without width', () => {
    const certain = (own: number) => even(5, 5, own).concat(even(0, 5).slice(own))
    const apart = theseTasksDifference(certain(12), certain(12), 0.95)
    const mixed = theseTasksDifference(even(5, 10, 25), even(5, 10, 25), 0.95)
    const width = (one: typeof apart) => (one ? one.high - one.low : 0)
    expect(width(apart)).toBeGreaterThan(0.02)
    expect(width(apart)).toBeLessThan(width(mixed) / 2)
  })

  it('is null without a common task', () => {
    expect(
      theseTasksDifference([{ taskId: 'x', solved: 1, scored: 1 }], even(1, 1), 0.9),
    ).toBeNull()
  })
})

describe('a look at two sides', () => {
  const rule = { difference: 0.2, alpha: 0.05, looks: [100, 200, 300] }

  it('looks five times at whole pairs, first when each task was tried by both', () => {
    expect(stopLooks(25, 250)).toEqual([100, 200, 300, 400, 500])
    expect(stopLooks(25, 75)).toEqual([50, 60, 90, 120, 150])
    expect(stopLooks(25, 25)).toEqual([50])
  })

  it('finds better, worse and no larger, and nothing in between', () => {
    const kind = (a: number, b: number) => lookAtPair(even(a, 10), even(b, 10), rule)?.verdict
    expect(kind(8, 5)).toBe('better')
    expect(kind(5, 8)).toBe('worse')
    expect(kind(7, 7)).toBe('no-larger-than')
    expect(lookAtPair(even(3, 5, 12), even(2, 5, 12), rule)?.verdict).toBeNull()
  })

  it('divides its level among the looks', () => {
    const at = (looks: number) =>
      lookAtPair(even(7, 10), even(5, 10), {
        ...rule,
        looks: Array.from({ length: looks }, (_, index) => 100 * (index + 1)),
      })
    const [few, many] = [at(2), at(20)]
    expect(few?.high).toBeLessThan(many?.high ?? 0)
    expect(few?.low).toBeGreaterThan(many?.low ?? 0)
  })

  it('reads excluded attempts against every verdict', () => {
    const a = even(7, 8)
    expect(lookAtPair(a, even(7, 10), rule)?.verdict).toBe('better')
    const withVoids = a.map((task) => ({ ...task, voids: 2 }))
    expect(lookAtPair(withVoids, even(7, 10), rule)?.verdict).not.toBe('better')
  })
})
