import { createScanner } from 'jsonc-parser'
import { countOf } from '#lib/domain/record/index.ts'

/** `depth`: nested objects and lists. `values`: values in one text, without keys. */
export type JsonLimits = { depth: number; values: number }
export const JSON_LIMITS: JsonLimits = { depth: 64, values: 20_000_000 }

/** Range of a value in the text, in characters. */
export type Range = { start: number; end: number }
type JsonKind = 'object' | 'array' | 'scalar'

/** A value and its direct parts as ranges of the text: enough to read a large document in pieces. */
export type Outline = Range & {
  kind: JsonKind
  members: Map<string, Part>
  items: Range[]
  /** NaN and infinities, which JSON lacks, in order. */
  constants: Range[]
  /** The first number that only Python writes; null = there is none. */
  loose: JsonProblem | null
}
/** A direct part, with the items of a list. */
type Part = Range & { kind: JsonKind; items: Range[] }

/** A violation of strict JSON at a character. `isTooMuch`: only the size is wrong. */
export class JsonProblem extends Error {
  readonly offset: number
  readonly isTooMuch: boolean

  constructor(message: string, offset: number, isTooMuch = false) {
    super(message)
    this.offset = offset
    this.isTooMuch = isTooMuch
  }
}

/** Maximum number of ranges in an outline. */
const MAX_ITEMS = 50_001
const MAX_CONSTANTS = 1_000_000
const CHARACTERS_PER_STEP = 2 << 20
/** Keys that reach an object's prototype when careless code copies it. */
const FORBIDDEN_KEYS = new Set(['__proto__', 'constructor', 'prototype'])
const CONSTANT = /NaN|-?Infinity/y
const CUT_OFF = 'it was cut off'
/** Messages for the scanner's error numbers. */
const STRING_ERRORS: Readonly<Record<number, string>> = {
  4: 'an escape that is not four hex digits',
  5: 'an unknown escape in a string',
}

/**
 * Outlines one JSON value from `start`, without recursion. Throws a JsonProblem for anything but strict JSON. Yields
 * every few megabytes, so that other work can run. `isLoose` accepts numbers as Python writes them (NaN, infinities,
 * integers of any length) and records the first.
 */
export function* scanJson(
  text: string,
  start: number,
  limits: JsonLimits,
  isLoose: boolean,
): Generator<void, Outline> {
  const scan = new Scan(text, start, limits, isLoose)
  for (let pauseAt = start + CHARACTERS_PER_STEP; scan.step(); )
    if (scan.at > pauseAt) {
      yield
      pauseAt = scan.at + CHARACTERS_PER_STEP
    }
  return scan.outline
}

type Container = { start: number; keys: Set<string> | null; part: Part | null }

class Scan {
  readonly outline: Outline
  readonly #scanner
  readonly #open: Container[] = []
  #want: 'value' | 'key' | 'colon' | 'comma' = 'value'
  /** The container has just been opened. */
  #isEmpty = false
  #key = ''
  #values = 0
  /** The current token's first character and its position. */
  #first = ''
  #at = 0
  #end = 0

  constructor(
    readonly text: string,
    start: number,
    readonly limits: JsonLimits,
    readonly isLoose: boolean,
  ) {
    this.#scanner = createScanner(text)
    this.#scanner.setPosition(start)
    const parts = { members: new Map(), items: [], constants: [], loose: null }
    this.outline = { start, end: start, kind: 'scalar', ...parts }
  }

  get at(): number {
    return this.#at
  }

  /** Reads a token. Returns false after the end of the value. */
  step(): boolean {
    this.#next()
    const top = this.#open.at(-1)
    if (top && this.#isClosing(top)) this.#close(top)
    else if (this.#want === 'value') this.#readValue()
    else if (this.#want === 'key') this.#readKey(top?.keys ?? new Set())
    else this.#readSeparator(top)
    return this.#open.length > 0
  }

  #isClosing({ keys }: Container): boolean {
    const mayClose = this.#want === 'comma' || this.#isEmpty
    return mayClose && this.#first === (keys ? '}' : ']')
  }

  #readSeparator(top: Container | undefined): void {
    if (this.#first !== (this.#want === 'colon' ? ':' : ',')) throw this.#unexpected()
    this.#want = this.#want === 'comma' && top?.keys ? 'key' : 'value'
  }

  #next(): void {
    do {
      this.#scanner.scan()
      this.#at = this.#scanner.getTokenOffset()
      this.#first = this.text[this.#at] ?? ''
    } while (this.#first !== '' && ' \t\n\r'.includes(this.#first))
    this.#end = this.#at + this.#scanner.getTokenLength()
    if (this.#first === '"') this.#checkString()
  }

  #checkString(): void {
    const error = this.#scanner.getTokenError()
    const value = this.#scanner.getTokenValue()
    if (error !== 0) {
      if (error === 2 && this.#end >= this.text.length)
        throw new JsonProblem(`the text ends inside a string: ${CUT_OFF}`, this.#at)
      throw new JsonProblem(STRING_ERRORS[error] ?? 'a control character inside a string', this.#at)
    }
    const isEscaped = value.length !== this.#end - this.#at - 2
    if (isEscaped && /\p{Surrogate}/u.test(value))
      throw new JsonProblem('half of a surrogate pair, which is not text', this.#at)
  }

  #readKey(keys: Set<string>): void {
    if (this.#first !== '"') throw this.#unexpected()
    const key = this.#scanner.getTokenValue()
    if (FORBIDDEN_KEYS.has(key)) throw new JsonProblem(`the key ${key} is not allowed`, this.#at)
    if (keys.has(key))
      throw new JsonProblem(`the key ${JSON.stringify(key.slice(0, 80))} is duplicated`, this.#at)
    keys.add(key)
    if (this.#open.length === 1) this.#key = key
    this.#isEmpty = false
    this.#want = 'colon'
  }

  #readValue(): void {
    if (++this.#values > this.limits.values)
      throw new JsonProblem(`more than ${countOf(this.limits.values, 'value')}`, this.#at, true)
    this.#isEmpty = false
    this.#want = 'comma'
    if (this.#first === '{' || this.#first === '[') this.#openContainer()
    else {
      this.#checkScalar()
      this.#note('scalar', this.#at)
    }
  }

  #openContainer(): void {
    const { depth } = this.limits
    if (this.#open.length >= depth)
      throw new JsonProblem(`more than ${countOf(depth, 'level')} deep`, this.#at, true)
    const isObject = this.#first === '{'
    const part: Part = { start: this.#at, end: this.#at, kind: 'array', items: [] }
    this.#open.push({ start: this.#at, keys: isObject ? new Set() : null, part })
    this.#want = isObject ? 'key' : 'value'
    this.#isEmpty = true
  }

  #close({ start, keys, part }: Container): void {
    this.#open.pop()
    this.#isEmpty = false
    this.#want = 'comma'
    this.#note(keys ? 'object' : 'array', start, part?.items)
  }

  /** Records the range of the whole, of a direct part, or of an item of a direct list. */
  #note(kind: JsonKind, start: number, items: Range[] = []): void {
    const range = { start, end: this.#end }
    const [whole, list] = this.#open
    const depth = this.#open.length
    if (depth === 0) Object.assign(this.outline, { ...range, kind })
    else if (depth === 1 && whole?.keys)
      this.outline.members.set(this.#key, { ...range, kind, items })
    else if (depth === 1) keep(this.outline.items, range)
    else if (depth === 2 && kind === 'object' && list?.part && !list.keys)
      keep(list.part.items, range)
  }

  #checkScalar(): void {
    if (this.#first === '"') return
    CONSTANT.lastIndex = this.#at
    const constant = CONSTANT.exec(this.text)?.[0]
    const token = this.text.slice(this.#at, this.#end)
    if (constant !== undefined) this.#addConstant(constant)
    else if (!['true', 'false', 'null'].includes(token)) this.#checkNumber(token)
  }

  #checkNumber(token: string): void {
    if (this.#scanner.getTokenError() !== 0 || !/^-?\d/.test(token)) throw this.#unexpected()
    const value = Number(token)
    if (!Number.isFinite(value)) throw new JsonProblem('a number too large to be held', this.#at)
    if (/^-?\d+$/.test(token) && !Number.isSafeInteger(value))
      this.#tolerate(new JsonProblem('a whole number too large to be held exactly', this.#at))
  }

  #addConstant(constant: string): void {
    this.#tolerate(this.#unexpected())
    this.#end = this.#at + constant.length
    this.#scanner.setPosition(this.#end)
    if (this.outline.constants.push({ start: this.#at, end: this.#end }) > MAX_CONSTANTS)
      throw new JsonProblem(`more than ${MAX_CONSTANTS} numbers that are none`, this.#at, true)
  }

  #tolerate(problem: JsonProblem): void {
    if (!this.isLoose) throw problem
    this.outline.loose ??= problem
  }

  /** Returns the problem of a token that is not allowed or ends early. */
  #unexpected(): JsonProblem {
    const isCut =
      this.#first === '' || (this.#scanner.getTokenError() !== 0 && this.#end >= this.text.length)
    if (isCut) return new JsonProblem(`the text ends too early: ${CUT_OFF}`, this.#at)
    return new JsonProblem(`${JSON.stringify(this.#first)} is not allowed here`, this.#at)
  }
}

function keep(places: Range[], range: Range): void {
  if (places.length < MAX_ITEMS) places.push(range)
}
