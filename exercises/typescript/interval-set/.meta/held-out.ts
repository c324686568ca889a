import type { Random, Scenario, ScenarioContext } from '../../../held-out.ts'
import { type Interval, IntervalSet } from '../interval-set.ts'

type Bounds = { start: number; end: number }

const isRangeError = (error: unknown) => error instanceof RangeError

/** Random sets under random operations; nothing that was handed in or out may be a way back in. */
export const scenario: Scenario = (context) => {
  const { random } = context
  for (let round = 0; round < 45; round++) play(context, number(random, random.int(0, 2)))
  for (let round = 0; round < 6; round++) refuse(context)
}

/** Bounds of one kind: whole, in quarters, or whole with infinities. They meet often. */
function number(random: Random, kind: number): () => number {
  const least = random.int(-30, 0)
  return () => {
    if (kind === 2 && random.chance(0.1)) return random.pick([-Infinity, Infinity])
    return kind === 1 ? random.int(4 * least, 60) / 4 : random.int(least, 20)
  }
}

function interval(random: Random, next: () => number): Bounds {
  const [a, b] = [next(), next()]
  if (random.chance(0.1)) return { start: a, end: a }
  return { start: Math.min(a, b), end: Math.max(a, b) }
}

function play({ random, record }: ScenarioContext, next: () => number): void {
  const given = random.list(0, 7, () => interval(random, next))
  const make = (list: Bounds[]): IntervalSet => {
    const way = random.int(0, 2)
    if (way === 0) return new IntervalSet(list)
    return new IntervalSet(way === 1 ? new Set(list) : list.values())
  }
  const copy = JSON.stringify(given)
  let set = given.length === 0 && random.chance(0.5) ? new IntervalSet() : make(given)
  const label = (one: Bounds): string => `${one.start} ${one.end}`
  record(`of ${given.map(label)}`, [set.toArray(), set.totalLength, JSON.stringify(given) === copy])
  spoil(random, given, next)
  const older: IntervalSet[] = [set]
  for (let step = 0; step < 9; step++) {
    const one = interval(random, next)
    const kind = random.pick(['add', 'remove', 'remove', 'intersection', 'gaps', 'has'])
    if (kind === 'gaps') {
      const gaps = set.gaps(one.start, one.end)
      record(`gaps ${label(one)}`, gaps)
      spoil(random, gaps as Bounds[], next)
    } else if (kind === 'has') {
      const points = random.list(4, 4, next).concat(pointsOf(set), Number.NaN)
      record(
        'has',
        points.map((point) => [point, set.has(point)]),
      )
    } else {
      const before = set
      if (kind === 'intersection') set = set.intersection(random.pick([make([one]), ...older]))
      else set = kind === 'add' ? set.add(one.start, one.end) : set.remove(one.start, one.end)
      if (kind !== 'intersection') record('the same', before === set)
      record(`${kind} ${label(one)}`, [set.toArray(), set.totalLength, before.toArray()])
      if (set.toArray().length === 0 && random.chance(0.5)) set = random.pick(older)
      older.push(set)
    }
    spoil(random, set.toArray() as Bounds[], next)
  }
  record(
    'older',
    older.map((one) => one.toArray()),
  )
  record('again', [given.length, set.gaps(-Infinity, Infinity), set instanceof IntervalSet])
}

/** All ends of a set and what is next to them. */
function pointsOf(set: IntervalSet): number[] {
  return set.toArray().flatMap(({ start, end }: Interval) => [start, end, end - 0.5, start - 0.5])
}

/** Changes what was handed in or out, as JavaScript allows. */
function spoil(random: Random, list: Bounds[], next: () => number): void {
  const first = list[0]
  if (first && !Object.isFrozen(first)) first.start = next() - 40
  const last = list.at(-1)
  if (last && !Object.isFrozen(last)) last.end = next() + 40
  if (!Object.isFrozen(list) && random.chance(0.5)) list.push({ start: -99, end: 99 })
}

function refuse({ random, attempt, record }: ScenarioContext): void {
  const start = random.int(-20, 20)
  const set = new IntervalSet([{ start, end: start + random.int(1, 9) }])
  const wrong = [
    [start + random.int(1, 9), start],
    [start + 0.25, start],
    [Number.NaN, start],
    [start, Number.NaN],
    [Number.NaN, Number.NaN],
    [Infinity, -Infinity],
    [start, -Infinity],
  ] as const
  for (const [from, to] of wrong) {
    const all = [
      { start: 0, end: 1 },
      { start: from, end: to },
    ]
    const made = (): unknown => new IntervalSet(random.shuffle(all)).toArray()
    attempt(`made ${from} ${to}`, made, isRangeError)
    attempt('add', () => set.add(from, to).toArray(), isRangeError)
    attempt('remove', () => set.remove(from, to).toArray(), isRangeError)
    attempt('gaps', () => set.gaps(from, to), isRangeError)
    attempt('empty', () => new IntervalSet().gaps(from, to), isRangeError)
  }
  record('after', set.toArray())
}
