export interface Version {
  major: number
  minor: number
  patch: number
  prerelease: (string | number)[]
  build: string[]
}

type Order = -1 | 0 | 1
type Operator = '' | '=' | '<' | '<=' | '>' | '>=' | '^' | '~'

/** A half-open interval of versions, unbounded where a bound is missing. */
interface Interval {
  from?: Version
  before?: Version
}

/** The up to three numbers that a comparator gives, with the prerelease of a complete version. */
interface Operand {
  numbers: number[]
  prerelease: (string | number)[]
}

interface Alternative {
  intervals: Interval[]
  operands: Operand[]
}

export function parseVersion(text: string): Version {
  const [, core, prerelease, build] = /^([\d.]+)(?:-([^+]*))?(?:\+(.*))?$/s.exec(text) ?? []
  const numbers = core?.split('.').map(parseNumber) ?? []
  if (numbers.length !== 3) throw new SyntaxError(`"${text}" is not a version`)
  const [major, minor, patch] = numbers
  return {
    major,
    minor,
    patch,
    prerelease: identifiersIn(prerelease).map(parsePrereleaseIdentifier),
    build: identifiersIn(build),
  }
}

export function compareVersions(left: string, right: string): Order {
  return compare(parseVersion(left), parseVersion(right))
}

export function satisfies(version: string, range: string): boolean {
  return accepts(parseRange(range), parseVersion(version))
}

export function maxSatisfying(versions: readonly string[], range: string): string | null {
  const alternatives = parseRange(range)
  let best: { text: string; version: Version } | undefined
  for (const text of versions) {
    const version = tryParseVersion(text)
    if (!version || !accepts(alternatives, version)) continue
    if (!best || compare(version, best.version) > 0) best = { text, version }
  }
  return best?.text ?? null
}

function tryParseVersion(text: string): Version | undefined {
  try {
    return parseVersion(text)
  } catch {
    return undefined
  }
}

function parseNumber(digits: string): number {
  const value = Number(digits)
  if (!/^(0|[1-9]\d*)$/.test(digits) || !Number.isSafeInteger(value)) {
    throw new SyntaxError(`"${digits}" is not a valid number`)
  }
  return value
}

function identifiersIn(list: string | undefined): string[] {
  if (list === undefined) return []
  const identifiers = list.split('.')
  for (const identifier of identifiers) {
    if (!/^[0-9A-Za-z-]+$/.test(identifier)) {
      throw new SyntaxError(`"${identifier}" is not an identifier`)
    }
  }
  return identifiers
}

function parsePrereleaseIdentifier(identifier: string): string | number {
  return /^\d+$/.test(identifier) ? parseNumber(identifier) : identifier
}

function compare(left: Version, right: Version): Order {
  return (
    order(left.major, right.major) ||
    order(left.minor, right.minor) ||
    order(left.patch, right.patch) ||
    comparePrereleases(left.prerelease, right.prerelease)
  )
}

function comparePrereleases(left: (string | number)[], right: (string | number)[]): Order {
  if (left.length === 0 || right.length === 0) return order(right.length, left.length)
  for (let index = 0; index < Math.min(left.length, right.length); index++) {
    const result = compareIdentifiers(left[index], right[index])
    if (result !== 0) return result
  }
  return order(left.length, right.length)
}

function compareIdentifiers(left: string | number, right: string | number): Order {
  if (typeof left === typeof right) return order(left, right)
  return typeof left === 'number' ? -1 : 1
}

function order<T extends string | number>(left: T, right: T): Order {
  if (left === right) return 0
  return left < right ? -1 : 1
}

function parseRange(range: string): Alternative[] {
  return range.split('||').map(parseAlternative)
}

function parseAlternative(text: string): Alternative {
  const hyphenRange = /^[ \t]*([^ \t]+)[ \t]+-[ \t]+([^ \t]+)[ \t]*$/.exec(text)
  const comparators: [Operator, string][] = hyphenRange
    ? [
        ['>=', hyphenRange[1]],
        ['<=', hyphenRange[2]],
      ]
    : comparatorsIn(text)
  const alternative: Alternative = { intervals: [], operands: [] }
  for (const [operator, operandText] of comparators) {
    const operand = parseOperand(operandText)
    alternative.intervals.push(intervalOf(operator, operand))
    alternative.operands.push(operand)
  }
  return alternative
}

function comparatorsIn(text: string): [Operator, string][] {
  const words = text.replace(/([<>=^~])[ \t]+(?=[^<>=^~ \t])/g, '$1').split(/[ \t]+/)
  return words
    .filter((word) => word !== '')
    .map((word) => {
      const [, operator, operand] = /^([<>]=?|[=^~]|)(.*)/s.exec(word) as unknown as string[]
      return [operator as Operator, operand]
    })
}

const WILDCARDS = ['x', 'X', '*']

function parseOperand(text: string): Operand {
  const [, core, suffix] = /^([^-+]*)(.*)/s.exec(text) as unknown as string[]
  const parts = core.split('.')
  const wildcard = parts.findIndex((part) => WILDCARDS.includes(part))
  const numbers = wildcard < 0 ? parts : parts.slice(0, wildcard)
  const rest = parts.slice(numbers.length)
  const isComplete = numbers.length === 3
  if (parts.length > 3 || rest.some((part) => !WILDCARDS.includes(part)) || (suffix && !isComplete)) {
    throw new SyntaxError(`"${text}" is not a valid operand`)
  }
  return {
    numbers: numbers.map(parseNumber),
    prerelease: isComplete ? parseVersion(text).prerelease : [],
  }
}

function intervalOf(operator: Operator, operand: Operand): Interval {
  const { numbers } = operand
  if (numbers.length === 0) return operator === '<' || operator === '>' ? nothing() : {}
  const first = versionOf(numbers, operand.prerelease)
  switch (operator) {
    case '':
    case '=':
      return { from: first, before: endOf(operand) }
    case '>=':
      return { from: first }
    case '>':
      return { from: startAfter(operand) }
    case '<':
      return { before: numbers.length === 3 ? first : withAllPrereleases(first) }
    case '<=':
      return { before: endOf(operand) }
    case '~':
      return { from: first, before: endOf({ numbers: numbers.slice(0, 2), prerelease: [] }) }
    case '^':
      return { from: first, before: endOf({ numbers: fixedByCaret(numbers), prerelease: [] }) }
  }
}

function nothing(): Interval {
  return { before: withAllPrereleases(versionOf([])) }
}

/** The leading numbers that a caret does not let change. */
function fixedByCaret(numbers: number[]): number[] {
  const significant = numbers.findIndex((number) => number !== 0)
  return significant < 0 ? numbers : numbers.slice(0, significant + 1)
}

/** The exclusive upper bound of everything that starts with the operand. */
function endOf(operand: Operand): Version {
  return isExact(operand) ? startAfter(operand) : withAllPrereleases(startAfter(operand))
}

/** The least version that comes after everything that starts with the operand. */
function startAfter(operand: Operand): Version {
  const { numbers, prerelease } = operand
  if (prerelease.length > 0) return versionOf(numbers, [...prerelease, 0])
  const next = numbers.map((number, index) => (index === numbers.length - 1 ? number + 1 : number))
  return isExact(operand) ? withAllPrereleases(versionOf(next)) : versionOf(next)
}

function isExact({ numbers }: Operand): boolean {
  return numbers.length === 3
}

/** The bound that lies before all prereleases of a version, "0" being the first of them. */
function withAllPrereleases(version: Version): Version {
  return { ...version, prerelease: [0] }
}

function versionOf(numbers: number[], prerelease: (string | number)[] = []): Version {
  const [major, minor = 0, patch = 0] = numbers
  return { major, minor, patch, prerelease, build: [] }
}

function accepts(alternatives: Alternative[], version: Version): boolean {
  return alternatives.some(
    ({ intervals, operands }) =>
      intervals.every((interval) => contains(interval, version)) &&
      (version.prerelease.length === 0 || operands.some((operand) => asksFor(operand, version))),
  )
}

function contains({ from, before }: Interval, version: Version): boolean {
  return (!from || compare(version, from) >= 0) && (!before || compare(version, before) < 0)
}

function asksFor({ numbers, prerelease }: Operand, version: Version): boolean {
  const [major, minor, patch] = numbers
  return (
    prerelease.length > 0 &&
    version.major === major &&
    version.minor === minor &&
    version.patch === patch
  )
}
