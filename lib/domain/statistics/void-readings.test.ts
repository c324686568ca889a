import fc from 'fast-check'
import { expect, it } from 'vitest'
import { pairPValues } from './pair-p-values.ts'
import { pairedDifference } from './paired-difference.ts'
import { rankRows } from './rank-rows.ts'
import type { TaskCounts } from './task-counts.ts'
import { hasVoids, readRow, withoutVoids } from './void-readings.ts'

const TASKS = 8

/** Mostly 0: rows with many void attempts have no verdicts. */
const few = (max: number) => fc.oneof({ weight: 6, arbitrary: fc.constant(0) }, fc.nat(max))

/** A task's counts, and possible outcomes of its void attempts: `luck` of them solved. */
const taskOf = (skill: number) =>
  fc
    .record({
      scored: fc.integer({ min: 1, max: 3 }),
      slip: few(2),
      voids: few(2),
      retriedVoids: few(1),
    })
    .chain(({ scored, slip, ...voids }) => {
      const solved = skill === 0 ? Math.min(scored, slip) : Math.max(0, scored - slip)
      const missing = voids.voids + voids.retriedVoids
      return fc
        .nat(missing)
        .map((luck) => ({ counts: { solved, scored, ...voids }, missing, luck }))
    })
const rowOf = (skill: number) =>
  fc.array(taskOf(skill), { minLength: TASKS, maxLength: TASKS }).map((tasks) => ({
    given: tasks.map(({ counts }, at) => ({ taskId: `t${at}`, ...counts })),
    happened: tasks.map(({ counts, missing, luck }, at) => ({
      taskId: `t${at}`,
      solved: counts.solved + luck,
      scored: counts.scored + missing,
    })),
  }))
const pair = fc.tuple(fc.nat(1), fc.nat(1)).chain(([a, b]) => fc.tuple(rowOf(a), rowOf(b)))

function testOf(a: readonly TaskCounts[], b: readonly TaskCounts[]) {
  const [one, other] = [readRow(a), readRow(b)]
  if (!one.ok || !other.ok) return { p: 1, lead: 0 }
  const { p, leads } = pairPValues([one.value, other.value])
  return { p: p[0] as number, lead: leads[0] as number }
}

it('gives no verdict that some outcome of the void attempts would not give', () => {
  let apart = 0
  fc.assert(
    fc.property(pair, ([a, b]) => {
      const found = testOf(a.given, b.given)
      if (found.p > 0.2) return
      const happened = testOf(a.happened, b.happened)
      expect(happened.lead).toBe(found.lead)
      expect(happened.p).toBeLessThanOrEqual(found.p + 1e-12)
      apart++
    }),
    { numRuns: 600, seed: 43 },
  )
  expect(apart).toBeGreaterThan(50)
})

it('gives a comparison an interval that contains what any outcome would give, at one with its verdict', () => {
  const seen = { apart: 0, together: 0 }
  fc.assert(
    fc.property(pair, ([a, b]) => {
      const found = pairedDifference(a.given, b.given)
      if (!found.ok) return
      const { p, low, high, difference, verdict } = found.value
      expect(low <= difference && difference <= high).toBe(true)
      expect(p <= 0.05).toBe(low > 0 || high < 0)
      expect(['better', 'worse'].includes(verdict.kind)).toBe(p <= 0.05)
      seen[p <= 0.05 ? 'apart' : 'together']++
      const happened = pairedDifference(a.happened, b.happened)
      if (!happened.ok) return
      expect(happened.value.low).toBeGreaterThanOrEqual(low - 1e-9)
      expect(happened.value.high).toBeLessThanOrEqual(high + 1e-9)
    }),
    { numRuns: 300, seed: 44 },
  )
  expect(Math.min(seen.apart, seen.together)).toBeGreaterThan(5)
})

/**
 * Solves all attempts of the first `won` of eight tasks, and one of two attempts of the next; its third attempt there
 * is void.
 */
function winner(won: number, left: 'voids' | 'retriedVoids'): TaskCounts[] {
  return Array.from({ length: TASKS }, (_, at) =>
    at === won
      ? { taskId: `t${at}`, solved: 1, scored: 2, [left]: 1 }
      : { taskId: `t${at}`, solved: at < won ? 3 : 0, scored: 3 },
  )
}
const loser = (won: number): TaskCounts[] =>
  Array.from({ length: TASKS }, (_, at) => ({
    taskId: `t${at}`,
    scored: 3,
    solved: at === won ? 1 : 0,
  }))

it.each(['voids', 'retriedVoids'] as const)(
  'reads %s as failed where that undoes a lead',
  (kind) => {
    // One of three equals the other's rate: six tasks are left, p = 2/64; for five, 2/32.
    expect(testOf(winner(6, kind), loser(6))).toEqual({ p: 2 / 64, lead: 1 })
    expect(testOf(loser(6), winner(6, kind))).toEqual({ p: 2 / 64, lead: -1 })
    const letters = (won: number) =>
      rankRows([
        { key: 'a', label: 'a', tallies: winner(won, kind) },
        { key: 'b', label: 'b', tallies: loser(won) },
      ]).rows.map((ranked) => ranked.letters)
    expect(letters(6)).toEqual(['A', 'B'])
    expect(letters(5), 'excluded, it would be 2/64').toEqual(['A', 'A'])
  },
)

it('reports no lead that depends on how excluded episodes are counted', () => {
  const one = [{ taskId: 't0', solved: 2, scored: 3, voids: 3 }]
  const other = [{ taskId: 't0', solved: 1, scored: 3 }]
  expect(testOf(one, other)).toEqual({ p: 1, lead: 1 })
})

it('leaves rows without void attempts as they are', () => {
  const tallies = [{ taskId: 't0', solved: 2, scored: 3, voids: 0 }]
  expect(hasVoids(tallies)).toBe(false)
  const read = readRow(tallies)
  expect(read.ok && read.value).toEqual(withoutVoids(tallies))
  expect(readRow([{ taskId: 't0', solved: 0, scored: 0, voids: 2 }]).ok).toBe(false)
})
