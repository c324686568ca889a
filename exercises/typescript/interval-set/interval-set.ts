export interface Interval {
  readonly start: number
  readonly end: number
}

export class IntervalSet {
  constructor(intervals?: Iterable<Interval>) {
    throw new Error('Remove this line and implement the function')
  }

  toArray(): Interval[] {
    throw new Error('Remove this line and implement the function')
  }

  get totalLength(): number {
    throw new Error('Remove this line and implement the function')
  }

  has(point: number): boolean {
    throw new Error('Remove this line and implement the function')
  }

  add(start: number, end: number): IntervalSet {
    throw new Error('Remove this line and implement the function')
  }

  remove(start: number, end: number): IntervalSet {
    throw new Error('Remove this line and implement the function')
  }

  intersection(other: IntervalSet): IntervalSet {
    throw new Error('Remove this line and implement the function')
  }

  gaps(start: number, end: number): Interval[] {
    throw new Error('Remove this line and implement the function')
  }
}
