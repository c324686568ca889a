export type ParseReason =
  | 'empty'
  | 'expected-number'
  | 'expected-unit'
  | 'unit-order'
  | 'fraction'
  | 'too-large'

export type ParseResult =
  | { readonly ok: true; readonly milliseconds: number }
  | { readonly ok: false; readonly reason: ParseReason; readonly position: number }

type Unit = 'd' | 'h' | 'm' | 's' | 'ms'

type Digit = '0' | '1' | '2' | '3' | '4' | '5' | '6' | '7' | '8' | '9'

/** The units that may follow a unit. */
interface Smaller {
  d: 'h' | 'm' | 's' | 'ms'
  h: 'm' | 's' | 'ms'
  m: 's' | 'ms'
  s: 'ms'
  ms: never
}

type SkipDigits<Text extends string> = Text extends `${infer First}${infer Rest}`
  ? First extends Digit
    ? SkipDigits<Rest>
    : Text
  : Text

/** What comes after a number without a sign; never if the text does not begin with one. */
type AfterNumber<Text extends string> = Text extends `${infer First}${infer Rest}`
  ? First extends Digit
    ? SkipDigits<Rest>
    : never
  : never

type IsParts<Text extends string, Allowed extends Unit> = [AfterNumber<Text>] extends [never]
  ? false
  : AfterNumber<Text> extends `.${infer Fraction}`
    ? [AfterNumber<Fraction>] extends [never]
      ? false
      : AfterNumber<Fraction> extends Exclude<Allowed, 'ms'>
        ? true
        : false
    : IsUnitAndMore<AfterNumber<Text>, Allowed>

type IsUnitAndMore<Text extends string, Allowed extends Unit> = Text extends `ms${infer Rest}`
  ? IsNext<'ms', Rest, Allowed>
  : Text extends `${infer First}${infer Rest}`
    ? First extends Exclude<Unit, 'ms'>
      ? IsNext<First, Rest, Allowed>
      : false
    : false

type IsNext<Found extends Unit, Rest extends string, Allowed extends Unit> = Found extends Allowed
  ? Rest extends ''
    ? true
    : IsParts<Rest, Smaller[Found]>
  : false

/** The text itself if it is a duration, otherwise never. */
export type DurationLiteral<Text extends string> = Text extends unknown
  ? (Text extends `-${infer Rest}` ? IsParts<Rest, Unit> : IsParts<Text, Unit>) extends true
    ? Text
    : never
  : never

/** From large to small. */
const UNITS: readonly (readonly [unit: Unit, milliseconds: number])[] = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1_000],
  ['ms', 1],
]

function unitAt(text: string, position: number): number {
  if (text.startsWith('ms', position)) return UNITS.length - 1
  return UNITS.findIndex(([unit]) => unit === text[position])
}

function endOfDigits(text: string, start: number): number {
  let end = start
  while (end < text.length && text[end]! >= '0' && text[end]! <= '9') end++
  return end
}

function fail(reason: ParseReason, position: number): ParseResult {
  return { ok: false, reason, position }
}

export function duration<Text extends string>(literal: Text & DurationLiteral<Text>): number {
  const text: unknown = literal
  if (typeof text !== 'string') throw new RangeError('A duration must be a text')
  const result = parseDuration(text)
  if (!result.ok) {
    throw new RangeError(
      `Not a duration: ${JSON.stringify(text)} (${result.reason} at ${result.position})`,
    )
  }
  return result.milliseconds
}

export function parseDuration(text: string): ParseResult {
  if (text === '') return fail('empty', 0)

  const negative = text.startsWith('-')
  let position = negative ? 1 : 0
  let previousUnit = -1
  let total = 0n

  do {
    const numberEnd = endOfDigits(text, position)
    if (numberEnd === position) return fail('expected-number', position)
    const whole = BigInt(text.slice(position, numberEnd))

    let unitStart = numberEnd
    let fraction = ''
    const hasFraction = text[numberEnd] === '.'
    if (hasFraction) {
      unitStart = endOfDigits(text, numberEnd + 1)
      fraction = text.slice(numberEnd + 1, unitStart)
      if (fraction === '') return fail('expected-number', numberEnd + 1)
    }

    const unit = unitAt(text, unitStart)
    if (unit < 0) return fail('expected-unit', unitStart)
    if (unit <= previousUnit) return fail('unit-order', unitStart)
    previousUnit = unit
    const [name, milliseconds] = UNITS[unit]!
    position = unitStart + name.length

    if (hasFraction && (name === 'ms' || position < text.length)) {
      return fail('fraction', numberEnd)
    }

    const size = BigInt(milliseconds)
    total += whole * size
    if (hasFraction) {
      // Only the last part gets here, so rounding it is rounding the sum.
      const scale = 10n ** BigInt(fraction.length)
      total += (2n * BigInt(fraction) * size + scale) / (2n * scale)
    }
  } while (position < text.length)

  if (total > BigInt(Number.MAX_SAFE_INTEGER)) return fail('too-large', 0)
  return { ok: true, milliseconds: Number(negative ? -total : total) }
}

export function formatDuration(milliseconds: number): string {
  if (!Number.isSafeInteger(milliseconds)) {
    throw new RangeError(`Not a whole number of milliseconds: ${milliseconds}`)
  }
  if (milliseconds === 0) return '0ms'

  let rest = Math.abs(milliseconds)
  let result = milliseconds < 0 ? '-' : ''
  for (const [unit, size] of UNITS) {
    const remainder = rest % size
    const count = (rest - remainder) / size
    if (count > 0) result += `${count}${unit}`
    rest = remainder
  }
  return result
}
