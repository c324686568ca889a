import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { benchRanking, sampleRanking } from '#lib/testing/bench/bench-ranking.ts'
import { pairIndex, pairPValues } from './pair-p-values.ts'
import { pairedDifference } from './paired-difference.ts'
import { tieLetters } from './place-rows.ts'
import { type RankInput, rankRows } from './rank-rows.ts'
import { withoutVoids } from './void-readings.ts'

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
const options = { alpha: 0.05 }

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

  it('tests every pair as a comparison does, to the last bit', () => {
    fc.assert(
      fc.property(boards, fc.nat(20), (size, gap) => {
        const sorted = withGaps(sampleRanking(size), gap)
        const { p, leads } = pairPValues(sorted.map(withoutVoids))
        for (const [a, b] of pairsOf(sorted.length)) {
          const alone = pairedDifference(sorted.at(a) ?? [], sorted.at(b) ?? [])
          const place = pairIndex(a, b)
          const found = alone.ok ? alone.value : { p: 1, difference: leads[place] as number }
          expect([p[place], leads[place]]).toEqual([found.p, Math.sign(found.difference)])
        }
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
      { key: 'a', place: 1, low: 1, high: 2, tieGroup: 1, letters: 'A' },
      { key: 'b', place: 1, low: 1, high: 2, tieGroup: 1, letters: 'A' },
      { key: 'nop', place: 3, low: 3, high: 3, tieGroup: 2, letters: 'B' },
    ])
  })

  it('makes sets and letters of the same verdicts: no shared letter exactly where Holm says different', () => {
    let overlapping = 0
    fc.assert(
      fc.property(boards, (size) => {
        const inputs = sampleRanking(size)
        const { rows } = rankRows(inputs, options)
        const sorted = rows.map(({ key }) => {
          const { tallies = [] } = inputs.find((input) => input.key === key) ?? {}
          return [...tallies].sort((x, y) => (x.taskId < y.taskId ? -1 : 1))
        })
        const { p } = pairPValues(sorted.map(withoutVoids))
        const adjusted = stepDown([...p])
        const better = rows.map(() => 0)
        const worse = rows.map(() => 0)
        for (const [a, b] of pairsOf(rows.length)) {
          const isApart = (adjusted[pairIndex(a, b)] as number) <= options.alpha
          expect(sharesLetter(rows[a]?.letters, rows[b]?.letters)).toBe(!isApart)
          if (!isApart) continue
          expect(rows[a]?.tieGroup).not.toBe(rows[b]?.tieGroup)
          worse[a] = (worse[a] ?? 0) + 1
          better[b] = (better[b] ?? 0) + 1
        }
        expect(rows.map(({ low }) => low)).toEqual(better.map((count) => 1 + count))
        expect(rows.map(({ high }) => high)).toEqual(worse.map((count) => rows.length - count))
        if (rows.some(({ letters }) => lettersOf(letters).length > 1)) overlapping++
      }),
      { numRuns: 120, seed: 34 },
    )
    expect(overlapping).toBeGreaterThan(5)
  })

  it('gives letters for any verdicts, also those that no rates could give', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 40 }), fc.nat(1000), (count, seed) => {
        const order = (a: number, b: number) =>
          (Math.imul(Math.min(a, b) + 7, Math.max(a, b) + seed) >>> 3) % 3 === 0
            ? (Math.sign(b - a) as -1 | 0 | 1)
            : 0
        const letters = tieLetters(count, order)
        for (let a = 0; a < count; a++)
          for (let b = 0; b < count; b++)
            expect(sharesLetter(letters[a], letters[b])).toBe(a === b || order(a, b) === 0)
      }),
      { numRuns: 60, seed: 35 },
    )
    expect(tieLetters(28, (a, b) => (a === b ? 0 : a < b ? 1 : -1)).slice(24)).toEqual([
      ...['Y', 'Z', 'A2', 'B2'],
    ])
  })

  it('takes the direction from the common tasks where a row lacks some', () => {
    const full = {
      key: 'full',
      label: 'full',
      tallies: tallies([...Array(12).fill(3), 10, 10, 10, 10, 10, 10, 10, 10, 10, 10], 10),
    }
    const part = { key: 'part', label: 'part', tallies: tallies(Array(12).fill(5), 10) }
    const { rows } = rankRows([full, part])
    expect(rows.map(({ key, letters }) => [key, letters])).toEqual([
      ['full', 'A'],
      ['part', 'B'],
    ])
    expect(rows.map(({ place, low, high }) => [place, low, high])).toEqual([
      [1, 1, 2],
      [2, 1, 2],
    ])
  })

  it('separates many rows of uneven repetitions, whose patterns cannot all be counted', () => {
    const primes = [7, 11, 13, 17, 19, 23, 29, 31]
    const inputs = Array.from({ length: 40 }, (_, row) => ({
      key: `row-${row}`,
      label: `row-${row}`,
      tallies: Array.from({ length: 30 }, (__, task) => {
        const scored = primes[(task + row) % 8] as number
        return {
          taskId: `t${task}`,
          scored,
          solved: row < 20 ? scored - 1 - ((task + row) % 3) : 1,
        }
      }),
    }))
    const { rows } = rankRows(inputs)
    expect(rows.map(({ letters }) => letters).join('')).toBe('A'.repeat(20) + 'B'.repeat(20))
    expect(rows[0]).toMatchObject({ low: 1, high: 20 })
    expect(rows[39]).toMatchObject({ low: 21, high: 40 })
  })

  it('asks more of rows that were looked at more often', () => {
    const pair = (looks?: { stages: number; states: number }) =>
      rankRows([
        { ...flat('a', 1, 1, 9), looks },
        { ...flat('b', 0, 1, 9), looks },
      ]).rows.map(({ letters }) => letters)
    expect(pair()).toEqual(['A', 'B'])
    expect(pair({ stages: 1, states: 1 })).toEqual(['A', 'B'])
    expect(pair({ stages: 2, states: 1 })).toEqual(['A', 'B'])
    expect(pair({ stages: 4, states: 1 })).toEqual(['A', 'A'])
    expect(pair({ stages: 1, states: 9 })).toEqual(['A', 'A'])
  })

  it('leaves out rows without a scored episode, and allows every place below six tasks', () => {
    const { rows } = rankRows([flat('a', 1, 1, 3), flat('b', 0, 1, 3), flat('c', 0, 0, 3)])
    expect(rows.map(({ key, low, high }) => [key, low, high])).toEqual([
      ['a', 1, 2],
      ['b', 1, 2],
    ])
    expect(rankRows([])).toMatchObject({ rows: [], pairs: 0 })
  })

  it('ranks 200 rows × 100 tasks × 20 repetitions', () => {
    const { ranking, durationMs } = benchRanking(() => performance.now())
    expect(ranking.rows).toHaveLength(200)
    expect(ranking.pairs).toBe(19_900)
    process.stdout.write(`ranked 200 × 100 × 20 in ${Math.round(durationMs)} ms\n`)
  })
})

/** Holm by its definition: the largest of p(i)·(m - i + 1) over all ranks i up to this one. */
function stepDown(p: readonly number[]): number[] {
  const sorted = [...p].sort((x, y) => x - y)
  return p.map((value) =>
    Math.max(
      ...sorted.flatMap((one, index) =>
        one <= value ? [Math.min(1, one * (p.length - index))] : [],
      ),
    ),
  )
}

const lettersOf = (letters: string): string[] => letters.match(/[A-Z]\d*/g) ?? []
const sharesLetter = (a = '', b = '') =>
  lettersOf(a).some((letter) => lettersOf(b).includes(letter))

const pairsOf = (rows: number) =>
  Array.from({ length: rows }, (_, b) =>
    Array.from({ length: b }, (_, a) => [a, b] as const),
  ).flat()

/** Leaves out some tasks and changes the repetitions of others; sorted as `scoredTasks` does. */
function withGaps(inputs: readonly RankInput[], gap: number) {
  const rows = inputs.map(({ tallies }, row) =>
    tallies.flatMap((tally, task) => {
      if ((task * 7 + row * 3) % 23 === gap) return []
      return (task + row) % 11 === gap ? [{ ...tally, scored: tally.scored + 1 }] : [tally]
    }),
  )
  return rows.map((row) => row.sort((x, y) => (x.taskId < y.taskId ? -1 : 1)))
}
