export interface Version {
  major: number
  minor: number
  patch: number
  prerelease: (string | number)[]
  build: string[]
}

type Sign = -1 | 0 | 1

const IDENTIFIERS = '[0-9A-Za-z-]+(?:\\.[0-9A-Za-z-]+)*'
const SUFFIX = `(?:-(${IDENTIFIERS}))?(?:\\+(${IDENTIFIERS}))?`
const VERSION = new RegExp(`^([0-9]+)\\.([0-9]+)\\.([0-9]+)${SUFFIX}$`)

/** A number without leading zeros that is not too large, or null. */
function readNumber(text: string): number | null {
  if (!/^(?:0|[1-9][0-9]*)$/.test(text)) return null
  const value = Number(text)
  return Number.isSafeInteger(value) ? value : null
}

function tryParseVersion(text: string): Version | null {
  const match = VERSION.exec(text)
  if (match === null) return null
  const [, majorText = '', minorText = '', patchText = '', prereleaseText, buildText] = match
  const major = readNumber(majorText)
  const minor = readNumber(minorText)
  const patch = readNumber(patchText)
  if (major === null || minor === null || patch === null) return null

  const prerelease: (string | number)[] = []
  for (const identifier of prereleaseText?.split('.') ?? []) {
    const value = /^[0-9]+$/.test(identifier) ? readNumber(identifier) : identifier
    if (value === null) return null
    prerelease.push(value)
  }
  return { major, minor, patch, prerelease, build: buildText?.split('.') ?? [] }
}

export function parseVersion(text: string): Version {
  const version = tryParseVersion(text)
  if (version === null) throw new SyntaxError(`Not a version: ${JSON.stringify(text)}`)
  return version
}

function order<T extends string | number>(left: T, right: T): Sign {
  return left < right ? -1 : left > right ? 1 : 0
}

function compareIdentifiers(left: string | number, right: string | number): Sign {
  if (typeof left === 'number') return typeof right === 'number' ? order(left, right) : -1
  return typeof right === 'number' ? 1 : order(left, right)
}

function comparePrereleases(
  left: readonly (string | number)[],
  right: readonly (string | number)[],
): Sign {
  if (left.length === 0 || right.length === 0) {
    // The version without a prerelease comes last.
    return order(right.length === 0 ? 0 : 1, left.length === 0 ? 0 : 1)
  }
  for (const [index, identifier] of left.entries()) {
    const other = right[index]
    if (other === undefined) return 1
    const sign = compareIdentifiers(identifier, other)
    if (sign !== 0) return sign
  }
  return left.length < right.length ? -1 : 0
}

function compare(left: Version, right: Version): Sign {
  return (
    order(left.major, right.major) ||
    order(left.minor, right.minor) ||
    order(left.patch, right.patch) ||
    comparePrereleases(left.prerelease, right.prerelease)
  )
}

export function compareVersions(left: string, right: string): -1 | 0 | 1 {
  return compare(parseVersion(left), parseVersion(right))
}

// ---------------------------------------------------------------------------------------------
// Ranges

/** The version of a comparator; missing numbers and wildcards are left out at the end. */
interface Partial {
  readonly numbers: readonly number[]
  readonly prerelease: readonly (string | number)[]
}

/** One comparator. */
interface Condition {
  accepts(version: Version): boolean
  /** The version that the comparator has been written with, if it has a prerelease. */
  readonly prereleaseOf: Version | null
}

type Alternative = readonly Condition[]

function malformed(text: string): never {
  throw new SyntaxError(`Malformed range: ${JSON.stringify(text)}`)
}

function release(major = 0, minor = 0, patch = 0): Version {
  return { major, minor, patch, prerelease: [], build: [] }
}

/** Comes before all prereleases of a version. */
function beforePrereleases(version: Version): Version {
  return { ...version, prerelease: [0] }
}

function parsePartial(text: string): Partial {
  const version = tryParseVersion(text)
  if (version !== null) {
    const { major, minor, patch, prerelease } = version
    return { numbers: [major, minor, patch], prerelease }
  }
  const parts = text.split('.')
  if (parts.length > 3) malformed(text)
  const numbers: number[] = []
  let isOpen = false
  for (const part of parts) {
    if (part === 'x' || part === 'X' || part === '*') {
      isOpen = true
      continue
    }
    const value = readNumber(part)
    if (value === null || isOpen) malformed(text)
    numbers.push(value)
  }
  return { numbers, prerelease: [] }
}

/** The first version after all those that begin with the numbers. */
function next(numbers: readonly number[]): Version {
  return release(...numbers.slice(0, -1), (numbers.at(-1) ?? 0) + 1)
}

function caretEnd(numbers: readonly number[]): Version {
  const leftmost = numbers.findIndex((value) => value !== 0)
  return next(leftmost < 0 ? numbers : numbers.slice(0, leftmost + 1))
}

function createCondition(operator: string, partial: Partial): Condition {
  const { numbers, prerelease } = partial
  const isComplete = numbers.length === 3
  const first: Version = { ...release(...numbers), prerelease: [...prerelease] }

  const from = (lower: Version) => (version: Version) => compare(version, lower) >= 0
  const until = (upper: Version) => {
    const end = beforePrereleases(upper)
    return (version: Version) => compare(version, end) < 0
  }
  const between = (upper: Version) => {
    const reachesStart = from(first)
    const staysBelow = until(upper)
    return (version: Version) => reachesStart(version) && staysBelow(version)
  }

  const choose = (): ((version: Version) => boolean) => {
    if (numbers.length === 0) {
      return operator === '<' || operator === '>' ? () => false : () => true
    }
    switch (operator) {
      case '>':
        return isComplete ? (version) => compare(version, first) > 0 : from(next(numbers))
      case '>=':
        return from(first)
      case '<':
        return isComplete ? (version) => compare(version, first) < 0 : until(first)
      case '<=':
        return isComplete ? (version) => compare(version, first) <= 0 : until(next(numbers))
      case '^':
        return between(caretEnd(numbers))
      case '~':
        return between(next(numbers.slice(0, 2)))
      default:
        return isComplete ? (version) => compare(version, first) === 0 : between(next(numbers))
    }
  }

  return { accepts: choose(), prereleaseOf: prerelease.length > 0 ? first : null }
}

function parseAlternative(text: string): Alternative {
  const words = text.split(/[ \t]+/).filter((word) => word !== '')

  if (words[1] === '-' && words.length === 3) {
    return [
      createCondition('>=', parsePartial(words[0] ?? '')),
      createCondition('<=', parsePartial(words[2] ?? '')),
    ]
  }

  const conditions: Condition[] = []
  for (let index = 0; index < words.length; index++) {
    const [, operator = '', attached = ''] = /^(<=|>=|[<>=^~])?(.*)$/s.exec(words[index] ?? '') ?? []
    const version = operator !== '' && attached === '' ? words[++index] : attached
    conditions.push(createCondition(operator, parsePartial(version ?? malformed(text))))
  }
  return conditions
}

function parseRange(range: string): Alternative[] {
  return range.split('||').map(parseAlternative)
}

function isAccepted(version: Version, range: readonly Alternative[]): boolean {
  const isAskedFor = ({ prereleaseOf: asked }: Condition): boolean =>
    asked !== null &&
    asked.major === version.major &&
    asked.minor === version.minor &&
    asked.patch === version.patch

  return range.some(
    (conditions) =>
      conditions.every((condition) => condition.accepts(version)) &&
      (version.prerelease.length === 0 || conditions.some(isAskedFor)),
  )
}

export function satisfies(version: string, range: string): boolean {
  return isAccepted(parseVersion(version), parseRange(range))
}

export function maxSatisfying(versions: readonly string[], range: string): string | null {
  const alternatives = parseRange(range)
  let best: { text: string; version: Version } | null = null
  for (const text of versions) {
    const version = tryParseVersion(text)
    if (version === null || !isAccepted(version, alternatives)) continue
    if (best === null || compare(version, best.version) > 0) best = { text, version }
  }
  return best?.text ?? null
}
