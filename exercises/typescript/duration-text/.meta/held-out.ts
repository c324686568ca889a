import type { Random, Scenario } from '../../../held-out.ts'
import { duration, formatDuration, parseDuration } from '../duration-text.ts'

const UNITS = ['d', 'h', 'm', 's', 'ms']
const SIZES = [86_400_000, 3_600_000, 60_000, 1000, 1]
const MOST = Number.MAX_SAFE_INTEGER

const isRangeError = (error: unknown) => error instanceof RangeError

/** Random durations, durations spoilt in one place, mere noise, and numbers around every boundary. */
export const scenario: Scenario = ({ random, attempt, record }) => {
  const parse = (text: string): void => {
    const result = attempt(`parse ${JSON.stringify(text)}`, () => parseDuration(text))
    if (result?.ok) record('negative zero', Object.is(result.milliseconds, -0))
    if (random.chance(0.2)) {
      attempt('duration', () => duration(text as '1s'), isRangeError)
    }
  }
  for (let round = 0; round < 150; round++) {
    const text = written(random)
    parse(text)
    parse(spoil(random, text))
  }
  for (let round = 0; round < 120; round++) parse(random.text('0159.-dhms ', 0, 7))
  for (let round = 0; round < 60; round++) parse(half(random))
  for (let round = 0; round < 40; round++) parse(huge(random))
  for (const unit of UNITS) parse(`-${random.text('0', 1, 3)}${unit}`)
  for (let round = 0; round < 150; round++) {
    const milliseconds = amount(random)
    const text = attempt(`format ${milliseconds}`, () => formatDuration(milliseconds), isRangeError)
    if (typeof text === 'string') attempt('and back', () => parseDuration(text))
  }
}

function digits(random: Random): string {
  return random.text('0', 0, 1) + random.int(0, random.pick([3, 99, 100_000]))
}

/** Parts with random units in order; the last may have a fraction. */
function written(random: Random): string {
  const units = UNITS.filter(() => random.chance(0.45))
  if (units.length === 0) units.push(random.pick(UNITS))
  const last = units.at(-1)
  const fraction = random.chance(last === 'ms' ? 0.1 : 0.4)
    ? `.${random.text('0123456789', 1, 6)}`
    : ''
  const parts = units.map((unit) => digits(random) + (unit === last ? fraction : '') + unit)
  return (random.chance(0.3) ? '-' : '') + parts.join('')
}

/** Puts something in, takes something out, repeats or swaps a piece, at any place. */
function spoil(random: Random, text: string): string {
  const at = random.int(0, text.length)
  const piece = random.pick([
    ' ',
    '.',
    '-',
    '+',
    'e',
    'S',
    'M',
    '٣',
    '😀',
    '.5',
    'm',
    's',
    'h',
    '1',
    '1d',
    'µs',
  ])
  const kind = random.int(0, 3)
  if (kind === 0) return text.slice(0, at) + text.slice(at + 1)
  if (kind === 1) return text.slice(0, at)
  if (kind === 2) return text + random.int(0, 9) + random.pick(['', '.', '.5', ...UNITS])
  return text.slice(0, at) + piece + text.slice(at)
}

/** Fractions of a millisecond close to a half. */
function half(random: Random): string {
  const whole = random.int(0, 10_000)
  const tail = random.pick([
    '5',
    '49999999999999999999',
    '50000000000000000001',
    '4',
    '6',
    '05',
    '55',
  ])
  const seconds = `${whole}.${random.text('0123456789', 3, 3)}${tail}s`
  const before = random.chance(0.3) ? `${random.int(0, 9)}h` : ''
  // A day is 86,400,000 ms, and 1/86,400,000 has no end, so longer units come with many digits.
  const other = `${random.int(0, 40)}.${random.text('0123456789', 7, 20)}${random.pick(['d', 'h', 'm'])}`
  return (random.chance(0.5) ? '-' : '') + (random.chance(0.7) ? before + seconds : other)
}

/** Around the largest safe integer, or far beyond. */
function huge(random: Random): string {
  const sign = random.chance(0.4) ? '-' : ''
  if (random.chance(0.2)) return `${sign}${random.text('123456789', 15, 400)}${random.pick(UNITS)}`
  const beyond = BigInt(MOST) + BigInt(random.int(-2, 2))
  if (random.chance(0.4)) return `${sign}${beyond}ms`
  const hours = random.int(0, 9)
  const rest = beyond - BigInt(hours) * 3_600_000n
  const end = random.pick(['', '.4', '.5', '.4999', '9'])
  const seconds = `${rest / 1000n}.${`${rest % 1000n}`.padStart(3, '0')}${end.replace('.', '')}s`
  return `${sign}${hours}h${seconds}`
}

/** A number of milliseconds, near to a unit or a limit, or no safe integer at all. */
function amount(random: Random): number {
  const sign = random.chance(0.4) ? -1 : 1
  const near = random.pick(SIZES) * random.int(0, 30) + random.int(-1, 1)
  const sum = SIZES.reduce(
    (total, size) => total + (random.chance(0.5) ? size : 0) * random.int(0, 25),
    0,
  )
  const limit = MOST - random.int(-1, 1)
  const odd = [random.int(0, 99) + 0.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53, 1e300, -0]
  return (
    sign *
    random.pick([near, sum, random.int(0, MOST), limit, random.pick(odd), random.int(0, 1e6)])
  )
}
