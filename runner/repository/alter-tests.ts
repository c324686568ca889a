import { randomInt } from 'node:crypto'
import { findTables } from './alter-tables.ts'
import { PLACEHOLDER } from './canary.ts'
import { findErrorValues } from './error-values.ts'
import {
  argumentsAt,
  isLiteral,
  isTelling,
  pick,
  type Span,
  spoil,
  type Words,
  type WrongSpan,
  wordsIn,
} from './literals.ts'
import { findNegations } from './negate.ts'
import type { Change } from './overlay.ts'

/** Tests in which an expected value can be changed. */
export type Alterable = {
  /** How many they are. */
  count: number
  /** So many versions of all files, with a wrong value in each of these tests that the draw hits. */
  draw: (versions: number) => Change[][]
}

/**
 * What can be made wrong in these tests; with `valuesAlone`, nothing but values that they expect. A draw hits every test in at least one of
 * its versions, in which of them is drawn for each by itself: who says that a test passes in all of them is always
 * seen, and nothing in the text says which, so that only who knows the right answers can tell what must fail. Tests that fail anyway, of a
 * task's own canary, are left alone.
 */
export function findAlterable(tests: readonly Change[], { valuesAlone = false } = {}): Alterable {
  const texts = tests.map(({ bytes }) => bytes?.toString('utf8') ?? '')
  const all = tests.flatMap(({ path }, file) =>
    placesByTest(path, texts[file] ?? '', valuesAlone).map((places) => ({ file, places })),
  )
  const change = (chosen: typeof all) =>
    tests.map((test, file) => {
      const places = chosen.filter((one) => one.file === file).map((one) => pick(one.places))
      return places.length === 0
        ? test
        : { ...test, bytes: Buffer.from(applyPlaces(texts[file] ?? '', places)) }
    })
  const draw = (versions: number) => {
    const hits = all.map(() => randomInt(1, 2 ** versions))
    return Array.from({ length: versions }, (_, version) =>
      change(all.filter((_one, at) => ((hits[at] ?? 0) >> version) % 2 === 1)),
    )
  }
  return { count: all.length, draw }
}

function applyPlaces(text: string, places: readonly WrongSpan[]): string {
  const ordered = [...places].sort((a, b) => b.at - a.at)
  return ordered.reduce(
    (before, { at, end, wrong }) => before.slice(0, at) + wrong + before.slice(end),
    text,
  )
}

const KNOWN = /\.([cm]?[jt]sx?|py|go)$/
const JAVASCRIPT = /\.[cm]?[jt]sx?$/
const TEST_START =
  /^[ \t]*(?:(?:await[ \t]+)?(?:\w+\.)?(?:test|it)(?:\.\w+)*[ \t]*\(|(?:async[ \t]+)?def[ \t]+test|func[ \t]+Test)/gm
const EQUALITY =
  /(?<!\bnot\.(?:to\.)?)\b(?:equal|strictEqual|deepEqual|deepStrictEqual|eql|same|strictSame|toBe|toEqual|toStrictEqual|toHaveLength|toContain|toMatchInlineSnapshot|assert(?!Not)\w*Equal|Equal|(?<=\b(?:t|assert)\.)is)[ \t]*\(/g
/** What such a call says is part of a result: right work may have more of it than the reference has. */
const PART = /^toContain/
/** `assert x == 1` of Python, `if x != 1 {` of Go. */
const COMPARISON = /^[ \t]*(?:assert\b.*? == (.+)|if\b.*? != (.+?) \{)$/gm

/**
 * What can be changed, in a list for each test that has anything: values that it compares with, else those of the table
 * that it goes through, else the assertions themselves. Rows that are tests of their own have a list each.
 */
function placesByTest(path: string, text: string, valuesAlone: boolean): WrongSpan[][] {
  if (!KNOWN.test(path)) return []
  const { literals, names } = expectedValues(text)
  const starts = [...text.matchAll(TEST_START)].map(({ index }) => index)
  const words = wordsIn(text.slice(starts[0] ?? 0))
  const places = [
    ...literals.flatMap(({ at, end, isPart }) =>
      spoilExpected(text.slice(at, end), at, { isPart, words }),
    ),
    ...(JAVASCRIPT.test(path) ? findErrorValues(text) : []),
  ]
  const tables = findTables(text, names).filter(({ at }) => at < endOfReal(text, 0))
  const inOneTest = tables.filter(({ isPerRow }) => !isPerRow)
  const perRow = tables.filter(({ isPerRow }) => isPerRow)
  const negations = valuesAlone ? [] : findNegations(path, text)
  const ofTable = new Set(perRow.map(({ at }) => testOfTable(path, text, { starts, at })))
  const ofTests = starts.map((start, index) => {
    const end = Math.min(starts[index + 1] ?? text.length, endOfReal(text, start))
    const isOwn = ({ at }: { at: number }) => at >= start && at < end
    const own = places.filter(isOwn)
    if (own.length > 0) return own
    const rows = inOneTest.filter(isOwn).flatMap((table) => table.rows.flat())
    // The opposite of a wrong row would be right again.
    return rows.length > 0 || ofTable.has(start) ? rows : negations.filter(isOwn)
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

/** Where the test starts that a table is for: around `each` and in Go, else below the table. */
function testOfTable(
  path: string,
  text: string,
  { starts, at }: { starts: readonly number[]; at: number },
): number | undefined {
  const isAround = path.endsWith('.go') || /\beach(?:<[^<>()]*>)?\(\s*$/.test(text.slice(0, at))
  return isAround ? starts.findLast((start) => start <= at) : starts.find((start) => start > at)
}

/** Where the next line is that belongs to a canary of the task's own. */
function endOfReal(text: string, from: number): number {
  const at = text.indexOf(PLACEHOLDER, from)
  return at === -1 ? text.length : text.lastIndexOf('\n', at) + 1
}

type Expected = Span & { isPart: boolean }

/**
 * Where literals are that something is compared with (a result that equals one of them equals no other), and the names
 * that are used there instead.
 */
function expectedValues(text: string): { literals: Expected[]; names: Set<string> } {
  const inCalls = [...text.matchAll(EQUALITY)].flatMap(({ index, 0: head }) =>
    argumentsAt(text, index + head.length)
      .slice(0, 2)
      .map((span) => ({ ...span, isPart: PART.test(head) })),
  )
  const compared = [...text.matchAll(COMPARISON)].map((match): Expected => {
    const value = match[1] ?? match[2] ?? ''
    const at = match.index + match[0].lastIndexOf(value)
    return { at, end: at + value.length, isPart: false }
  })
  const all = [...inCalls, ...compared]
  const said = all.map(({ at, end }) => text.slice(at, end).trim())
  return {
    literals: all.filter(({ at, end }) => isLiteral(text.slice(at, end))),
    names: new Set(said.flatMap((one) => /^(?:\w+\.)?([A-Za-z_]\w*)$/.exec(one)?.[1] ?? [])),
  }
}
