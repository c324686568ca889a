import { countOf } from '#lib/domain/record/index.ts'
import { KeyGuard } from './key-guard.ts'
import {
  JsonProblem,
  skipConstant,
  skipLiteral,
  skipNumber,
  skipString,
  unexpected,
} from './read-token.ts'

export type JsonLimits = {
  /** Objects and lists inside each other. */
  depth: number
  /** Values in one text, keys not counted. */
  values: number
}
export const JSON_LIMITS: JsonLimits = { depth: 64, values: 20_000_000 }

/** A value's bytes. */
export type Range = { start: number; end: number }
type JsonKind = 'object' | 'array' | 'scalar'

/** A value and its direct parts, as places in the text: enough to read a large document piece by piece. */
export type Outline = Range & {
  kind: JsonKind
  members: Map<string, Part>
  items: Range[]
  /** NaN and the infinities, which JSON has not, in their order. */
  constants: Range[]
  /** The first number that only Python writes; null = there is none. */
  loose: JsonProblem | null
}
/** A direct part; of a list its own items too. */
type Part = Range & { kind: JsonKind; items: Range[] }

/** Outlines hold no more places than this. */
const MOST_ITEMS = 50_001
const MOST_CONSTANTS = 1_000_000
const STRIDE_BYTES = 2 * 1024 * 1024

type Want = 'value' | 'first-key-or-end' | 'key' | 'first-item-or-end' | 'comma-or-end'

/**
 * Walks one JSON value from `start` and refuses what is not strict JSON: with a list of its own instead of recursion, so
 * that no depth can overflow a stack. Throws a JsonProblem. Nothing is built except the outline. Yields every few
 * megabytes, so that other work can be done meanwhile. `isLoose` takes numbers as Python writes them (NaN, infinities,
 * whole ones of any length) and notes the first.
 */
export function scanJson(
  bytes: Buffer,
  start: number,
  limits: JsonLimits = JSON_LIMITS,
  isLoose = false,
): Generator<void, Outline> {
  return new Scan(bytes, limits, isLoose).run(start)
}

class Scan {
  readonly #bytes: Buffer
  readonly #limits: JsonLimits
  readonly #keys = new KeyGuard()
  /** Starts of the open containers. */
  readonly #starts: number[] = []
  readonly #isObject: boolean[] = []
  readonly #isLoose: boolean
  readonly #outline: Outline = {
    ...{ start: 0, end: 0, kind: 'scalar', members: new Map(), items: [] },
    ...{ constants: [], loose: null },
  }
  #part: Part | null = null
  #partKey = ''
  #values = 0
  #want: Want = 'value'

  constructor(bytes: Buffer, limits: JsonLimits, isLoose: boolean) {
    this.#bytes = bytes
    this.#limits = limits
    this.#isLoose = isLoose
  }

  *run(start: number): Generator<void, Outline> {
    const bytes = this.#bytes
    let at = skipSpace(bytes, start)
    let pauseAt = at + STRIDE_BYTES
    this.#outline.start = at
    do {
      if (at > pauseAt) {
        yield
        pauseAt = at + STRIDE_BYTES
      }
      at = skipSpace(bytes, at)
      if (this.#want === 'value') at = this.#value(at)
      else if (this.#want === 'comma-or-end') at = this.#commaOrEnd(at)
      else if (this.#want === 'first-item-or-end') at = this.#firstItemOrEnd(at)
      else at = this.#key(at)
    } while (this.#starts.length > 0)
    this.#outline.end = at
    return this.#outline
  }

  #value(at: number): number {
    const byte = this.#bytes[at]
    if (++this.#values > this.#limits.values)
      throw new JsonProblem(`more than ${countOf(this.#limits.values, 'value')}`, at, true)
    if (byte === 0x7b || byte === 0x5b) return this.#open(at, byte === 0x7b)
    const end = this.#scalar(at, byte)
    this.#note('scalar', at, end)
    this.#want = 'comma-or-end'
    return end
  }

  #scalar(at: number, byte: number | undefined): number {
    if (byte === 0x22) return skipString(this.#bytes, at).end
    const constant = skipConstant(this.#bytes, at)
    if (constant !== null) return this.#constant(at, constant)
    if (byte === 0x2d || (byte !== undefined && byte >= 0x30 && byte <= 0x39))
      return skipNumber(this.#bytes, at, (problem) => this.#tolerate(problem))
    if (byte === undefined) throw unexpected(this.#bytes, at)
    return skipLiteral(this.#bytes, at)
  }

  #constant(start: number, end: number): number {
    this.#tolerate(unexpected(this.#bytes, start))
    if (this.#outline.constants.push({ start, end }) > MOST_CONSTANTS)
      throw new JsonProblem(`more than ${MOST_CONSTANTS} numbers that are none`, start, true)
    return end
  }

  #tolerate(problem: JsonProblem): void {
    if (!this.#isLoose) throw problem
    this.#outline.loose ??= problem
  }

  #open(at: number, isObject: boolean): number {
    const depth = this.#starts.length
    if (depth >= this.#limits.depth)
      throw new JsonProblem(`more than ${countOf(this.#limits.depth, 'level')} deep`, at, true)
    if (depth === 0) this.#outline.kind = isObject ? 'object' : 'array'
    if (depth === 1)
      this.#part = { start: at, end: at, kind: isObject ? 'object' : 'array', items: [] }
    this.#starts.push(at)
    this.#isObject.push(isObject)
    if (isObject) this.#keys.openObject()
    this.#want = isObject ? 'first-key-or-end' : 'first-item-or-end'
    return at + 1
  }

  #close(at: number): number {
    const start = this.#starts.pop() ?? 0
    const isObject = this.#isObject.pop()
    if (isObject) this.#keys.closeObject()
    this.#note(isObject ? 'object' : 'array', start, at + 1)
    this.#want = 'comma-or-end'
    return at + 1
  }

  /** Records the place of a direct part of the whole, and of the items of a direct list. */
  #note(kind: JsonKind, start: number, end: number): void {
    const depth = this.#starts.length
    if (depth === 1) {
      const items = this.#part?.items ?? []
      this.#part = null
      if (!this.#isObject[0]) this.#keep(this.#outline.items, start, end)
      else this.#outline.members.set(this.#partKey, { start, end, kind, items })
    } else if (depth === 2 && kind === 'object' && this.#part?.kind === 'array') {
      this.#keep(this.#part.items, start, end)
    }
  }

  #keep(places: Range[], start: number, end: number): void {
    if (places.length < MOST_ITEMS) places.push({ start, end })
  }

  #commaOrEnd(at: number): number {
    const byte = this.#bytes[at]
    const isObject = this.#isObject[this.#isObject.length - 1]
    if (byte === 0x2c) {
      this.#want = isObject ? 'key' : 'value'
      return at + 1
    }
    if (byte === (isObject ? 0x7d : 0x5d)) return this.#close(at)
    throw unexpected(this.#bytes, at)
  }

  #firstItemOrEnd(at: number): number {
    if (this.#bytes[at] === 0x5d) return this.#close(at)
    this.#want = 'value'
    return at
  }

  #key(at: number): number {
    const bytes = this.#bytes
    if (bytes[at] === 0x7d && this.#want === 'first-key-or-end') return this.#close(at)
    const expected = this.#keys.expected
    let end: number
    if (expected !== undefined && isKey(expected, bytes, at)) {
      this.#keys.addExpected()
      end = at + expected.length + 2
      if (this.#starts.length === 1) this.#partKey = toKey(expected)
    } else end = this.#newKey(at)
    const colon = skipSpace(bytes, end)
    if (bytes[colon] !== 0x3a) throw unexpected(bytes, colon)
    this.#want = 'value'
    return colon + 1
  }

  #newKey(at: number): number {
    const bytes = this.#bytes
    if (bytes[at] !== 0x22) throw unexpected(bytes, at)
    const { end, escaped } = skipString(bytes, at)
    const key = escaped ? readEscaped(bytes, at, end) : bytes.toString('latin1', at + 1, end - 1)
    this.#keys.add(key, at, !escaped)
    if (this.#starts.length === 1) this.#partKey = toKey(key)
    return end
  }
}

function toKey(latin1: string): string {
  return Buffer.from(latin1, 'latin1').toString('utf8')
}

/** A key for comparing: its UTF-8 bytes, one a character. */
function readEscaped(bytes: Buffer, start: number, end: number): string {
  const text: unknown = JSON.parse(bytes.toString('utf8', start, end))
  return Buffer.from(String(text)).toString('latin1')
}

/** Whether the text at `at` is this key in its quotes: one without escapes. */
function isKey(key: string, bytes: Buffer, at: number): boolean {
  const { length } = key
  if (bytes[at] !== 0x22 || bytes[at + length + 1] !== 0x22) return false
  for (let index = 0; index < length; index++)
    if (key.charCodeAt(index) !== bytes[at + index + 1]) return false
  return true
}

/** The next byte that is not JSON's white space. */
export function skipSpace(bytes: Buffer, start: number): number {
  let at = start
  while (true) {
    const byte = bytes[at]
    if (byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09) return at
    at++
  }
}
