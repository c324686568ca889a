import { JsonProblem, skipLiteral, skipNumber, skipString, unexpected } from './read-token.ts'

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
export type Outline = Range & { kind: JsonKind; members: Map<string, Part>; items: Range[] }
/** A direct part; of a list its own items too. */
type Part = Range & { kind: JsonKind; items: Range[] }

/** Outlines hold no more places than this. */
const MOST_ITEMS = 50_001
const STRIDE_BYTES = 2 * 1024 * 1024

type Want = 'value' | 'first-key-or-end' | 'key' | 'first-item-or-end' | 'comma-or-end'

/**
 * Walks one JSON value from `start` and refuses what is not strict JSON: with a list of its own instead of recursion, so
 * that no depth can overflow a stack. Throws a JsonProblem. Nothing is built except the outline. Yields every few
 * megabytes, so that other work can be done meanwhile.
 */
export function scanJson(
  bytes: Buffer,
  start: number,
  limits: JsonLimits = JSON_LIMITS,
): Generator<void, Outline> {
  return new Scan(bytes, limits).run(start)
}

class Scan {
  readonly #bytes: Buffer
  readonly #limits: JsonLimits
  readonly #keys = new KeyGuard()
  readonly #texts = new KeyTexts()
  /** Starts of the open containers. */
  readonly #starts: number[] = []
  readonly #isObject: boolean[] = []
  readonly #outline: Outline = { start: 0, end: 0, kind: 'scalar', members: new Map(), items: [] }
  #part: Part | null = null
  #partKey = ''
  #values = 0
  #want: Want = 'value'

  constructor(bytes: Buffer, limits: JsonLimits) {
    this.#bytes = bytes
    this.#limits = limits
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
      throw new JsonProblem(`more than ${this.#limits.values} values`, at, true)
    if (byte === 0x7b || byte === 0x5b) return this.#open(at, byte === 0x7b)
    const end = skipScalar(this.#bytes, at)
    this.#note('scalar', at, end)
    this.#want = 'comma-or-end'
    return end
  }

  #open(at: number, isObject: boolean): number {
    const depth = this.#starts.length
    if (depth >= this.#limits.depth)
      throw new JsonProblem(`more than ${this.#limits.depth} levels deep`, at, true)
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
    if (bytes[at] !== 0x22) throw unexpected(bytes, at)
    const { end, escaped } = skipString(bytes, at)
    const key = escaped ? readEscaped(bytes, at, end) : this.#texts.read(bytes, at + 1, end - 1)
    this.#keys.add(key, at)
    if (this.#starts.length === 1) this.#partKey = Buffer.from(key, 'latin1').toString('utf8')
    const colon = skipSpace(bytes, end)
    if (bytes[colon] !== 0x3a) throw unexpected(bytes, colon)
    this.#want = 'value'
    return colon + 1
  }
}

/** A key for comparing: its UTF-8 bytes, one a character. */
function readEscaped(bytes: Buffer, start: number, end: number): string {
  const text: unknown = JSON.parse(bytes.toString('utf8', start, end))
  return Buffer.from(String(text)).toString('latin1')
}

const MOST_KNOWN = 1024
const LONGEST_KNOWN = 40

/** The same of keys without escapes: a file has few of them, very often, and each is made a text once. */
class KeyTexts {
  readonly #known: (string | undefined)[] = new Array(MOST_KNOWN).fill(undefined)

  read(bytes: Buffer, start: number, end: number): string {
    if (end - start > LONGEST_KNOWN) return bytes.toString('latin1', start, end)
    let place = end - start
    for (let at = start; at < end; at++)
      place = (Math.imul(place, 31) + (bytes[at] as number)) & (MOST_KNOWN - 1)
    const known = this.#known[place]
    if (known !== undefined && isText(known, bytes, start, end)) return known
    const text = bytes.toString('latin1', start, end)
    this.#known[place] = text
    return text
  }
}

function isText(text: string, bytes: Buffer, start: number, end: number): boolean {
  if (text.length !== end - start) return false
  for (let at = start; at < end; at++) if (text.charCodeAt(at - start) !== bytes[at]) return false
  return true
}

function skipScalar(bytes: Buffer, at: number): number {
  const byte = bytes[at]
  if (byte === 0x22) return skipString(bytes, at).end
  if (byte === 0x2d || (byte !== undefined && byte >= 0x30 && byte <= 0x39))
    return skipNumber(bytes, at)
  if (byte === undefined) throw unexpected(bytes, at)
  return skipLiteral(bytes, at)
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

/** Keys that reach an object's prototype when some careless code copies it. */
const FORBIDDEN = new Set(['__proto__', 'constructor', 'prototype'])
const FEW = 16

/** The keys of the objects that are open: refuses duplicates, and keys that no valid file has. */
class KeyGuard {
  readonly #open: (string[] | Set<string>)[] = []

  openObject(): void {
    this.#open.push([])
  }

  closeObject(): void {
    this.#open.pop()
  }

  add(key: string, offset: number): void {
    if (FORBIDDEN.has(key)) throw new JsonProblem(`the key ${key} is not allowed`, offset)
    const known = this.#open[this.#open.length - 1]
    if (known === undefined) return
    if (Array.isArray(known) ? known.includes(key) : known.has(key)) {
      throw new JsonProblem(`the key ${JSON.stringify(key.slice(0, 80))} is duplicated`, offset)
    }
    if (!Array.isArray(known)) known.add(key)
    else if (known.length < FEW) known.push(key)
    else this.#open[this.#open.length - 1] = new Set([...known, key])
  }
}
