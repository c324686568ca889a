import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compareRows, type PairedDifference, pairedDifference } from './paired-difference.ts'
import type { TaskCounts } from './task-counts.ts'

const row = (scored: number, solved: readonly number[]): TaskCounts[] =>
  solved.map((count, task) => ({
    taskId: `t${String(task).padStart(3, '0')}`,
    solved: count,
    scored,
  }))

function compare(a: TaskCounts[], b: TaskCounts[], alpha = 0.05): PairedDifference {
  const result = pairedDifference(a, b, alpha)
  if (!result.ok) throw new Error(result.refusal.reason)
  return result.value
}

const rowPair = fc
  .record({ tasks: fc.integer({ min: 1, max: 30 }), scored: fc.integer({ min: 1, max: 10 }) })
  .chain(({ tasks, scored }) => {
    const solved = fc.array(fc.nat(scored), { minLength: tasks, maxLength: tasks })
    return fc.tuple(solved, solved).map(([a, b]) => [row(scored, a), row(scored, b)] as const)
  })

describe('pairedDifference', () => {
  it('never lets interval and verdict disagree, and never answers NaN', () => {
    fc.assert(
      fc.property(rowPair, fc.constantFrom(0.05, 0.01, 0.2), ([a, b], alpha) => {
        const { difference, low, high, p, verdict } = compare([...a], [...b], alpha)
        for (const value of [difference, low, high, p]) expect(Number.isFinite(value)).toBe(true)
        expect(low).toBeLessThanOrEqual(difference + 1e-12)
        expect(high).toBeGreaterThanOrEqual(difference - 1e-12)
        expect(low >= -1 && high <= 1).toBe(true)
        expect(low <= 0 && high >= 0).toBe(p > alpha)
        if (verdict.kind === 'better') expect(low).toBeGreaterThan(0)
        if (verdict.kind === 'worse') expect(high).toBeLessThan(0)
      }),
      { numRuns: 400, seed: 11 },
    )
  })

  it('is the mirror image when the rows change places', () => {
    fc.assert(
      fc.property(rowPair, ([a, b]) => {
        const [one, other] = [compare([...a], [...b]), compare([...b], [...a])]
        expect(one.p).toBeCloseTo(other.p, 12)
        expect(one.low).toBeCloseTo(-other.high, 12)
        expect(one.high).toBeCloseTo(-other.low, 12)
      }),
      { numRuns: 100, seed: 12 },
    )
  })

  it('speaks in four ways', () => {
    const half = Array.from({ length: 100 }, (_, task) => (task % 2 ? 10 : 0))
    expect(compare(row(10, half), row(10, half)).verdict.text).toBe(
      'no difference larger than 4 points',
    )
    const ten = (count: number) => Array.from({ length: 25 }, (_, task) => (task < count ? 1 : 0))
    expect(compare(row(1, ten(25)), row(1, ten(0))).verdict.text).toBe('better')
    expect(compare(row(1, ten(0)), row(1, ten(25))).verdict.text).toBe('worse')
    expect(compare(row(1, ten(12)), row(1, ten(14))).verdict.text).toBe('no significant difference')
  })

  it('names the test it used', () => {
    expect(compare(row(1, [1, 0]), row(1, [0, 1])).method).toBe(
      'exact McNemar on 2 discordant of 2 tasks',
    )
    expect(compare(row(2, [1, 2]), row(2, [0, 1])).method).toContain('exact sign-flip permutation')
  })

  it('lists the tasks that flipped and who solves them', () => {
    const { flipped } = compare(row(2, [2, 0, 1]), row(2, [0, 2, 1]))
    expect(flipped).toEqual([
      { taskId: 't000', solvedBy: 'a' },
      { taskId: 't001', solvedBy: 'b' },
    ])
  })

  it('cannot tell from one task, and refuses no tasks, no common task and odd counts by name', () => {
    expect(compare(row(20, [20]), row(20, [0]))).toMatchObject({
      p: 1,
      low: -0.95,
      high: 1,
      verdict: { kind: 'cannot-tell' },
    })
    const code = (a: TaskCounts[], b: TaskCounts[]) => {
      const result = pairedDifference(a, b)
      return result.ok ? null : result.refusal.code
    }
    expect(code([], row(1, [1]))).toBe('no-tasks')
    expect(code(row(0, [0]), row(1, [1]))).toBe('no-scored-episodes')
    expect(code([{ taskId: 'x', solved: 1, scored: 1 }], row(1, [1]))).toBe('no-common-tasks')
    expect(code([{ taskId: 'x', solved: Number.NaN, scored: 1 }], row(1, [1]))).toBe('not-a-number')
    expect(code([{ taskId: 'x', solved: 2, scored: 1 }], row(1, [1]))).toBe('count-out-of-range')
  })
})

describe('compareRows', () => {
  it('keeps adjusted p, interval and verdict of all pairs in step', () => {
    fc.assert(
      fc.property(fc.array(rowPair, { minLength: 1, maxLength: 3 }), (groups) => {
        const rows = groups.flat().map((tallies, index) => ({ key: `r${index}`, tallies }))
        const { pairs, alpha } = compareRows(rows)
        expect(pairs).toHaveLength((rows.length * (rows.length - 1)) / 2)
        for (const { result } of pairs) {
          if (!result.ok) continue
          const { low, high, verdict } = result.value
          const isRejected = result.adjustedP <= alpha
          expect(['better', 'worse'].includes(verdict.kind)).toBe(isRejected)
          expect(low <= 0 && high >= 0).toBe(!isRejected)
        }
      }),
      { numRuns: 60, seed: 13 },
    )
  })
})
