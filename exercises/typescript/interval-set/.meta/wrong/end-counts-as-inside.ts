// Treats the end of an interval as part of it.
export interface Interval {
  readonly start: number
  readonly end: number
}

export class IntervalSet {
  /** Sorted, none empty, none touching the next. */
  readonly #intervals: readonly Interval[]

  constructor(intervals: Iterable<Interval> = []) {
    this.#intervals = mergeTouching([...intervals].map(({ start, end }) => checked(start, end)))
  }

  toArray(): Interval[] {
    return this.#intervals.map(({ start, end }) => ({ start, end }))
  }

  get totalLength(): number {
    return this.#intervals.reduce((sum, { start, end }) => sum + (end - start), 0)
  }

  has(point: number): boolean {
    return this.#intervals.some(({ start, end }) => start <= point && point <= end)
  }

  add(start: number, end: number): IntervalSet {
    const added = checked(start, end)
    if (isEmpty(added) || this.#covers(added)) return this
    return new IntervalSet([...this.#intervals, added])
  }

  remove(start: number, end: number): IntervalSet {
    const removed = checked(start, end)
    if (!this.#intervals.some((interval) => isNotEmpty(overlap(interval, removed)))) return this
    return new IntervalSet(
      this.#intervals.flatMap((interval) =>
        isEmpty(overlap(interval, removed))
          ? [interval]
          : [
              { start: interval.start, end: Math.max(interval.start, removed.start) },
              { start: Math.min(interval.end, removed.end), end: interval.end },
            ],
      ),
    )
  }

  intersection(other: IntervalSet): IntervalSet {
    const left = this.#intervals
    const right = other.#intervals
    const shared: Interval[] = []
    for (let i = 0, j = 0; i < left.length && j < right.length; ) {
      const both = overlap(left[i], right[j])
      if (isNotEmpty(both)) shared.push(both)
      if (left[i].end < right[j].end) i += 1
      else j += 1
    }
    return new IntervalSet(shared)
  }

  gaps(start: number, end: number): Interval[] {
    const gaps: Interval[] = []
    let { start: uncoveredFrom } = checked(start, end)
    for (const interval of this.#intervals) {
      const covered = overlap(interval, { start, end })
      if (isEmpty(covered)) continue
      gaps.push({ start: uncoveredFrom, end: covered.start })
      uncoveredFrom = covered.end
    }
    gaps.push({ start: uncoveredFrom, end })
    return gaps.filter(isNotEmpty)
  }

  #covers({ start, end }: Interval): boolean {
    const candidate = this.#intervals[this.#firstEndingAfter(start)]
    return candidate !== undefined && candidate.start <= start && end <= candidate.end
  }

  #firstEndingAfter(point: number): number {
    let low = 0
    let high = this.#intervals.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (this.#intervals[middle].end > point) high = middle
      else low = middle + 1
    }
    return low
  }
}

function checked(start: number, end: number): Interval {
  // Written so that NaN, which compares to nothing, is refused too.
  if (!(start <= end)) throw new RangeError(`Not an interval: from ${start} to ${end}`)
  return { start, end }
}

function isEmpty({ start, end }: Interval): boolean {
  return start >= end
}

function isNotEmpty(interval: Interval): boolean {
  return !isEmpty(interval)
}

/** May come out empty, even with its start after its end. */
function overlap(a: Interval, b: Interval): Interval {
  return { start: Math.max(a.start, b.start), end: Math.min(a.end, b.end) }
}

function mergeTouching(intervals: readonly Interval[]): Interval[] {
  const sorted = intervals.filter(isNotEmpty).sort((a, b) => (a.start < b.start ? -1 : 1))
  const merged: Interval[] = []
  for (const interval of sorted) {
    const last = merged.at(-1)
    if (last && interval.start <= last.end) {
      merged[merged.length - 1] = { start: last.start, end: Math.max(last.end, interval.end) }
    } else {
      merged.push(interval)
    }
  }
  return merged
}
