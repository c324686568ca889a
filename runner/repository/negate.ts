import { argumentsAt, CALL_PART, shuffle, type WrongSpan } from './literals.ts'

/**
 * Inverts assertions, for tests that compare with no plain value. Work that is right for the tests' inputs fails the
 * inverted ones, which detects a process that reports each failure as a pass.
 */
export function findNegations(path: string, text: string): WrongSpan[] {
  if (path.endsWith('.py')) return [...swapped(text, PYTHON), ...statementsOf(text)]
  if (path.endsWith('.go')) return swapped(text, GO)
  const chai = /['"]chai['"]/.test(text) ? swapped(text, CHAI) : []
  const own = swapped(text, [ofTest(/['"]ava['"]/.test(text) ? AVA : TAP)])
  return [...swapped(text, JAVASCRIPT), ...own, ...chai, ...wrapped(text)]
}

/** A position, and its replacement. */
type Swap = readonly [place: RegExp, instead: (found: string) => string]

/** Maps each of a pair to the other. */
const pairs = (text: string): ReadonlyMap<string, string> => {
  const all = text.split(' ').map((pair) => pair.split('/') as [string, string])
  return new Map([...all, ...all.map(([one, other]): [string, string] => [other, one])])
}

const anyOf = (names: ReadonlyMap<string, string>) => [...names.keys()].join('|')

const MATCHER = '\\.to(?:Be|Contain|Equal|Have|Match|Satisfy|StrictEqual|Throw)\\w*\\s*\\('
const ASSERT = pairs(
  'throws/doesNotThrow rejects/doesNotReject match/doesNotMatch equal/notEqual strictEqual/notStrictEqual deepEqual/notDeepEqual deepStrictEqual/notDeepStrictEqual isTrue/isFalse isOk/isNotOk include/notInclude isNull/isNotNull isDefined/isUndefined instanceOf/notInstanceOf',
)
const TAP = pairs(
  'throws/doesNotThrow rejects/resolves match/notMatch equal/not same/notSame ok/notOk',
)
const AVA = pairs(
  'is/not true/false truthy/falsy deepEqual/notDeepEqual regex/notRegex throws/notThrows throwsAsync/notThrowsAsync',
)
const ofTest = (names: ReadonlyMap<string, string>): Swap => [
  new RegExp(`(?<=\\bt\\.)(?:${anyOf(names)})(?=\\()`, 'g'),
  (found) => names.get(found) ?? '',
]
const JAVASCRIPT: readonly Swap[] = [
  [new RegExp(`(?<=\\)|\\.resolves|\\.rejects)(?=\\s*${MATCHER})`, 'g'), () => '.not'],
  [new RegExp(`(?<=\\)|\\.resolves|\\.rejects)\\s*\\.not(?=\\s*${MATCHER})`, 'g'), () => ''],
  [
    new RegExp(`(?<=\\bassert\\.)(?:${anyOf(ASSERT)})(?=\\()`, 'g'),
    (found) => ASSERT.get(found) ?? '',
  ],
]
const CHAI: readonly Swap[] = [
  [
    /(?<=\)\.to)(?=\.(?:be|contain|deep|eql|equal|have|include|match|satisfy|throw)\b)/g,
    () => '.not',
  ],
  [/(?<=\)\.to)\.not(?=\.)|(?<=\))\.not(?=\.to\.)/g, () => ''],
]

const UNITTEST = pairs(
  'assertTrue/assertFalse assertEqual/assertNotEqual assertIn/assertNotIn assertIs/assertIsNot assertIsNone/assertIsNotNone assertIsInstance/assertNotIsInstance assertRegex/assertNotRegex assertAlmostEqual/assertNotAlmostEqual assertGreater/assertLessEqual assertLess/assertGreaterEqual',
)
const PYTHON: readonly Swap[] = [
  [
    new RegExp(`(?<=\\bself\\.)(?:${anyOf(UNITTEST)})(?=\\()`, 'g'),
    (found) => UNITTEST.get(found) ?? '',
  ],
]
const RAISES = /(?<=\b(?:pytest\.raises|self\.assertRaises)\()[A-Za-z_][\w.]*(?=[,)])/g
const GO: readonly Swap[] = [
  [
    /(?<=^[ \t]*if\b[^\n{]{0,200})[!=]=(?=[^\n{=]{1,200}\{$)/gm,
    (found) => (found === '!=' ? '==' : '!='),
  ],
  [/(?<=^[ \t]*if )!(?=[A-Za-z])/gm, () => ''],
]

function swapped(text: string, swaps: readonly Swap[]): WrongSpan[] {
  return swaps.flatMap(([place, instead]) =>
    [...text.matchAll(place)].map(({ index, 0: found }) => ({
      at: index,
      end: index + found.length,
      wrong: [instead(found)],
      isOpposite: true,
    })),
  )
}

/** Base classes of errors: right work may raise one of these where the reference raises a subclass. */
const BROAD = new Set(['BaseException', 'Exception', 'LookupError'])
/** An error that no work raises. */
const NEVER = 'GeneratorExit'
const ERRORS = ['AttributeError', 'KeyError', 'OSError', 'RuntimeError', 'TypeError', 'ValueError']

/** Finds the errors that Python tests expect, with unrelated ones that do not catch them. */
export function findRaised(text: string): WrongSpan[] {
  return [...text.matchAll(RAISES)].map(({ index, 0: name }) => ({
    at: index,
    end: index + name.length,
    wrong: BROAD.has(name) ? [NEVER] : shuffle(ERRORS.filter((one) => one !== name)),
    isOpposite: BROAD.has(name),
  }))
}

/** `assert(x)` and `assert.ok(x)`. */
function wrapped(text: string): WrongSpan[] {
  return [...text.matchAll(/(?<![.\w])assert(?:\.ok)?\(/g)].flatMap(({ index, 0: head }) => {
    const [first] = argumentsAt(text, index + head.length)
    const source = first && text.slice(first.at, first.end)
    return first && source?.trim()
      ? { ...first, wrong: [opposite(source, IN_JAVASCRIPT)], isOpposite: true }
      : []
  })
}

/** Finds Python's `assert x` within one line. */
function statementsOf(text: string): WrongSpan[] {
  return [...text.matchAll(/(?<=^[ \t]*assert[ \t]+)\S.*$/gm)].flatMap(({ index, 0: line }) => {
    const length = lengthOfFirst(line)
    if (length === null) return []
    const wrong = [opposite(line.slice(0, length), IN_PYTHON)]
    return { at: index, end: index + length, wrong, isOpposite: true }
  })
}

type Syntax = {
  not: string
  compares: ReadonlyMap<string, string>
  /** Operators that make it more than one comparison or operand. */
  joins: RegExp
}

const IN_JAVASCRIPT: Syntax = {
  not: '!',
  compares: pairs('===/!== ==/!= </>= >/<='),
  joins: /&&|\|\||\?|=>|^\w+ | (?![=!<>])/,
}
const IN_PYTHON: Syntax = {
  not: 'not ',
  compares: new Map([
    ...pairs('==/!= </>= >/<='),
    ...([
      ['in', 'not in'],
      ['not in', 'in'],
      ['is', 'is not'],
      ['is not', 'is'],
    ] as const),
  ]),
  joins: / (?:and|or|if) |\blambda\b/,
}

/** Returns the opposite in its usual form, so that the form does not reveal the change. */
function opposite(source: string, { not, compares, joins }: Syntax): string {
  const text = source.trim()
  const outer = withoutInner(text)
  const longestFirst = [...compares.keys()].sort((a, b) => b.length - a.length)
  const found = [...outer.matchAll(new RegExp(`(?<= )(?:${longestFirst.join('|')})(?= )`, 'g'))]
  const [only] = found
  const operands = found.reduce((rest, { 0: one }) => rest.replace(` ${one} `, '_'), outer)
  const around = (instead: string) => source.replace(text, () => instead)
  if (joins.test(operands) || found.length > 1) return around(`${not}(${text})`)
  if (only !== undefined) {
    const end = only.index + only[0].length
    return around(text.slice(0, only.index) + (compares.get(only[0]) ?? '') + text.slice(end))
  }
  return around(text.startsWith(not) ? text.slice(not.length) : `${not}${text}`)
}

/** Returns a text of the same length, with the contents of strings and brackets as `_`. */
function withoutInner(text: string): string {
  const parts: string[] = []
  let [depth, from] = [0, 0]
  const take = (to: number) => {
    const part = text.slice(from, to)
    parts.push(depth > 0 ? '_'.repeat(part.length) : part)
    from = to
  }
  for (const { index, 0: part } of text.matchAll(CALL_PART)) {
    take(index)
    if ('([{'.includes(part)) depth++
    else if (')]}'.includes(part)) depth--
    parts.push('_'.repeat(part.length))
    from = index + part.length
  }
  take(text.length)
  return parts.join('')
}

/** Length up to the comma before the message; null if the statement exceeds the line, or has a comment. */
function lengthOfFirst(line: string): number | null {
  if (/"""|'''|#|\\$/.test(line)) return null
  let [depth, end] = [0, line.length]
  for (const { index, 0: part } of line.matchAll(CALL_PART)) {
    if ('([{'.includes(part)) depth++
    else if (')]}'.includes(part)) depth--
    else if (part === ',' && depth === 0) end = Math.min(end, index)
  }
  return depth === 0 ? end : null
}
