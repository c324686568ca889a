export interface Interval {
  readonly start: number
  readonly end: number
}

function checked(start: number, end: number): Interval {
  if (!(start <= end)) throw new RangeError(`Not an interval: from ${start} to ${end}`)
  return { start, end }
}

/** Joins intervals that overlap or touch, and drops the empty ones. */
function normalize(intervals: Interval[]): Interval[] {
  const sorted = intervals
    .filter(({ start, end }) => start < end)
    .sort((a, b) => (a.start < b.start ? -1 : a.start > b.start ? 1 : 0))
  const result: Interval[] = []
  for (const interval of sorted) {
    const last = result.at(-1)
    if (last === undefined || interval.start > last.end) {
      result.push(interval)
    } else if (interval.end > last.end) {
      result[result.length - 1] = { start: last.start, end: interval.end }
    }
  }
  return result
}

export class IntervalSet {
  /** Sorted, neither empty nor overlapping nor touching. */
  readonly #intervals: readonly Interval[]

  constructor(intervals: Iterable<Interval> = []) {
    this.#intervals = normalize(Array.from(intervals, ({ start, end }) => checked(start, end)))
  }

  toArray(): Interval[] {
    return this.#intervals.map(({ start, end }) => ({ start, end }))
  }

  get totalLength(): number {
    return this.#intervals.reduce((sum, { start, end }) => sum + (end - start), 0)
  }

  has(point: number): boolean {
    return this.#intervals.some(({ start, end }) => start <= point && point < end)
  }

  add(start: number, end: number): IntervalSet {
    const added = checked(start, end)
    const isCovered =
      start === end ||
      this.#intervals.some((interval) => interval.start <= start && end <= interval.end)
    return isCovered ? this : new IntervalSet([...this.#intervals, added])
  }

  remove(start: number, end: number): IntervalSet {
    const removed = checked(start, end)
    const isUntouched =
      start === end ||
      this.#intervals.every((interval) => interval.end <= start || end <= interval.start)
    if (isUntouched) return this

    const rest = this.#intervals.flatMap((interval) =>
      interval.end <= removed.start || removed.end <= interval.start
        ? [interval]
        : [
            { start: interval.start, end: Math.max(interval.start, removed.start) },
            { start: Math.min(interval.end, removed.end), end: interval.end },
          ],
    )
    return new IntervalSet(rest)
  }

  intersection(other: IntervalSet): IntervalSet {
    const mine = this.#intervals
    const theirs = other.#intervals
    const result: Interval[] = []
    for (let i = 0, j = 0; i < mine.length && j < theirs.length; ) {
      const a = mine[i]!
      const b = theirs[j]!
      const start = Math.max(a.start, b.start)
      const end = Math.min(a.end, b.end)
      if (start < end) result.push({ start, end })
      if (a.end < b.end) i++
      else j++
    }
    return new IntervalSet(result)
  }

  gaps(start: number, end: number): Interval[] {
    checked(start, end)
    const result: Interval[] = []
    let position = start
    for (const interval of this.#intervals) {
      if (interval.end <= position) continue
      if (interval.start >= end) break
      if (interval.start > position) result.push({ start: position, end: interval.start })
      position = interval.end
    }
    if (position < end) result.push({ start: position, end })
    return result
  }
}
