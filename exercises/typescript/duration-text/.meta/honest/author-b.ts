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

// The type

type Digit = '0' | '1' | '2' | '3' | '4' | '5' | '6' | '7' | '8' | '9'

/** The units that may come after each unit. */
interface SmallerUnits {
  d: 'h' | 'm' | 's' | 'ms'
  h: 'm' | 's' | 'ms'
  m: 's' | 'ms'
  s: 'ms'
  ms: never
}

type UnitName = keyof SmallerUnits

type SkipDigits<Text extends string> = Text extends `${Digit}${infer Rest}` ? SkipDigits<Rest> : Text

/** The name of the unit at the beginning and what comes after it, or undefined if there is none. */
type TakeUnit<Text extends string> = Text extends `ms${infer Rest}`
  ? ['ms', Rest]
  : Text extends `${infer Unit extends UnitName}${infer Rest}`
    ? [Unit, Rest]
    : undefined

type ArePartsOf<Text extends string, Allowed extends UnitName> = Text extends `${Digit}${infer Rest}`
  ? IsAfterNumber<SkipDigits<Rest>, Allowed>
  : false

type IsAfterNumber<Text extends string, Allowed extends UnitName> = Text extends `.${Digit}${infer Rest}`
  ? SkipDigits<Rest> extends Exclude<Allowed, 'ms'>
    ? true
    : false
  : TakeUnit<Text> extends [infer Unit extends Allowed, infer Rest extends string]
    ? Rest extends ''
      ? true
      : ArePartsOf<Rest, SmallerUnits[Unit]>
    : false

type IsDuration<Text extends string> = Text extends `-${infer Parts}`
  ? ArePartsOf<Parts, UnitName>
  : ArePartsOf<Text, UnitName>

/** The text itself if it is a duration, otherwise never. */
export type DurationLiteral<Text extends string> = Text extends unknown
  ? IsDuration<Text> extends true
    ? Text
    : never
  : never

export function duration<Text extends string>(literal: Text & DurationLiteral<Text>): number {
  const result = parseDuration(literal)
  if (!result.ok) throw new RangeError(`Not a duration: ${JSON.stringify(literal)} (${result.reason})`)
  return result.milliseconds
}

// Reading

/** From large to small. */
const UNITS = [
  { name: 'd', milliseconds: 86_400_000 },
  { name: 'h', milliseconds: 3_600_000 },
  { name: 'm', milliseconds: 60_000 },
  { name: 's', milliseconds: 1_000 },
  { name: 'ms', milliseconds: 1 },
] as const

/** One part. Positions are indexes into the whole text. */
interface Part {
  readonly digits: string
  /** The digits after the dot. */
  readonly fraction: string
  /** The index of the unit in `UNITS`. */
  readonly rank: number
  readonly end: number
}

type Failure = Extract<ParseResult, { ok: false }>

export function parseDuration(text: string): ParseResult {
  if (text === '') return failure('empty', 0)
  const negative = text.startsWith('-')
  const parts = readParts(text, negative ? 1 : 0)
  if (!Array.isArray(parts)) return parts

  const size = totalOf(parts)
  if (size > BigInt(Number.MAX_SAFE_INTEGER)) return failure('too-large', 0)
  return { ok: true, milliseconds: Number(negative ? -size : size) }
}

function failure(reason: ParseReason, position: number): Failure {
  return { ok: false, reason, position }
}

function readParts(text: string, begin: number): Part[] | Failure {
  const parts: Part[] = []
  let position = begin
  do {
    const part = readPart(text, position, parts.at(-1)?.rank ?? -1)
    if ('reason' in part) return part
    parts.push(part)
    position = part.end
  } while (position < text.length)
  return parts
}

function readPart(text: string, begin: number, rankBefore: number): Part | Failure {
  const digits = digitsAt(text, begin)
  if (digits === '') return failure('expected-number', begin)

  const dot = begin + digits.length
  const hasDot = text[dot] === '.'
  const fraction = hasDot ? digitsAt(text, dot + 1) : ''
  if (hasDot && fraction === '') return failure('expected-number', dot + 1)

  const unitAt = hasDot ? dot + 1 + fraction.length : dot
  const rank = rankAt(text, unitAt)
  if (rank < 0) return failure('expected-unit', unitAt)
  if (rank <= rankBefore) return failure('unit-order', unitAt)

  const { name } = UNITS[rank]
  const end = unitAt + name.length
  if (hasDot && (name === 'ms' || end < text.length)) return failure('fraction', dot)
  return { digits, fraction, rank, end }
}

function digitsAt(text: string, position: number): string {
  const digits = /[0-9]*/y
  digits.lastIndex = position
  return digits.exec(text)?.[0] ?? ''
}

/** The longest unit that stands there: `ms` is never a minute. */
function rankAt(text: string, position: number): number {
  const unit = /ms|[dhms]/y
  unit.lastIndex = position
  const name = unit.exec(text)?.[0]
  return UNITS.findIndex((candidate) => candidate.name === name)
}

/** All parts together, as whole numbers, and a half rounded up. */
function totalOf(parts: readonly Part[]): bigint {
  return parts.reduce((sum, { digits, fraction, rank }) => {
    const unit = BigInt(UNITS[rank].milliseconds)
    const scale = 10n ** BigInt(fraction.length)
    const scaled = BigInt(digits + fraction) * unit
    return sum + (2n * scaled + scale) / (2n * scale)
  }, 0n)
}

// Writing

export function formatDuration(milliseconds: number): string {
  if (!Number.isSafeInteger(milliseconds)) {
    throw new RangeError(`Not a safe number of milliseconds: ${milliseconds}`)
  }
  if (milliseconds === 0) return '0ms'
  return (milliseconds < 0 ? '-' : '') + partsOf(Math.abs(milliseconds), 0)
}

function partsOf(rest: number, rank: number): string {
  if (rest === 0) return ''
  const { name, milliseconds } = UNITS[rank]
  const count = Math.floor(rest / milliseconds)
  return (count > 0 ? `${count}${name}` : '') + partsOf(rest % milliseconds, rank + 1)
}
