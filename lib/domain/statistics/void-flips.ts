import { type PairTest, type PairVerdicts, pairIndex, testPair } from './pair-p-values.ts'
import { RankMemory } from './rank-memory.ts'
import {
  judgePairs,
  largestRejected,
  pricePair,
  RANK_OPTIONS,
  type RankInput,
  type RankOptions,
} from './rank-rows.ts'
import { readVoids } from './sensitivity.ts'
import type { TaskCounts } from './task-counts.ts'

/** A row of a pool. `doubtful` = its tallies with every void attempt, also those that were retried; null = it has none. */
export type DoubtfulRow = Pick<RankInput, 'tallies' | 'looks'> & {
  doubtful: readonly TaskCounts[] | null
}

/** What was found when a pool was checked the last time, so that only pairs with a row that changed are tested again. */
export class FlipMemory {
  readonly rank = new RankMemory()
  readonly #readings = new WeakMap<readonly TaskCounts[], readonly (readonly TaskCounts[])[]>()
  readonly #pairs = new WeakMap<object, WeakMap<object, PairTest>>()
  #rest: FlipMemory | null = null

  /** The same for the pool without the rows that were found. */
  get rest(): FlipMemory {
    this.#rest ??= new FlipMemory()
    return this.#rest
  }

  scored(tallies: readonly TaskCounts[]): readonly TaskCounts[] {
    const tasks = this.rank.scoredTasks(tallies)
    return tasks.ok ? tasks.value : []
  }

  /** A row with its void attempts read as failed, and as solved. */
  readings(doubtful: readonly TaskCounts[]): readonly (readonly TaskCounts[])[] {
    const found =
      this.#readings.get(doubtful) ??
      (['allFailed', 'allSolved'] as const).map((reading) =>
        this.scored(readVoids(doubtful, reading)),
      )
    this.#readings.set(doubtful, found)
    return found
  }

  testPair(a: readonly TaskCounts[], b: readonly TaskCounts[], options: RankOptions): PairTest {
    const known = this.#pairs.get(a) ?? new WeakMap<object, PairTest>()
    this.#pairs.set(a, known)
    const { resamples, seed } = options
    const found = known.get(b) ?? testPair(a, b, this.rank.signPatterns(resamples, seed))
    known.set(b, found)
    return found
  }
}

/**
 * For each row of a pool, the position of a row against which its verdict on the board turns out differently when its
 * own void attempts are read as all failed or as all solved; null = none. The pool is judged as `rankRows` judges it,
 * all pairs together; other rows count with their scored episodes. Rows that are found leave the pool and the rest is
 * checked again, so that the answer holds among exactly the rows that stay.
 */
export function findVoidFlips(
  rows: readonly DoubtfulRow[],
  options: RankOptions = RANK_OPTIONS,
  memory = new FlipMemory(),
): (number | null)[] {
  if (rows.every(({ doubtful }) => doubtful === null)) return rows.map(() => null)
  const found = findFirstFlips(rows, options, memory)
  const stay = [...rows.keys()].filter((row) => found[row] === null)
  if (stay.length === rows.length) return found
  const rest = findVoidFlips(
    stay.map((row) => rows[row] as DoubtfulRow),
    options,
    memory.rest,
  )
  for (const [at, other] of rest.entries())
    if (other !== null) found[stay[at] as number] = stay[other] as number
  return found
}

function findFirstFlips(
  rows: readonly DoubtfulRow[],
  options: RankOptions,
  memory: FlipMemory,
): (number | null)[] {
  const scored = rows.map(({ tallies, looks }) => ({ tallies: memory.scored(tallies), looks }))
  const pool = judgePairs(scored, options, memory.rank)
  const largest = largestRejected(pool.p, options.alpha)
  return rows.map(({ doubtful, looks }, row) => {
    for (const reading of doubtful === null ? [] : memory.readings(doubtful)) {
      const read = scored.map((other, at): PairTest => {
        if (at === row) return NO_PAIR
        const { p, lead } = memory.testPair(reading, other.tallies, options)
        return { p: pricePair(p, looks, other.looks), lead }
      })
      const flipped = findFlip({ row, read, pool, largest, alpha: options.alpha })
      if (flipped !== -1) return flipped
    }
    return null
  })
}

const NO_PAIR: PairTest = { p: 1, lead: 0 }

/** One row's pairs as they are in the pool, and as another reading of the row has them, by position of the other row. */
type Reading = {
  row: number
  read: readonly PairTest[]
  pool: PairVerdicts
  /** The largest p-value of the pool that is rejected at `alpha`. */
  largest: number
  alpha: number
}

/** The position of the first row against which the reading changes the verdict; -1 = none. */
function findFlip({ row, read, pool, largest, alpha }: Reading): number {
  const plain = read.map((_, other) => pairOf(pool, row, other))
  // Holm's levels lie between these two: a pair for which both say the same needs no look at the other pairs.
  const sides = [alpha / pool.p.length, alpha]
  const isSure = read.every((pair, other) => {
    const directions = [pair, plain[other] as PairTest].flatMap((one) =>
      sides.map((level) => directionAt(one, level)),
    )
    return other === row || directions.every((direction) => direction === directions[0])
  })
  if (isSure) return -1
  const p = pool.p.slice()
  for (const [other, pair] of read.entries()) if (other !== row) p[indexOf(row, other)] = pair.p
  const readLargest = largestRejected(p, alpha)
  return read.findIndex((pair, other) => {
    const before = directionAt(plain[other] as PairTest, largest)
    return other !== row && directionAt(pair, readLargest) !== before
  })
}

/** 1 better, -1 worse, 0 not separable at this level. */
const directionAt = ({ p, lead }: PairTest, level: number) => (p <= level ? lead : 0)

const indexOf = (a: number, b: number) => pairIndex(Math.min(a, b), Math.max(a, b))

/** A pair of the pool from the first row's side. */
function pairOf({ p, leads }: PairVerdicts, row: number, other: number): PairTest {
  if (row === other) return NO_PAIR
  const index = indexOf(row, other)
  const lead = leads[index] as number
  return { p: p[index] as number, lead: row < other ? lead : -lead }
}
