import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { holm } from './adjusted-p-values.ts'
import { largestRejected, RANK_OPTIONS, type RankInput, RankMemory, rankRows } from './rank-rows.ts'

const tally = (task: number) =>
  fc
    .record({ scored: fc.integer({ min: 0, max: 6 }), solved: fc.nat(6) })
    .map(({ scored, solved }) => ({
      taskId: `task-${task}`,
      scored,
      solved: Math.min(scored, solved),
    }))
const tallies = fc.tuple(...Array.from({ length: 9 }, (_, task) => tally(task)))
const boards = fc.array(fc.array(tallies, { minLength: 1, maxLength: 7 }), {
  minLength: 2,
  maxLength: 4,
})

describe('a ranking that remembers pairs', () => {
  it('is the one that tests all pairs, however rows came, changed, moved and went', () => {
    fc.assert(
      fc.property(boards, fc.array(fc.nat(6)), (all, kept) => {
        const memory = new RankMemory()
        let before: RankInput[] = []
        for (const board of all) {
          const rows = board.map((own, index) => ({
            key: `row-${index}`,
            label: `row-${index}`,
            tallies: (kept.includes(index) && before[index]?.tallies) || own,
          }))
          expect(rankRows(rows, RANK_OPTIONS, memory)).toEqual(rankRows(rows))
          before = rows.reverse()
        }
      }),
      { numRuns: 40 },
    )
  })
})

describe('the largest p-value that is rejected', () => {
  it('parts the values as the adjusted ones do, ties included', () => {
    const value = fc.oneof(
      fc.double({ min: 0, max: 0.05, noNaN: true }),
      fc.constantFrom(0, 0.004, 0.01, 0.0125, 0.05, 1),
    )
    fc.assert(
      fc.property(fc.array(value, { maxLength: 12 }), (p) => {
        const adjusted = holm(p)
        const largest = largestRejected(Float64Array.from(p), 0.05)
        expect(adjusted.ok && adjusted.value.map((one) => one <= 0.05)).toEqual(
          p.map((one) => one <= largest),
        )
      }),
    )
  })
})
