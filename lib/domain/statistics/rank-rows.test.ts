import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { benchRanking } from './bench-ranking.ts'
import { pairIndex, pairPValues } from './pair-p-values.ts'
import { mergeTasks } from './pair-tasks.ts'
import { type RankInput, rankRows } from './rank-rows.ts'
import { sampleRanking } from './sample-ranking.ts'
import { scoreMatrix } from './score-matrix.ts'
import { signFlipTest } from './sign-flip-test.ts'

const tallies = (solved: readonly number[], scored: number) =>
  solved.map((count, task) => ({ taskId: `t${task}`, solved: count, scored }))
const flat = (key: string, solved: number, scored: number, tasks = 25): RankInput => {
  return { key, label: key, tallies: tallies(Array(tasks).fill(solved), scored) }
}

const boards = fc.record({
  rows: fc.integer({ min: 1, max: 12 }),
  tasks: fc.integer({ min: 1, max: 30 }),
  repetitions: fc.integer({ min: 1, max: 5 }),
  seed: fc.nat(1000),
})
const options = { alpha: 0.05, seed: 1, resamples: 200 }

describe('rankRows', () => {
  it('gives the same ranking whatever the order, places inside their range, groups in runs', () => {
    fc.assert(
      fc.property(boards, (size) => {
        const inputs = sampleRanking(size)
        const { rows } = rankRows(inputs, options)
        expect(rankRows([...inputs].reverse(), options).rows).toEqual(rows)
        for (const [index, row] of rows.entries()) {
          expect(row.low >= 1 && row.low <= row.place && row.place <= row.high).toBe(true)
          expect(row.high).toBeLessThanOrEqual(rows.length)
          const before = rows[index - 1] ?? { place: 0, tieGroup: 0 }
          expect([before.tieGroup, before.tieGroup + 1]).toContain(row.tieGroup)
          expect(row.place).toBe(row.tieGroup === before.tieGroup ? before.place : index + 1)
        }
      }),
      { numRuns: 60, seed: 31 },
    )
  })

  it('tests every pair as the pair alone would be tested', () => {
    fc.assert(
      fc.property(boards, fc.nat(20), (size, gap) => {
        const rows = sampleRanking(size).map(({ tallies }, row) =>
          tallies.flatMap((tally, task) => {
            if ((task * 7 + row * 3) % 23 === gap) return []
            return (task + row) % 11 === gap ? [{ ...tally, scored: tally.scored + 1 }] : [tally]
          }),
        )
        const sorted = rows.map((row) => row.sort((x, y) => (x.taskId < y.taskId ? -1 : 1)))
        const p = pairPValues(sorted, scoreMatrix(sorted))
        sorted.forEach((row, b) => {
          for (let a = 0; a < b; a++) {
            const pairs = mergeTasks(sorted[a] ?? [], row)
            const alone = pairs.length > 0 ? signFlipTest(pairs).p : 1
            expect(p[pairIndex(a, b)]).toBeCloseTo(alone, 12)
          }
        })
      }),
      { numRuns: 40, seed: 33 },
    )
  })

  it('keeps the order of the others when an unrelated row comes in', () => {
    fc.assert(
      fc.property(boards, (size) => {
        const inputs = sampleRanking({ ...size, rows: size.rows + 1 })
        const [extra, ...others] = inputs
        const order = (rows: RankInput[]) => rankRows(rows, options).rows.map((row) => row.key)
        expect(order(inputs).filter((key) => key !== extra?.key)).toEqual(order(others))
      }),
      { numRuns: 40, seed: 32 },
    )
  })

  it('lets rows share a place when they cannot be told apart, and separates what differs', () => {
    const { rows } = rankRows([flat('nop', 0, 1), flat('b', 1, 1), flat('a', 1, 1)])
    expect(rows).toEqual([
      { key: 'a', place: 1, low: 1, high: 2, tieGroup: 1 },
      { key: 'b', place: 1, low: 1, high: 2, tieGroup: 1 },
      { key: 'nop', place: 3, low: 3, high: 3, tieGroup: 2 },
    ])
  })

  it('leaves out rows without a scored episode, and allows every place below six tasks', () => {
    const { rows } = rankRows([flat('a', 1, 1, 3), flat('b', 0, 1, 3), flat('c', 0, 0, 3)])
    expect(rows.map(({ key, low, high }) => [key, low, high])).toEqual([
      ['a', 1, 2],
      ['b', 1, 2],
    ])
    expect(rankRows([])).toMatchObject({ rows: [], pairs: 0 })
  })

  it('ranks 200 rows × 100 tasks × 20 repetitions with bootstrap', () => {
    const { ranking, durationMs } = benchRanking(() => performance.now())
    expect(ranking.rows).toHaveLength(200)
    expect(ranking.pairs).toBe(19_900)
    process.stdout.write(`ranked 200 × 100 × 20 in ${Math.round(durationMs)} ms\n`)
  }, 60_000)
})
