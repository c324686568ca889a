export interface Interval {
  readonly start: number
  readonly end: number
}

export class IntervalSet {
  /** From left to right, without empty ones, and with a gap after each. Never handed out. */
  readonly #intervals: readonly Interval[]

  constructor(intervals: Iterable<Interval> = []) {
    this.#intervals = normalize(Array.from(intervals, ({ start, end }) => interval(start, end)))
  }

  /** The intervals of the set, from left to right. */
  toArray(): Interval[] {
    return this.#intervals.map(({ start, end }) => ({ start, end }))
  }

  /** The length of all intervals together. */
  get totalLength(): number {
    return this.#intervals.reduce((sum, { start, end }) => sum + (end - start), 0)
  }

  has(point: number): boolean {
    return this.#intervals.some(({ start, end }) => start <= point && point < end)
  }

  add(start: number, end: number): IntervalSet {
    const added = interval(start, end)
    const nothingNew =
      isEmpty(added) || this.#intervals.some((own) => own.start <= start && end <= own.end)
    return nothingNew ? this : new IntervalSet([...this.#intervals, added])
  }

  remove(start: number, end: number): IntervalSet {
    const removed = interval(start, end)
    if (isEmpty(removed) || !this.#intervals.some((own) => !isEmpty(common(own, removed)))) {
      return this
    }
    return new IntervalSet(
      this.#intervals.flatMap((own) => [
        { start: own.start, end: Math.max(own.start, Math.min(own.end, start)) },
        { start: Math.min(own.end, Math.max(own.start, end)), end: own.end },
      ]),
    )
  }

  intersection(other: IntervalSet): IntervalSet {
    return new IntervalSet(overlaps(this.#intervals, other.#intervals))
  }

  gaps(start: number, end: number): Interval[] {
    const frame = interval(start, end)
    const covered = this.#intervals.map((own) => common(own, frame)).filter((part) => !isEmpty(part))
    const begins = [start, ...covered.map((part) => part.end)]
    const ends = [...covered.map((part) => part.start), end]
    return begins
      .map((begin, index) => ({ start: begin, end: ends[index] }))
      .filter((gap) => !isEmpty(gap))
  }
}

function interval(start: number, end: number): Interval {
  // Also true if one of the bounds is NaN.
  if (!(start <= end)) throw new RangeError(`There is no interval from ${start} to ${end}`)
  return { start, end }
}

/** True as well for what `common` makes of intervals that have nothing in common. */
function isEmpty({ start, end }: Interval): boolean {
  return start >= end
}

function common(left: Interval, right: Interval): Interval {
  return { start: Math.max(left.start, right.start), end: Math.min(left.end, right.end) }
}

/** Joins intervals that overlap or touch. */
function normalize(intervals: readonly Interval[]): readonly Interval[] {
  const joined: Interval[] = []
  const sorted = intervals
    .filter((each) => !isEmpty(each))
    // A difference would be NaN for two bounds of the same infinity.
    .sort((left, right) => (left.start < right.start ? -1 : left.start > right.start ? 1 : 0))
  for (const next of sorted) {
    const last = joined.at(-1)
    if (last === undefined || last.end < next.start) joined.push(next)
    else joined[joined.length - 1] = { start: last.start, end: Math.max(last.end, next.end) }
  }
  return joined
}

/** Walks along both lists, always leaving the interval behind that ends first. */
function overlaps(left: readonly Interval[], right: readonly Interval[]): Interval[] {
  const found: Interval[] = []
  let i = 0
  let j = 0
  while (i < left.length && j < right.length) {
    const part = common(left[i], right[j])
    if (!isEmpty(part)) found.push(part)
    if (left[i].end < right[j].end) i++
    else j++
  }
  return found
}
