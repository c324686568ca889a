import { randomInt } from 'node:crypto'
import { PLACEHOLDER } from './canary.ts'
import type { Change } from './overlay.ts'

/** One value that a test expects, and the same value made wrong. */
type Place = { at: number; end: number; wrong: string }

/** Tests in which an expected value can be changed. */
export type Alterable = {
  /** How many they are. */
  count: number
  /** All files, with a wrong value in each of these tests that the draw hits. */
  draw: () => Change[]
}

/**
 * What can be made wrong in these tests. Each draw hits every test with a probability of one half, whatever it did to the
 * others and before: nothing in the text says which, so that only who knows the right answers can tell what must fail.
 * Tests that fail anyway, of a task's own canary, are left alone.
 */
export function findAlterable(tests: readonly Change[]): Alterable {
  const texts = tests.map(({ bytes }) => bytes?.toString('utf8') ?? '')
  const all = tests.flatMap(({ path }, file) =>
    placesByTest(path, texts[file] ?? '').map((places) => ({ file, places })),
  )
  const draw = () => {
    const chosen = all.filter(() => randomInt(2) === 1)
    return tests.map((test, file) => {
      const places = chosen.filter((one) => one.file === file).map((one) => pick(one.places))
      return places.length === 0
        ? test
        : { ...test, bytes: Buffer.from(applyPlaces(texts[file] ?? '', places)) }
    })
  }
  return { count: all.length, draw }
}

function pick<T>(items: readonly T[]): T {
  return items[randomInt(items.length)] as T
}

function applyPlaces(text: string, places: readonly Place[]): string {
  const ordered = [...places].sort((a, b) => b.at - a.at)
  return ordered.reduce(
    (before, { at, end, wrong }) => before.slice(0, at) + wrong + before.slice(end),
    text,
  )
}

const KNOWN = /\.([cm]?[jt]sx?|py|go)$/
const TEST_START =
  /^[ \t]*(?:(?:await[ \t]+)?(?:\w+\.)?(?:test|it)(?:\.\w+)*[ \t]*\(|(?:async[ \t]+)?def[ \t]+test|func[ \t]+Test)/gm
const EQUALITY =
  /\b(?:equal|strictEqual|deepEqual|deepStrictEqual|eql|same|strictSame|toBe|toEqual|toStrictEqual|toHaveLength|toContain|assert\w*Equal|Equal)[ \t]*\(/g
/** `assert x == 1` of Python, `if x != 1 {` of Go. */
const COMPARISON = /^[ \t]*(?:assert\b.*? == (.+)|if\b.*? != (.+?) \{)$/gm

/** What can be changed, in a list for each test that has anything; what stands before the first test is its helpers'. */
function placesByTest(path: string, text: string): Place[][] {
  if (!KNOWN.test(path)) return []
  const starts = [...text.matchAll(TEST_START)].map(({ index }) => index)
  const places = expectedValues(text).flatMap(({ at, end }) => spoil(text.slice(at, end), at))
  return starts
    .map((start, index) => {
      const end = Math.min(starts[index + 1] ?? text.length, endOfReal(text, start))
      return places.filter(({ at }) => at >= start && at < end)
    })
    .filter((own) => own.length > 0)
}

/** Where the next line is that belongs to a canary of the task's own. */
function endOfReal(text: string, from: number): number {
  const at = text.indexOf(PLACEHOLDER, from)
  return at === -1 ? text.length : text.lastIndexOf('\n', at) + 1
}

/** Where literals stand that something is compared with: a result that equals one of them equals no other. */
function expectedValues(text: string): { at: number; end: number }[] {
  const inCalls = [...text.matchAll(EQUALITY)].flatMap(({ index, 0: head }) =>
    argumentsAt(text, index + head.length)
      .slice(0, 2)
      .filter(({ at, end }) => isLiteral(text.slice(at, end))),
  )
  const compared = [...text.matchAll(COMPARISON)].flatMap((match) => {
    const value = match[1] ?? match[2] ?? ''
    const at = match.index + match[0].lastIndexOf(value)
    return isLiteral(value) ? [{ at, end: at + value.length }] : []
  })
  return [...inCalls, ...compared]
}

const LONGEST_CALL = 4000
const STRING = /"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\$])*`/
const CALL_PART = new RegExp(`${STRING.source}|[([{]|[)\\]}]|,`, 'g')

/** The arguments of a call from behind its bracket; none where it does not end. */
function argumentsAt(text: string, from: number): { at: number; end: number }[] {
  const found: { at: number; end: number }[] = []
  let [depth, start] = [0, from]
  for (const { index, 0: part } of text.slice(from, from + LONGEST_CALL).matchAll(CALL_PART)) {
    if ('([{'.includes(part)) depth++
    else if (depth > 0 && ')]}'.includes(part)) depth--
    else if (depth === 0 && part.length === 1) {
      found.push({ at: start, end: from + index })
      start = from + index + 1
      if (part !== ',') return found
    }
  }
  return []
}

const NUMBER = /(?<![\w.])\d[\d_]*(?:\.\d+)?(?![\w.])/
const WORD = /\b(?:true|false|null|undefined|True|False|None)\b/
const ATOM = new RegExp(`${STRING.source}|${NUMBER.source}|${WORD.source}`, 'g')

/** Whether a text is made of literals alone: no name, no call, no prefix of a string. */
function isLiteral(text: string): boolean {
  const rest = text.replace(ATOM, '0').replace(/(?<![\w$])[A-Za-z_$][\w$]*\s*:/g, '')
  return text.search(ATOM) !== -1 && /^[\s0[\]{}(),:+-]*$/.test(rest)
}

const OTHER_WORD: Readonly<Record<string, string>> = {
  ...{ true: 'false', false: 'true', null: '0', undefined: '0' },
  ...{ True: 'False', False: 'True', None: '0' },
}

function spoil(value: string, at: number): Place[] {
  return [...value.matchAll(ATOM)].map(({ index, 0: atom }) => ({
    at: at + index,
    end: at + index + atom.length,
    wrong: OTHER_WORD[atom] ?? (/^\d/.test(atom) ? spoilNumber(atom) : spoilString(atom)),
  }))
}

function spoilNumber(atom: string): string {
  return atom.replace(/\d$/, otherOf('0123456789'))
}

/** Another letter or digit in place of one that is no part of an escape; without any, one more. */
function spoilString(atom: string): string {
  const places = [...atom.matchAll(/(?<!\\[^\\]{0,8})[A-Za-z0-9]/g)].map(({ index }) => index)
  if (places.length === 0) return `${atom.slice(0, -1)}e${atom.slice(-1)}`
  const at = pick(places)
  const other = atom.slice(at, at + 1).replace(/./, (char) => {
    if (/\d/.test(char)) return otherOf('0123456789')(char)
    return otherOf(char < 'a' ? 'ABCDEFGHIKLMNOPRST' : 'abcdefghiklmnoprst')(char)
  })
  return atom.slice(0, at) + other + atom.slice(at + 1)
}

const otherOf = (characters: string) => (char: string) =>
  pick([...characters].filter((one) => one !== char))
