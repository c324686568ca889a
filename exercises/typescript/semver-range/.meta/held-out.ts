import type { Random, Scenario } from '../../../held-out.ts'
import { compareVersions, maxSatisfying, parseVersion, satisfies } from '../semver-range.ts'

const LARGEST = Number.MAX_SAFE_INTEGER
const IDENTIFIERS = [
  'alpha',
  'beta',
  'Beta',
  '0',
  '1',
  '2',
  '10',
  'a-b',
  '-',
  '1a',
  'x',
  '-1',
  '007a',
]
const BUILDS = ['007', 'linux', 'x-1', '-', '0', 'A', '20240101']
const BAD_PARTS = ['01', '', '-1', 'v1', ' 1', '1 ', 'a', '１', `${LARGEST + 1}`, '1e0', '+1', 'xx']
const OPERATORS = ['', '', '=', '<', '<=', '>', '>=', '^', '^', '~']
const SIGNS = [
  '.',
  '-',
  '+',
  'x',
  '*',
  '|',
  '||',
  ' ',
  '\t',
  '>',
  '=',
  '~',
  '<',
  '1',
  '0',
  '\n',
  ' - ',
]
const isSyntaxError = (error: unknown) => error instanceof SyntaxError

/** Random versions and ranges, close to each other, some of them malformed. */
export const scenario: Scenario = (context) => {
  for (let round = 0; round < 120; round++) parseOne(context)
  for (let round = 0; round < 120; round++) compareTwo(context)
  for (let round = 0; round < 130; round++) askRange(context)
}

const parseOne: Scenario = ({ random, attempt }) => {
  const text = random.chance(0.4) ? malformed(random) : someVersion(random, 5)
  attempt(`parse ${text}`, () => parseVersion(text), isSyntaxError)
}

const compareTwo: Scenario = ({ random, attempt }) => {
  const left = someVersion(random, 1)
  const right = random.chance(0.5)
    ? `${left.replace(/[-+].*$/, '')}${somePrerelease(random)}${someBuild(random)}`
    : random.chance(0.04)
      ? malformed(random)
      : someVersion(random, 1)
  attempt(`${left} to ${right}`, () => compareVersions(left, right), isSyntaxError)
  attempt(`${right} to ${left}`, () => compareVersions(right, left), isSyntaxError)
}

const askRange: Scenario = ({ random, attempt }) => {
  const most = random.pick([1, 2, 3])
  const cores = random.list(1, 2, () => someCore(random, most))
  const range = changed(random, someRange(random, cores), random.chance(0.15) ? 1 : 0)
  const versions = random.list(5, 9, () => nearVersion(random, cores, most))
  for (const version of versions) {
    attempt(`${version} in ${range}`, () => satisfies(version, range), isSyntaxError)
  }
  const listed = random.chance(0.05)
    ? []
    : [...versions, ...random.list(0, 2, () => malformed(random))]
  const mixed = random.shuffle(listed)
  attempt(`the greatest of ${mixed}`, () => maxSatisfying(mixed, range), isSyntaxError)
}

function someCore(random: Random, most: number): number[] {
  const part = () => (random.chance(0.03) ? random.pick([10, 100, LARGEST]) : random.int(0, most))
  return [random.chance(0.4) ? 0 : part(), random.chance(0.3) ? 0 : part(), part()]
}

function someVersion(random: Random, most: number): string {
  return `${someCore(random, most).join('.')}${somePrerelease(random)}${someBuild(random)}`
}

function somePrerelease(random: Random): string {
  if (random.chance(0.35)) return ''
  return `-${random.list(1, random.pick([1, 2, 3]), () => random.pick(IDENTIFIERS)).join('.')}`
}

function someBuild(random: Random): string {
  if (random.chance(0.8)) return ''
  return `+${random.list(1, 2, () => random.pick(BUILDS)).join('.')}`
}

/** A version of one of the cores, or just beside it. */
function nearVersion(random: Random, cores: number[][], most: number): string {
  if (random.chance(0.02)) return malformed(random)
  const core = [...random.pick(cores)]
  const at = random.int(0, 2)
  if (random.chance(0.45)) core[at] = Math.max(0, Math.min(LARGEST, (core[at] ?? 0) + 1))
  if (random.chance(0.2)) core.fill(0, at + 1)
  if (random.chance(0.15)) core[random.int(0, 2)] = random.int(0, most)
  const prerelease = random.chance(0.45) ? '' : somePrerelease(random)
  return `${core.join('.')}${prerelease}${someBuild(random)}`
}

function someRange(random: Random, cores: number[][]): string {
  const or = random.pick(['||', ' || ', '\t||  '])
  const count = random.pick([1, 1, 1, 2, 3])
  const range = random.list(count, count, () => someAlternative(random, cores)).join(or)
  return random.chance(0.1) ? ` ${range}\t` : range
}

function someAlternative(random: Random, cores: number[][]): string {
  const space = () => random.pick([' ', ' ', '  ', '\t'])
  const operand = () => someOperand(random, random.pick(cores))
  if (random.chance(0.2)) return `${operand()}${space()}-${space()}${operand()}`
  const gap = random.chance(0.15) ? space() : ''
  const comparators = random.list(random.chance(0.1) ? 0 : 1, random.pick([1, 1, 2, 3]), () => {
    const operator = random.pick(OPERATORS)
    return `${operator}${operator && gap}${operand()}`
  })
  return comparators.join(space())
}

/** A version that may be partial in any of the ways that are allowed. */
function someOperand(random: Random, core: number[]): string {
  const given = random.pick([3, 3, 3, 3, 2, 2, 1, 0])
  const parts = core.slice(0, given).map(String)
  if (given === 3) return `${parts.join('.')}${somePrerelease(random)}${someBuild(random)}`
  while (parts.length < 3 && (parts.length === 0 || random.chance(0.4))) {
    parts.push(random.pick(['x', 'X', '*']))
  }
  return parts.join('.')
}

function malformed(random: Random): string {
  const parts: string[] = someCore(random, 3).map(String)
  if (random.chance(0.5)) {
    parts[random.int(0, 3)] = random.pick(BAD_PARTS)
    return `${parts.join('.')}${somePrerelease(random)}${someBuild(random)}`
  }
  const ends = ['-', '+', '-01', '-a..b', '-.a', '-a.', '+a..b', '-a_b', '+é', '-a+b+c', ' ', '\n']
  if (random.chance(0.7)) return `${parts.join('.')}${random.pick([...ends, `-${LARGEST + 1}`])}`
  return changed(random, someVersion(random, 3), 1)
}

/** The text with a sign too many or too few. */
function changed(random: Random, text: string, times: number): string {
  if (times === 0) return text
  const at = random.int(0, text.length)
  return text.slice(0, at) + random.pick([...SIGNS, '']) + text.slice(at + random.int(0, 1))
}
