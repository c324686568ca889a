import { signFlip } from './sign-flip.ts'
import { type PairTest, type ReadRow, robustP } from './void-readings.ts'

/** Index of the pair of rows a < b in `pairPValues`. */
export function pairIndex(a: number, b: number): number {
  return (b * (b - 1)) / 2 + a
}

/** All pairs by `pairIndex`: p-values, and the leader on the common tasks (1 = a, -1 = b, 0 = neither). */
type PairVerdicts = { p: Float64Array; leads: Int8Array }

/** Cached results of pairs, so that only the pairs of a board with a changed row are tested again. */
export class PairMemory {
  #places: ReadonlyMap<ReadRow, number> = new Map()
  #verdicts: PairVerdicts = { p: new Float64Array(), leads: new Int8Array() }

  /** Copies cached results of pairs of the same two objects; returns the missing pairs. */
  recall(rows: readonly ReadRow[], into: PairVerdicts): [number, number][] {
    const before = rows.map((row) => this.#places.get(row))
    const missing: [number, number][] = []
    for (let b = 1; b < rows.length; b++)
      for (let a = 0; a < b; a++) {
        const [one, other] = [before[a], before[b]]
        if (one === undefined || other === undefined) missing.push([a, b])
        else this.#copy(one, other, into, pairIndex(a, b))
      }
    return missing
  }

  keep(rows: readonly ReadRow[], verdicts: PairVerdicts): void {
    this.#places = new Map(rows.map((row, place) => [row, place]))
    this.#verdicts = verdicts
  }

  #copy(one: number, other: number, { p, leads }: PairVerdicts, to: number): void {
    const from = pairIndex(Math.min(one, other), Math.max(one, other))
    const lead = this.#verdicts.leads[from] as number
    p[to] = this.#verdicts.p[from] as number
    leads[to] = one < other ? lead : 0 - lead
  }
}

/** Applies `testRows` to all pairs of rows. Pairs cached in `memory` are not tested again. */
export function pairPValues(rows: readonly ReadRow[], memory = new PairMemory()): PairVerdicts {
  const count = (rows.length * Math.max(0, rows.length - 1)) / 2
  const found = { p: new Float64Array(count), leads: new Int8Array(count) }
  for (const [a, b] of memory.recall(rows, found)) {
    const { p, lead } = testRows(rows[a] as ReadRow, rows[b] as ReadRow)
    found.p[pairIndex(a, b)] = p
    found.leads[pairIndex(a, b)] = lead
  }
  memory.keep(rows, found)
  return found
}

/**
 * Tests two rows, on boards as in comparisons: `signFlip` on their common tasks. Void attempts are counted against
 * every verdict: a row leads with its own counted as failed and the other's as solved, or neither does (p = 1), so that
 * no possible outcome of them reverses a verdict. Rows without a common task get p = 1.
 */
export function testRows(a: ReadRow, b: ReadRow): PairTest {
  const test = signFlip(a.excluded, b.excluded)
  const isCertain = a.excluded === a.allFailed && b.excluded === b.allFailed
  if (isCertain || test.lead === 0) return test
  const against =
    test.lead > 0 ? signFlip(a.allFailed, b.allSolved) : signFlip(a.allSolved, b.allFailed)
  return { lead: test.lead, p: robustP(test, against) }
}
