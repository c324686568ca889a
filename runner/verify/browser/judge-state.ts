import { countOf, present } from '#lib/domain/text/index.ts'
import {
  allOf,
  decide,
  fitsCount,
  type HowMany,
  type JudgedAssertion,
  type SpecOf,
  showHowMany,
  showValue,
  showValues,
  undecided,
} from './judged.ts'

const DIFFERENCES = 5

/**
 * Checks the state of the app's server. Every requirement of the assertion has to be met; without one, the value only
 * has to exist.
 */
export function judgeState(spec: SpecOf<'state'>, state: unknown): JudgedAssertion {
  const place = spec.path === '' ? 'the state' : spec.path
  const wants = wantsOf(spec)
  const expected =
    wants.length === 0
      ? `${place} is there`
      : `${place} ${wants.map((want) => want.expected).join(' and ')}`
  if (state === null || state === undefined)
    return undecided(expected, "the app's state could not be read")
  const found = readPath(state, spec.path)
  if (!found.found) return decide(expected, showNowhere(spec.path, found), false)
  if (wants.length === 0) return decide(expected, showValue(found.value), true)
  const judged = wants.map((want) => want.judge(found.value))
  const verdict = allOf(judged.map((one) => (one.holds ? 'pass' : 'fail')))
  const observed = [...new Set(judged.map((one) => one.observed))].join('; ')
  return { expected, observed, verdict }
}

type Want = { expected: string; judge: (value: unknown) => { observed: string; holds: boolean } }

function wantsOf({ equals, matches, exactly, count }: SpecOf<'state'>): Want[] {
  return [
    ...(equals === undefined ? [] : [wantEqual(equals)]),
    ...(matches === undefined ? [] : [wantMatch(matches)]),
    ...(exactly === undefined ? [] : [wantExactly(exactly)]),
    ...(count === undefined ? [] : [wantCount(count)]),
  ]
}

function wantEqual(wanted: unknown): Want {
  return {
    expected: `is ${showValue(wanted)}`,
    judge: (value) => showMisfit(wanted, value, true),
  }
}

function wantMatch(pattern: unknown): Want {
  const members = showValue(pattern)
  return {
    expected: `has ${members}`,
    judge: (value) => {
      if (!Array.isArray(value) || Array.isArray(pattern)) return showMisfit(pattern, value, false)
      const fitting = value.filter((one) => fits(pattern, one))
      const observed = `${fitting.length} of ${countOf(value.length, 'element')} fit, where exactly one should`
      if (fitting.length === 1) return { observed: showValue(fitting[0]), holds: true }
      return {
        observed: `${observed}: ${showValues(fitting.length > 0 ? fitting : value)}`,
        holds: false,
      }
    },
  }
}

function wantExactly(patterns: readonly unknown[]): Want {
  const size = countOf(patterns.length, 'element')
  return {
    expected:
      patterns.length === 0 ? 'is an empty list' : `holds exactly ${size}: ${showValues(patterns)}`,
    judge: (value) => {
      if (!Array.isArray(value))
        return { observed: `no list but ${showValue(value)}`, holds: false }
      const { missing, unexpected } = matchPerfectly(patterns.length, value.length, (one, other) =>
        fits(patterns[one], value[other]),
      )
      const parts = present([
        countOf(value.length, 'element'),
        missing.length > 0 && `missing: ${showValues(missing.map((one) => patterns[one]))}`,
        unexpected.length > 0 && `not expected: ${showValues(unexpected.map((one) => value[one]))}`,
      ])
      const holds = parts.length === 1
      if (holds && value.length > 0) parts.push(showValues(value))
      return { observed: parts.join('; '), holds }
    },
  }
}

function wantCount(wanted: HowMany): Want {
  return {
    expected: `has ${showHowMany(wanted)}`,
    judge: (value) => {
      const size = sizeOf(value)
      if (size === null) return { observed: `no list but ${showValue(value)}`, holds: false }
      const holds = fitsCount(wanted, size)
      return { observed: `${size}${size > 0 ? `: ${showValue(value)}` : ''}`, holds }
    },
  }
}

function sizeOf(value: unknown): number | null {
  if (typeof value === 'string' || Array.isArray(value)) return value.length
  return typeof value === 'object' && value !== null ? Object.keys(value).length : null
}

function showMisfit(wanted: unknown, value: unknown, whole: boolean) {
  const differences = findDifferences(wanted, value, { whole, limit: DIFFERENCES })
  if (differences.length === 0) return { observed: showValue(value), holds: true }
  return { observed: `${differences.join('; ')}: ${showValue(value)}`, holds: false }
}

function showNowhere(path: string, { until, value }: Extract<Found, { found: false }>): string {
  const place = until === '' ? 'the state' : until
  return `nothing at ${path}; ${place} is ${showValue(value)}`
}

/** The pattern and element of each match, and the rest on either side. */
type Matching = { missing: number[]; unexpected: number[] }

/**
 * Finds the largest matching between patterns and elements, each used once: a loose pattern never takes an element that
 * only a stricter one could have (augmenting paths, so the order of neither side matters). Perfect = none is left over.
 */
export function matchPerfectly(
  patterns: number,
  elements: number,
  fits: (pattern: number, element: number) => boolean,
): Matching {
  const candidates = Array.from({ length: patterns }, (_, pattern) =>
    Array.from({ length: elements }, (_, element) => element).filter((one) => fits(pattern, one)),
  )
  const takenBy = new Map<number, number>()
  const missing = candidates.flatMap((_, pattern) => (place(pattern, new Set()) ? [] : [pattern]))
  const unexpected = Array.from({ length: elements }, (_, one) => one).filter(
    (one) => !takenBy.has(one),
  )
  return { missing, unexpected }

  function place(pattern: number, tried: Set<number>): boolean {
    for (const element of candidates[pattern] ?? []) {
      if (tried.has(element)) continue
      tried.add(element)
      const holder = takenBy.get(element)
      if (holder === undefined || place(holder, tried)) {
        takenBy.set(element, pattern)
        return true
      }
    }
    return false
  }
}

type Members = Record<string, unknown>

/**
 * Lists the differences between a JSON value and the wanted one, each as one short clause, at most `limit`; none = it
 * matches. `whole`: it may contain nothing else; else objects may have further members, at any depth. Lists are
 * compared in order and completely.
 */
function findDifferences(
  wanted: unknown,
  value: unknown,
  { whole, limit }: { whole: boolean; limit: number },
): string[] {
  const found: string[] = []
  for (const difference of compare({ wanted, value, at: '', whole })) {
    found.push(difference)
    if (found.length === limit) break
  }
  return found
}

/** Returns whether a value has at least the contents of the pattern. */
function fits(pattern: unknown, value: unknown): boolean {
  return findDifferences(pattern, value, { whole: false, limit: 1 }).length === 0
}

type Pair<Value = unknown> = { wanted: Value; value: Value; at: string; whole: boolean }

function* compare(pair: Pair): Generator<string> {
  const { wanted, value, at } = pair
  if (wanted === value) return
  if (Array.isArray(wanted) && Array.isArray(value)) yield* compareLists({ ...pair, wanted, value })
  else if (isMembers(wanted) && isMembers(value)) yield* compareMembers({ ...pair, wanted, value })
  else yield `${at || 'it'} is ${showValue(value)}, not ${showValue(wanted)}`
}

function* compareLists({ wanted, value, at, whole }: Pair<unknown[]>): Generator<string> {
  if (wanted.length !== value.length) {
    yield `${at || 'it'} has ${countOf(value.length, 'element')}, not ${wanted.length}`
    return
  }
  for (const [index, one] of wanted.entries())
    yield* compare({ wanted: one, value: value[index], at: `${at}[${index}]`, whole })
}

function* compareMembers({ wanted, value, at, whole }: Pair<Members>): Generator<string> {
  const place = (key: string) => (at === '' ? key : `${at}.${key}`)
  for (const key of Object.keys(wanted)) {
    if (!Object.hasOwn(value, key)) yield `${place(key)} is missing`
    else yield* compare({ wanted: wanted[key], value: value[key], at: place(key), whole })
  }
  const others = whole ? Object.keys(value).filter((key) => !Object.hasOwn(wanted, key)) : []
  for (const key of others) yield `${place(key)} is too much`
}

function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The value at a path, or how far the path led. */
type Found = { found: true; value: unknown } | { found: false; until: string; value: unknown }

const PATH = /^(?:[^.[\]]+|\[\d+\])(?:\.[^.[\]]+|\[\d+\])*$/

/**
 * Follows `orders[0].lines` into a JSON value; the empty path is the value itself. Only own members count, so that no
 * path finds `constructor`. If it leads nowhere, returns the last existing value with its path.
 */
function readPath(root: unknown, path: string): Found {
  if (path === '') return { found: true, value: root }
  if (!PATH.test(path)) return { found: false, until: '', value: root }
  let value = root
  let until = ''
  for (const [step] of path.matchAll(/[^.[\]]+|\[\d+\]/g)) {
    const next = readMember(value, step)
    if (next === undefined) return { found: false, until, value }
    value = next.value
    until = step.startsWith('[') || until === '' ? `${until}${step}` : `${until}.${step}`
  }
  return { found: true, value }
}

function readMember(value: unknown, step: string): { value: unknown } | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const isIndex = step.startsWith('[')
  if (isIndex !== Array.isArray(value)) return undefined
  const key = isIndex ? step.slice(1, -1) : step
  if (!Object.hasOwn(value, key)) return undefined
  return { value: (value as Record<string, unknown>)[key] }
}
