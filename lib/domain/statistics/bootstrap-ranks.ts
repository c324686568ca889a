import { drawTasks } from './draw-tasks.ts'
import { drawnMean, type ScoreMatrix } from './score-matrix.ts'
import { seededGenerator } from './seeded-generator.ts'

/** Best and worst place, 1 = first. */
export type RankRange = { low: number; high: number }

/**
 * Rank interval of every row: the 2.5–97.5 % range of its rank when the tasks are drawn anew, the same drawn tasks for
 * all rows. Rows equal in a drawing take the best shared place for `low` and the worst for `high`.
 */
export function bootstrapRanks(
  matrix: ScoreMatrix,
  { resamples, seed, level }: { resamples: number; seed: number; level: number },
): RankRange[] {
  const { rows, tasks } = matrix
  const all = Uint32Array.from({ length: tasks }, (_, column) => column)
  const point = Float64Array.from({ length: rows }, (_, row) => drawnMean(matrix, row, all, 0))
  const best = new Uint32Array(rows * (rows + 1))
  const worst = new Uint32Array(rows * (rows + 1))
  const generator = seededGenerator(seed)
  const drawn = new Uint32Array(tasks)
  const rates = new Float64Array(rows)
  for (let resample = 0; resample < resamples; resample++) {
    drawTasks(tasks, generator, drawn)
    for (let row = 0; row < rows; row++) {
      rates[row] = drawnMean(matrix, row, drawn, point[row] as number)
    }
    countPlaces(rates, best, worst)
  }
  const tail = ((1 - level) / 2) * resamples
  return Array.from({ length: rows }, (_, row) => ({
    low: placeAbove(best, row, rows, tail),
    high: placeAbove(worst, row, rows, resamples - tail - 1e-9),
  }))
}

/** Adds one drawing's places to the counts: histogram rows of length rows + 1, indexed by place. */
function countPlaces(rates: Float64Array, best: Uint32Array, worst: Uint32Array): void {
  const rows = rates.length
  const sorted = rates.slice().sort()
  for (let row = 0; row < rows; row++) {
    const rate = rates[row] as number
    const start = row * (rows + 1)
    bump(best, start + rows - firstAbove(sorted, rate) + 1)
    bump(worst, start + rows - firstAtLeast(sorted, rate))
  }
}

function bump(counts: Uint32Array, index: number): void {
  counts[index] = (counts[index] as number) + 1
}

/** The first place whose cumulative count goes beyond `share`. */
function placeAbove(counts: Uint32Array, row: number, rows: number, share: number): number {
  let sum = 0
  for (let place = 1; place <= rows; place++) {
    sum += counts[row * (rows + 1) + place] as number
    if (sum > share) return place
  }
  return rows
}

function firstAbove(sorted: Float64Array, value: number): number {
  return search(sorted, (other) => other > value)
}

function firstAtLeast(sorted: Float64Array, value: number): number {
  return search(sorted, (other) => other >= value)
}

/** Position of the first member for which `isBeyond` holds; the length where none does. */
function search(sorted: Float64Array, isBeyond: (other: number) => boolean): number {
  let [low, high] = [0, sorted.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (isBeyond(sorted[middle] as number)) high = middle
    else low = middle + 1
  }
  return low
}
