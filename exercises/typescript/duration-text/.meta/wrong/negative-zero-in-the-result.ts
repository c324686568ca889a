// Wrong: the sign is applied as a factor, so `-0s` is negative zero.
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

/** The units that may come after a unit. */
interface Smaller {
  d: 'h' | 'm' | 's' | 'ms'
  h: 'm' | 's' | 'ms'
  m: 's' | 'ms'
  s: 'ms'
  ms: never
}

type Digit = '0' | '1' | '2' | '3' | '4' | '5' | '6' | '7' | '8' | '9'

type SkipDigits<Text extends string> = Text extends `${Digit}${infer Rest}`
  ? SkipDigits<Rest>
  : Text

/** The text after the whole number at its beginning; never without such a number. */
type AfterNumber<Text extends string> = Text extends `${Digit}${infer Rest}`
  ? SkipDigits<Rest>
  : never

/** The unit at the beginning of a text and the text after it. */
type SplitUnit<Text extends string> = Text extends `ms${infer Rest}`
  ? ['ms', Rest]
  : Text extends `${infer Letter extends Exclude<Unit, 'ms'>}${infer Rest}`
    ? [Letter, Rest]
    : never

type IsParts<Text extends string, Allowed extends Unit> = [AfterNumber<Text>] extends [never]
  ? false
  : AfterNumber<Text> extends `.${infer Fraction}`
    ? IsLastUnit<AfterNumber<Fraction>, Exclude<Allowed, 'ms'>>
    : [SplitUnit<AfterNumber<Text>>] extends [[infer Found extends Allowed, infer Rest]]
      ? Rest extends ''
        ? true
        : IsParts<Rest & string, Smaller[Found]>
      : false

type IsLastUnit<Text, Allowed extends Unit> = [Text] extends [never]
  ? false
  : Text extends Allowed
    ? true
    : false

/** The text itself if it is a duration, otherwise never. */
export type DurationLiteral<Text extends string> =
  IsParts<Text extends `-${infer Parts}` ? Parts : Text, Unit> extends true ? Text : never

const UNITS: readonly { name: Unit; milliseconds: number }[] = [
  { name: 'd', milliseconds: 86_400_000 },
  { name: 'h', milliseconds: 3_600_000 },
  { name: 'm', milliseconds: 60_000 },
  { name: 's', milliseconds: 1000 },
  { name: 'ms', milliseconds: 1 },
]

export function duration<Text extends string>(literal: Text & DurationLiteral<Text>): number {
  const result = parseDuration(literal)
  if (!result.ok) {
    throw new RangeError(`Not a duration: "${literal}", ${result.reason} at ${result.position}`)
  }
  return result.milliseconds
}

export function parseDuration(text: string): ParseResult {
  const fail = (reason: ParseReason, position: number): ParseResult => {
    return { ok: false, reason, position }
  }
  const read = (pattern: RegExp, position: number): string => {
    pattern.lastIndex = position
    return pattern.exec(text)?.[0] ?? ''
  }

  if (text === '') return fail('empty', 0)
  const negative = text.startsWith('-')
  let at = negative ? 1 : 0
  let total = 0n
  let latestUnit = -1
  do {
    const whole = read(/[0-9]+/y, at)
    if (whole === '') return fail('expected-number', at)
    at += whole.length

    const dot = text[at] === '.' ? at : undefined
    const fraction = dot === undefined ? '' : read(/[0-9]+/y, dot + 1)
    if (dot !== undefined) {
      if (fraction === '') return fail('expected-number', dot + 1)
      at += 1 + fraction.length
    }

    const name = read(/ms|[dhms]/y, at)
    if (name === '') return fail('expected-unit', at)
    const unit = UNITS.findIndex((candidate) => candidate.name === name)
    if (unit <= latestUnit) return fail('unit-order', at)
    latestUnit = unit
    at += name.length

    if (dot !== undefined && (name === 'ms' || at < text.length)) return fail('fraction', dot)
    const scaled = BigInt(whole + fraction) * BigInt(UNITS[unit].milliseconds)
    total += divideRounding(scaled, 10n ** BigInt(fraction.length))
  } while (at < text.length)

  if (total > BigInt(Number.MAX_SAFE_INTEGER)) return fail('too-large', 0)
  return { ok: true, milliseconds: Number(total) * (negative ? -1 : 1) }
}

export function formatDuration(milliseconds: number): string {
  if (!Number.isSafeInteger(milliseconds)) {
    throw new RangeError(`Not a whole number of milliseconds: ${milliseconds}`)
  }
  if (milliseconds === 0) return '0ms'

  let rest = Math.abs(milliseconds)
  let text = milliseconds < 0 ? '-' : ''
  for (const unit of UNITS) {
    const count = Math.floor(rest / unit.milliseconds)
    if (count > 0) text += `${count}${unit.name}`
    rest %= unit.milliseconds
  }
  return text
}

/** Divides numbers that are not negative; halves are rounded up. */
function divideRounding(dividend: bigint, divisor: bigint): bigint {
  return (2n * dividend + divisor) / (2n * divisor)
}
