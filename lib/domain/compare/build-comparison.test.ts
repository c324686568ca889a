import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  comparisonInputOf,
  numberedVersion,
  sampleRow,
  sampleTasks,
} from '#lib/testing/factories/sample-rows.ts'
import type { BoardRow, RowTask } from '../board/index.ts'
import { buildComparison } from './build-comparison.ts'
import type { ComparedSuite, ComparisonView, PairView } from './comparison.ts'
import { levelsOf } from './format-comparison.ts'

function compare(rows: readonly BoardRow[], suite: ComparedSuite): ComparisonView {
  const result = buildComparison(comparisonInputOf(rows, [suite]))
  if (!result.ok) throw new Error(result.reason)
  return result
}

function measured({ result }: Pick<PairView, 'result'>) {
  if (!result.ok) throw new Error(result.refusal.reason)
  return result
}

const onlyPair = (rows: readonly BoardRow[], suite: ComparedSuite): PairView =>
  compare(rows, suite).pairs[0] as PairView

/** Two to four rows on up to 12 tasks, some tasks missing, void or run unequally often. */
const boards = fc
  .record({ tasks: fc.integer({ min: 1, max: 12 }), rows: fc.integer({ min: 2, max: 4 }) })
  .chain(({ tasks, rows }) => {
    const counts = fc.record({ scored: fc.nat(4), share: fc.nat(4), voids: fc.nat(2) })
    const tally = fc.array(fc.option(counts, { freq: 6 }), { minLength: tasks, maxLength: tasks })
    return fc.tuple(fc.constant(tasks), fc.array(tally, { minLength: rows, maxLength: rows }))
  })
  .map(([size, tallies]) => {
    const suite = numberedVersion(size)
    const rows = tallies.map((counts, index) => {
      const tasks = counts.flatMap((count, task): RowTask[] => {
        const { taskId } = suite.tasks[task] as ComparedSuite['tasks'][number]
        if (!count) return []
        const { scored, share, voids } = count
        return [{ taskId, solved: Math.min(scored, share), scored, voids }]
      })
      return sampleRow('cadb'[index] as string, suite, tasks)
    })
    return { suite, rows }
  })

const numbersIn = (value: unknown): number[] =>
  typeof value === 'number'
    ? [value]
    : value !== null && typeof value === 'object'
      ? Object.values(value).flatMap(numbersIn)
      : []

describe('buildComparison, whatever the counts', () => {
  it('mirrors difference, interval and verdict when two rows change places', () => {
    const mirrored = { better: 'worse', worse: 'better' } as Record<string, string>
    fc.assert(
      fc.property(boards, ({ suite, rows }) => {
        const [a, b] = rows as [BoardRow, BoardRow]
        const [one, other] = [onlyPair([a, b], suite), onlyPair([b, a], suite)]
        expect(other.common).toBe(one.common)
        expect(other.leftOut).toEqual({
          onlyA: one.leftOut.onlyB,
          onlyB: one.leftOut.onlyA,
          neither: one.leftOut.neither,
        })
        expect(other.flipped.map(({ taskId, difference }) => [taskId, -difference])).toEqual(
          one.flipped.map(({ taskId, difference }) => [taskId, difference]),
        )
        expect(other.result.ok).toBe(one.result.ok)
        if (!one.result.ok) return
        const [left, right] = [measured(one), measured(other)]
        expect(right.difference).toBe(0 - left.difference)
        expect([right.low, right.high]).toEqual([0 - left.high, 0 - left.low])
        expect([right.p, right.adjustedP]).toEqual([left.p, left.adjustedP])
        expect(right.verdict.kind).toBe(mirrored[left.verdict.kind] ?? left.verdict.kind)
      }),
      { numRuns: 150, seed: 51 },
    )
  })

  it('gives each pair the same numbers in whatever order the rows are named', () => {
    fc.assert(
      fc.property(boards, fc.nat(3), ({ suite, rows }, turn) => {
        const turned = [...rows.slice(turn % rows.length), ...rows.slice(0, turn % rows.length)]
        const view = compare(turned, suite)
        for (const pair of compare(rows, suite).pairs) {
          const same = view.pairs.find(({ a, b }) => a === pair.a && b === pair.b)
          if (same) expect(same).toEqual(pair)
          else expect(view.pairs.some(({ a, b }) => a === pair.b && b === pair.a)).toBe(true)
        }
        expect(view.multiplicity).toEqual(compare(rows, suite).multiplicity)
      }),
      { numRuns: 60, seed: 52 },
    )
  })

  it('changes neither difference nor p when a row is added, only what Holm adjusts', () => {
    fc.assert(
      fc.property(boards, ({ suite, rows }) => {
        const all = compare(rows, suite)
        const ps = all.pairs.flatMap(({ result }) => (result.ok ? [result.p] : []))
        for (const pair of all.pairs) {
          const two = rows.filter(({ rowId }) => rowId === pair.a || rowId === pair.b)
          const alone = onlyPair(two, suite)
          const judged = { sentence: '', details: '', decide: null, result: 0 }
          expect({ ...alone, ...judged }).toEqual({ ...pair, ...judged })
          expect(alone.result.ok).toBe(pair.result.ok)
          if (!pair.result.ok) continue
          const [together, single] = [measured(pair), measured(alone)]
          expect(together.difference).toBe(single.difference)
          expect(together.p).toBe(single.p)
          expect(together.adjustedP).toBeCloseTo(stepDown(together.p, ps), 12)
        }
      }),
      { numRuns: 60, seed: 53 },
    )
  })

  it('never answers NaN or infinity, and never lets a verdict contradict its interval or adjusted p', () => {
    fc.assert(
      fc.property(boards, ({ suite, rows }) => {
        const { pairs, multiplicity, tasks } = compare(rows, suite)
        for (const number of numbersIn({ pairs, multiplicity, tasks }))
          expect(Number.isFinite(number)).toBe(true)
        for (const { result } of pairs) {
          if (!result.ok) continue
          const isFound = ['better', 'worse'].includes(result.verdict.kind)
          expect(result.adjustedP <= multiplicity.alpha).toBe(isFound)
          expect(result.low <= 0 && result.high >= 0).toBe(!isFound)
        }
      }),
      { numRuns: 150, seed: 54 },
    )
  })
})

/** Holm by its definition: the largest of p(i)·(m - i + 1) over all ranks i whose p is at most this one. */
function stepDown(p: number, all: readonly number[]): number {
  const sorted = [...all].sort((x, y) => x - y)
  const steps = sorted.map((value, index) => [value, value * (all.length - index)] as const)
  const adjusted = steps.filter(([value]) => value <= p).map(([, step]) => Math.min(1, step))
  return Math.max(...adjusted)
}

describe('buildComparison, in words', () => {
  const suite = numberedVersion(20)
  const good = sampleRow('good', suite, sampleTasks(Array(20).fill(3)))
  const bad = sampleRow('bad', suite, sampleTasks([3, ...Array(19).fill(0)]))

  it('says who is better by how much', () => {
    expect(onlyPair([good, bad], suite).sentence).toMatch(
      /^good is better than bad on these tasks and on similar tasks: 95 points \(\d+ to 100\)\.$/,
    )
    expect(onlyPair([bad, good], suite).sentence).toMatch(
      /^bad is worse than good on these tasks and on similar tasks: 95 points/,
    )
  })

  it('lists the tasks that flip, the largest difference first, with counts of both sides', () => {
    const half = sampleRow('half', suite, sampleTasks([0, 1, 3, ...Array(17).fill(2)]))
    const { flipped } = onlyPair([half, good], suite)
    expect(
      flipped.map(({ taskId, solvedBy, a, b }) => [taskId, solvedBy, a.solved, b.solved]),
    ).toEqual([
      ['t00', 'b', 0, 3],
      ['t01', 'b', 1, 3],
    ])
  })

  it('gives the tasks of the suite, with an unknown cell where a row has no episode', () => {
    const few = sampleRow('few', suite, [
      { taskId: 't01', solved: 1, scored: 2, voids: 1 },
      { taskId: 't02', solved: 0, scored: 0, voids: 3 },
    ])
    const view = compare([good, few], suite)
    expect(view.tasks.slice(0, 3).map(({ cells }) => cells[1])).toEqual([
      null,
      { solved: 1, scored: 2, voids: 1, rate: 0.5 },
      { solved: 0, scored: 0, voids: 3, rate: null },
    ])
    expect(view.pairs[0]).toMatchObject({ common: 1, leftOut: { onlyB: [], neither: [] } })
    expect(view.pairs[0]?.leftOut.onlyA).toHaveLength(19)
    expect(view.notes).toEqual([
      'Unequal repetitions in few; every task has the same weight.',
      '4 attempts of few excluded from scoring; verdicts and intervals allow for any outcome of them.',
    ])
  })

  it.each([
    ['no task', [], 'no-tasks'],
    [
      'only void episodes',
      [{ taskId: 't00', solved: 0, scored: 0, voids: 2 }],
      'no-scored-episodes',
    ],
    ['no common task', [{ taskId: 't99', solved: 1, scored: 1, voids: 0 }], 'no-common-tasks'],
  ])('names why a row with %s has no verdict', (_, tasks, code) => {
    const { result, sentence } = onlyPair([good, sampleRow('odd', suite, tasks)], suite)
    expect(result).toMatchObject({ ok: false, refusal: { code } })
    expect(sentence).toMatch(/^good and odd cannot be compared: \w/)
  })

  it('cannot tell two rows apart by one task', () => {
    const [yes, no] = [1, 0].map((n) => sampleRow(`n${n}`, suite, sampleTasks([n * 3])))
    const pair = onlyPair([yes as BoardRow, no as BoardRow], suite)
    expect(measured(pair).verdict.kind).toBe('cannot-tell')
    expect(pair.sentence).toMatch(/^Undecided: /)
    expect(pair.details).toContain('1 common task,')
  })

  it('says what was done about several pairs, and about one', () => {
    const third = sampleRow('third', suite, sampleTasks(Array(20).fill(2)))
    const many = compare([good, bad, third], suite).multiplicity
    expect(many).toMatchObject({ pairs: 3, tested: 3, method: 'Holm', alpha: 0.05 })
    expect(many.text).toMatch(/^3 pairs tested with a family-wise error rate of 5 % \(Holm\)/)
    expect(compare([good, bad], suite).multiplicity).toMatchObject({ tested: 1, confidence: 0.95 })
    const looks = { kind: 'always-valid' as const, stages: 2, states: 1, confidence: 0.99 }
    const topped = { ...good, looks: { ...looks, pinnedEpisodes: 60, reason: 'a second plan' } }
    const one = compare([topped, bad], suite)
    expect(one.multiplicity.text).toContain('the confidence level is 99.17 %.')
    expect(levelsOf(one)).toBe('99.17 %')
    const three = compare([topped, bad, third], suite)
    const levels = three.pairs.map(({ result }) => (result.ok ? result.confidence : null))
    expect(new Set(levels).size).toBe(2)
    expect(three.multiplicity.text).toMatch(
      /by itself has a level of 9\d\.?\d*–99\.\d+ %, chosen to agree/,
    )
  })
})
