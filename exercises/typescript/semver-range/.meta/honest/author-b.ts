export interface Version {
  major: number
  minor: number
  patch: number
  prerelease: (string | number)[]
  build: string[]
}

type Order = -1 | 0 | 1

export function parseVersion(text: string): Version {
  const partial = readPartial(text)
  if (partial === undefined || partial.numbers.length < 3) {
    throw new SyntaxError(`Not a version: ${JSON.stringify(text)}`)
  }
  const [major, minor, patch] = partial.numbers
  return { major, minor, patch, prerelease: partial.prerelease, build: partial.build }
}

export function compareVersions(left: string, right: string): -1 | 0 | 1 {
  return compare(parseVersion(left), parseVersion(right))
}

export function satisfies(version: string, range: string): boolean {
  const parsed = parseVersion(version)
  return parseRange(range)(parsed)
}

export function maxSatisfying(versions: readonly string[], range: string): string | null {
  const accepts = parseRange(range)
  const best = versions
    .flatMap((text) => candidate(text))
    .filter(({ version }) => accepts(version))
    .reduce<Candidate | null>(
      (top, next) => (top === null || compare(next.version, top.version) > 0 ? next : top),
      null,
    )
  return best && best.text
}

interface Candidate {
  readonly text: string
  readonly version: Version
}

/** Nothing for a text that is not a version. */
function candidate(text: string): Candidate[] {
  return readPartial(text)?.numbers.length === 3 ? [{ text, version: parseVersion(text) }] : []
}

// Order

function compare(left: Version, right: Version): Order {
  return (
    order(left.major, right.major) ||
    order(left.minor, right.minor) ||
    order(left.patch, right.patch) ||
    // A version without a prerelease comes after those with one.
    order(left.prerelease.length === 0, right.prerelease.length === 0) ||
    compareLists(left.prerelease, right.prerelease)
  )
}

function order<T extends number | string | boolean>(left: T, right: T): Order {
  return left < right ? -1 : left > right ? 1 : 0
}

function compareLists(
  [left, ...leftRest]: readonly (string | number)[],
  [right, ...rightRest]: readonly (string | number)[],
): Order {
  if (left === undefined || right === undefined) {
    return order(left !== undefined, right !== undefined)
  }
  return compareIdentifiers(left, right) || compareLists(leftRest, rightRest)
}

function compareIdentifiers(left: string | number, right: string | number): Order {
  return typeof left === typeof right
    ? order(left, right)
    : order(typeof left === 'string', typeof right === 'string')
}

// Partial versions

/** What has been written: up to three numbers, and the rest only after all three of them. */
interface PartialVersion {
  readonly numbers: readonly number[]
  readonly prerelease: (string | number)[]
  readonly build: string[]
}

const PART = '(?:0|[1-9][0-9]*|[xX*])'
const IDENTIFIERS = '[0-9A-Za-z-]+(?:\\.[0-9A-Za-z-]+)*'
const PARTIAL = new RegExp(
  `^(${PART}(?:\\.${PART}){0,2})(?:-(${IDENTIFIERS}))?(?:\\+(${IDENTIFIERS}))?$`,
)

/** Undefined if the text is neither a version nor a partial one. */
function readPartial(text: string): PartialVersion | undefined {
  const match = PARTIAL.exec(text)
  if (match === null) return undefined
  const parts = match[1].split('.')
  const firstWildcard = parts.findIndex((part) => /[xX*]/.test(part))
  const given = firstWildcard < 0 ? parts : parts.slice(0, firstWildcard)
  const numbers = given.map(Number)
  const prerelease = match[2]?.split('.') ?? []
  const build = match[3]?.split('.') ?? []

  const wellFormed =
    parts.slice(given.length).every((part) => /[xX*]/.test(part)) &&
    numbers.every(Number.isSafeInteger) &&
    prerelease.every((text) => !isNumeric(text) || isCanonical(text)) &&
    (numbers.length === 3 || (match[2] === undefined && match[3] === undefined))
  return wellFormed
    ? {
        numbers,
        prerelease: prerelease.map((text) => (isNumeric(text) ? Number(text) : text)),
        build,
      }
    : undefined
}

function isNumeric(text: string): boolean {
  return /^[0-9]+$/.test(text)
}

function isCanonical(text: string): boolean {
  return (text === '0' || !text.startsWith('0')) && Number.isSafeInteger(Number(text))
}

// Ranges

type Test = (version: Version) => boolean

interface Comparator {
  readonly test: Test
  readonly written: PartialVersion
}

type Operator = '' | '=' | '<' | '<=' | '>' | '>=' | '^' | '~'

const everything: Test = () => true
const nothing: Test = () => false
const both =
  (first: Test, second: Test): Test =>
  (version) =>
    first(version) && second(version)

/** The lowest version that the text can stand for. */
function lowest({ numbers, prerelease }: PartialVersion): Version {
  const [major = 0, minor = 0, patch = 0] = numbers
  return { major, minor, patch, prerelease, build: [] }
}

/** The version that counts up the number at `place`: `[1, 2, 3]` is followed by 1.3.0 at place 1. */
function following(numbers: readonly number[], place: number): Version {
  const raised = numbers.slice(0, place + 1).map((number, i) => (i === place ? number + 1 : number))
  return lowest({ numbers: raised, prerelease: [], build: [] })
}

const from =
  (bound: Version): Test =>
  (version) =>
    compare(version, bound) >= 0

/** Excludes the prereleases of the bound too: none comes before the prerelease `0`. */
const below = (bound: Version): Test => {
  const first: Version = { ...bound, prerelease: [0] }
  return (version) => compare(version, first) < 0
}

/** The place of the number that `^` keeps: the leftmost that is not zero, or else the last. */
function caretPlace(numbers: readonly number[]): number {
  const place = numbers.findIndex((number) => number !== 0)
  return place < 0 ? numbers.length - 1 : place
}

const lastPlace = (numbers: readonly number[]): number => numbers.length - 1

/** For one complete version the operators compare, otherwise they deal with a whole block of them. */
const OPERATORS: Readonly<
  Record<Operator, { any: Test; block: (written: PartialVersion) => Test; exact: (written: PartialVersion) => Test }>
> = {
  '': { any: everything, block: sameBlock, exact: comparesAs((sign) => sign === 0) },
  '=': { any: everything, block: sameBlock, exact: comparesAs((sign) => sign === 0) },
  '<': {
    any: nothing,
    block: (written) => below(lowest(written)),
    exact: comparesAs((sign) => sign < 0),
  },
  '<=': {
    any: everything,
    block: ({ numbers }) => below(following(numbers, lastPlace(numbers))),
    exact: comparesAs((sign) => sign <= 0),
  },
  '>': {
    any: nothing,
    block: ({ numbers }) => from(following(numbers, lastPlace(numbers))),
    exact: comparesAs((sign) => sign > 0),
  },
  '>=': {
    any: everything,
    block: (written) => from(lowest(written)),
    exact: comparesAs((sign) => sign >= 0),
  },
  '^': { any: everything, block: caretRange, exact: caretRange },
  '~': {
    any: everything,
    block: sameBlock,
    exact: (written) => both(from(lowest(written)), below(following(written.numbers, 1))),
  },
}

function comparesAs(accepts: (sign: Order) => boolean): (written: PartialVersion) => Test {
  return (written) => {
    const bound = lowest(written)
    return (version) => accepts(compare(version, bound))
  }
}

function sameBlock(written: PartialVersion): Test {
  const { numbers } = written
  return both(from(lowest(written)), below(following(numbers, lastPlace(numbers))))
}

function caretRange(written: PartialVersion): Test {
  const { numbers } = written
  return both(from(lowest(written)), below(following(numbers, caretPlace(numbers))))
}

function comparator(operator: Operator, text: string): Comparator {
  const written = readPartial(text)
  if (written === undefined) throw new SyntaxError(`Not a version: ${JSON.stringify(text)}`)
  const { any, block, exact } = OPERATORS[operator]
  const kind = written.numbers.length
  return { written, test: kind === 0 ? any : kind === 3 ? exact(written) : block(written) }
}

function parseRange(range: string): Test {
  const alternatives = range.split('||').map(parseAlternative)
  return (version) => alternatives.some((accepts) => accepts(version))
}

function parseAlternative(text: string): Test {
  const trimmed = text.replace(/^[ \t]+|[ \t]+$/g, '')
  const hyphen = /^([^ \t]+)[ \t]+-[ \t]+([^ \t]+)$/.exec(trimmed)
  const comparators =
    hyphen === null
      ? parseComparators(trimmed)
      : [comparator('>=', hyphen[1]), comparator('<=', hyphen[2])]
  return (version) =>
    comparators.every(({ test }) => test(version)) &&
    (version.prerelease.length === 0 || comparators.some(asksForPrereleaseOf(version)))
}

function parseComparators(text: string): Comparator[] {
  return [...text.matchAll(/(<=|>=|[<>=^~]|)[ \t]*([^ \t]*)[ \t]*/g)]
    .filter(([whole]) => whole !== '')
    .map(([, operator, version]) => comparator(operator as Operator, version))
}

function asksForPrereleaseOf({ major, minor, patch }: Version): (comparator: Comparator) => boolean {
  return ({ written: { numbers, prerelease } }) =>
    prerelease.length > 0 && numbers[0] === major && numbers[1] === minor && numbers[2] === patch
}
