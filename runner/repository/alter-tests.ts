import { findShellValues, SHELL_FUNCTION } from './alter-shell.ts'
import { findTables } from './alter-tables.ts'
import { PLACEHOLDER } from './canary.ts'
import { findErrorValues } from './error-values.ts'
import {
  argumentsAt,
  isLiteral,
  isTelling,
  pick,
  type Span,
  shuffle,
  spoil,
  type Words,
  type WrongSpan,
  wordsIn,
} from './literals.ts'
import { findNegations, findRaised } from './negate.ts'
import type { Change } from './overlay.ts'

/** A test in which something can be altered. */
export type AlterableTest = {
  path: string
  /** Offset of its first position in the file. */
  at: number
  /** Number of values for one of its positions, including the right one: 1 = only opposites. */
  values: number
}

/** Versions of all tests, one for each run. */
export type DrawnVersions = {
  versions: Change[][]
  /** For each test, the versions in which it is altered. */
  changed: boolean[][]
  /** For each test, the number of values among which a guess has to choose. */
  choices: number[]
}

/** Tests in which an expected value can be altered. */
export type Alterable = {
  tests: AlterableTest[]
  /** Draws this many versions; with `chosen`, only these tests are altered. */
  draw: (versions: number, chosen?: ReadonlySet<number>) => DrawnVersions
  /** Returns all files with these tests altered. */
  spoil: (chosen: ReadonlySet<number>) => Change[]
}

/**
 * Finds what can be altered in these tests; with `valuesAlone`, only expected values. In each version a test shows
 * another value in the same position, and the right one in a random version or in none. Work that remembers all n
 * versions still has to guess which of n + 1 values is right, separately for each test. Tests that fail anyway, of a
 * task's own canary, are skipped.
 */
export function findAlterable(files: readonly Change[], { valuesAlone = false } = {}): Alterable {
  const texts = files.map(({ bytes }) => bytes?.toString('utf8') ?? '')
  const all = files.flatMap(({ path }, file) =>
    placesByTest(path, texts[file] ?? '', valuesAlone).map((places) => ({ path, file, places })),
  )
  const write = (spans: readonly (WrittenSpan & { file: number })[]) =>
    files.map((one, file) => {
      const own = spans.filter((span) => span.file === file)
      if (own.length === 0) return one
      return { ...one, bytes: Buffer.from(applyPlaces(texts[file] ?? '', own)) }
    })
  const draw: Alterable['draw'] = (versions, chosen) => {
    const dealt = all.map(({ file, places }, at) =>
      chosen?.has(at) === false ? null : deal(places, versions, file),
    )
    return {
      versions: Array.from({ length: versions }, (_, version) =>
        write(dealt.flatMap((test) => test?.spans[version] ?? [])),
      ),
      changed: dealt.map((test) =>
        Array.from({ length: versions }, (_, at) => (test?.spans[at] ?? null) !== null),
      ),
      choices: dealt.map((test) => test?.choices ?? 1),
    }
  }
  const spoil = (chosen: ReadonlySet<number>) =>
    write(
      all.flatMap(({ file, places }, index) => {
        const { at, end, wrong } = pick(places)
        return chosen.has(index) ? [{ file, at, end, text: pick(wrong) }] : []
      }),
    )
  const tests = all.map(({ path, places }) => ({
    path,
    at: places[0]?.at ?? 0,
    values: Math.max(...places.map(choicesOf)),
  }))
  return { tests, draw, spoil }
}

type Dealt = { spans: ((WrittenSpan & { file: number }) | null)[]; choices: number }
type WrittenSpan = Span & { text: string }

/**
 * Deals the right value and others in random order, one for each version; if there are few values, each occurs more
 * than once.
 */
function deal(places: readonly WrongSpan[], versions: number, file: number): Dealt {
  const max = Math.max(...places.map((place) => Math.min(versions + 1, choicesOf(place))))
  const { at, end, wrong, isOpposite } = pick(
    places.filter((place) => Math.min(versions + 1, choicesOf(place)) === max),
  )
  const values = shuffle([null, ...wrong.slice(0, versions)])
  const spans = Array.from({ length: versions }, (_, version) => {
    const text = values[version % values.length] ?? null
    return text === null ? null : { file, at, end, text }
  })
  return { spans, choices: isOpposite ? 1 : values.length }
}

const choicesOf = ({ wrong, isOpposite }: WrongSpan) => (isOpposite ? 1 : wrong.length + 1)

function applyPlaces(before: string, places: readonly WrittenSpan[]): string {
  const ordered = [...places].sort((a, b) => b.at - a.at)
  return ordered.reduce(
    (now, { at, end, text }) => now.slice(0, at) + text + now.slice(end),
    before,
  )
}

const KNOWN = /\.([cm]?[jt]sx?|py|go|sh)$/
const JAVASCRIPT = /\.[cm]?[jt]sx?$/
const TEST_START =
  /^[ \t]*(?:(?:await[ \t]+)?(?:\w+\.)?(?:test|it)(?:\.\w+)*[ \t]*\(|(?:async[ \t]+)?def[ \t]+test|func[ \t]+Test)/gm
const EQUALITY =
  /(?<!\bnot\.(?:to\.)?)\b(?:equal|strictEqual|deepEqual|deepStrictEqual|eql|same|strictSame|toBe|toEqual|toStrictEqual|toHaveLength|toContain|toMatchInlineSnapshot|assert(?!Not)\w*Equal|Equal|(?<=\b(?:t|assert)\.)is)[ \t]*\(/g
/** The argument of such a call is part of a result: right work may have more of it than the reference. */
const PART = /^toContain/
/** `assert x == 1` of Python, `if x != 1 {` of Go. */
const COMPARISON = /^[ \t]*(?:assert\b.*? == (.+)|if\b.*? != (.+?) \{)$/gm

/**
 * Returns what can be altered, in a list for each test that has something: values that it compares with, else those of
 * the table that it iterates over, else those in the expression it compares with, else the assertions themselves. Rows
 * that are separate tests have a list each.
 */
function placesByTest(path: string, text: string, valuesAlone: boolean): WrongSpan[][] {
  if (!KNOWN.test(path)) return []
  const isShell = path.endsWith('.sh')
  const { literals, others, names } = expectedValues(text)
  const starts = [...text.matchAll(isShell ? SHELL_FUNCTION : TEST_START)].map(({ index }) => index)
  const words = wordsIn(text.slice(starts[0] ?? 0))
  const places = [
    ...(isShell ? findShellValues(text) : []),
    ...literals.flatMap(({ at, end, isPart }) =>
      spoilExpected(text.slice(at, end), at, { isPart, words }),
    ),
    ...(JAVASCRIPT.test(path) ? findErrorValues(text) : []),
    ...(path.endsWith('.py') ? findRaised(text) : []),
  ]
  const parts = others.flatMap((part) => spoilParts(text, part, words))
  const tables = findTables(text, names).filter(({ at }) => at < endOfReal(text, 0))
  const inOneTest = tables.filter(({ isPerRow }) => !isPerRow)
  const perRow = tables.filter(({ isPerRow }) => isPerRow)
  const negations = valuesAlone || isShell ? [] : findNegations(path, text)
  const ofTable = new Set(perRow.map(({ at }) => testOfTable(path, text, { starts, at })))
  const ofTests = starts.map((start, index) => {
    const end = Math.min(starts[index + 1] ?? text.length, endOfReal(text, start))
    const isOwn = ({ at }: { at: number }) => at >= start && at < end
    const own = places.filter(isOwn)
    if (own.length > 0) return own
    const rows = inOneTest.filter(isOwn).flatMap((table) => table.rows.flat())
    // The opposite of an altered row would be right again.
    if (rows.length > 0 || ofTable.has(start)) return rows
    const ofOthers = parts.filter(isOwn)
    return ofOthers.length > 0 ? ofOthers : negations.filter(isOwn)
  })
  const ofRows = perRow.flatMap(({ rows }) => rows)
  return [...ofTests, ...ofRows].filter((own) => own.length > 0)
}

function spoilExpected(
  value: string,
  at: number,
  { isPart, words }: { isPart: boolean; words: Words },
): WrongSpan[] {
  if (!isPart) return spoil(value, at, words)
  return /^\s*['"`]/.test(value) && isTelling(value) ? spoil(value, at) : []
}

/** Returns the start of the test that a table belongs to: around `each` and in Go, else below the table. */
function testOfTable(
  path: string,
  text: string,
  { starts, at }: { starts: readonly number[]; at: number },
): number | undefined {
  const isAround = path.endsWith('.go') || /\beach(?:<[^<>()]*>)?\(\s*$/.test(text.slice(0, at))
  return isAround ? starts.findLast((start) => start <= at) : starts.find((start) => start > at)
}

/** Returns the start of the next line that belongs to a canary of the task's own. */
function endOfReal(text: string, from: number): number {
  const at = text.indexOf(PLACEHOLDER, from)
  return at === -1 ? text.length : text.lastIndexOf('\n', at) + 1
}

/** Returns values in an expression that a result is compared with, without strings that have a prefix. */
function spoilParts(text: string, { at, end }: Span, words: Words): WrongSpan[] {
  return spoil(text.slice(at, end), at, words).filter(
    (one) => !/[A-Za-z]/.test(text.charAt(one.at - 1)),
  )
}

type Expected = Span & { isPart: boolean }

/**
 * Finds compared literals (a result that equals one of them equals no other), other expressions in the position of an
 * expected value, and the names used there instead.
 */
function expectedValues(text: string): {
  literals: Expected[]
  others: Span[]
  names: Set<string>
} {
  const inCalls = [...text.matchAll(EQUALITY)].map(({ index, 0: head }) => {
    const given = argumentsAt(text, index + head.length).slice(0, 2)
    const all = given.map((span) => ({ ...span, isPart: PART.test(head) }))
    return { all, expected: all[/^(?:to[A-Z]|eql)/.test(head) ? 0 : 1] }
  })
  const compared = [...text.matchAll(COMPARISON)].map((match): Expected => {
    const value = match[1] ?? match[2] ?? ''
    const at = match.index + match[0].lastIndexOf(value)
    return { at, end: at + value.length, isPart: false }
  })
  const all = [...inCalls.flatMap((call) => call.all), ...compared]
  const isPlain = ({ at, end }: Span) => isLiteral(text.slice(at, end))
  const parts = all.map(({ at, end }) => text.slice(at, end).trim())
  const ofCalls = inCalls.flatMap((call) =>
    call.expected === undefined || call.expected.isPart || call.all.some(isPlain)
      ? []
      : [call.expected],
  )
  return {
    literals: all.filter(isPlain),
    others: [...ofCalls, ...compared.filter((one) => !isPlain(one))],
    names: new Set(parts.flatMap((one) => /^(?:\w+\.)?([A-Za-z_]\w*)$/.exec(one)?.[1] ?? [])),
  }
}
