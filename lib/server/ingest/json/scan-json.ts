import { createScanner } from 'jsonc-parser'
import { countOf } from '#lib/domain/text/index.ts'

/** `depth`: nested objects and lists. `values`: values in one text, without keys. */
type JsonLimits = { depth: number; values: number }
export const JSON_LIMITS: JsonLimits = { depth: 64, values: 20_000_000 }

/** Range of a value in the text, in characters. */
export type Range = { start: number; end: number }
/** A value with the ranges of its items: all of a document that is a list, the objects of a member that is one. */
type Part = Range & { kind: 'object' | 'array' | 'scalar'; items: Range[] }

/** A document as ranges of its text: enough to read a large one in pieces. */
export type Outline = Part & {
  members: Map<string, Part>
  /** NaN and infinities, which JSON lacks, in order. */
  constants: Range[]
  /** The first number that only Python writes; null = there is none. */
  loose: JsonProblem | null
}

/** A violation of strict JSON at a character. `isTooMuch`: only the size is wrong. */
export class JsonProblem extends Error {
  constructor(
    message: string,
    readonly offset: number,
    readonly isTooMuch = false,
  ) {
    super(message)
  }
}

const MAX_ITEMS = 50_001
const MAX_CONSTANTS = 1_000_000
/** Keys that reach an object's prototype when careless code copies it. */
const FORBIDDEN_KEYS = new Set(['__proto__', 'constructor', 'prototype'])
/** The scanner's error of a string without an end. */
const UNENDED = 2
const CONSTANT = /NaN|-?Infinity/y

/** An open list (`keys` null) or object. */
type Container = Part & { keys: Set<string> | null; key: string; isEmpty: boolean }

/**
 * Outlines one JSON value from `start`, without recursion and token by token, so that other work can run between them.
 * `isLoose` accepts numbers as Python writes them (NaN, infinities, integers of any length) and records the first.
 */
export class JsonScan {
  readonly outline: Outline
  at = 0
  readonly #scanner
  readonly #open: Container[] = []
  #want: 'value' | 'key' | ':' | ',' = 'value'
  #values = 0
  /** First character and end of the current token. */
  #first = ''
  #end = 0

  constructor(
    readonly text: string,
    start: number,
    readonly limits: JsonLimits,
    readonly isLoose: boolean,
  ) {
    this.#scanner = createScanner(text)
    this.#scanner.setPosition(start)
    const parts = { items: [], members: new Map(), constants: [], loose: null }
    this.outline = { start, end: start, kind: 'scalar', ...parts }
  }

  /** Reads a token. Returns false after the end of the value; throws a JsonProblem for anything but strict JSON. */
  step(): boolean {
    this.#next()
    const top = this.#open.at(-1)
    if (top && this.#isClosing(top)) this.#close(top)
    else if (this.#want === 'value') this.#readValue(top)
    else if (this.#want === 'key') this.#readKey(top)
    else if (this.#first !== this.#want) throw this.#unexpected()
    else this.#want = this.#want === ',' && top?.keys ? 'key' : 'value'
    return this.#open.length > 0
  }

  #isClosing({ keys, isEmpty }: Container): boolean {
    return (this.#want === ',' || isEmpty) && this.#first === (keys ? '}' : ']')
  }

  #next(): void {
    do {
      this.#scanner.scan()
      this.at = this.#scanner.getTokenOffset()
      this.#first = this.text[this.at] ?? ''
    } while (this.#first !== '' && ' \t\n\r'.includes(this.#first))
    this.#end = this.at + this.#scanner.getTokenLength()
    if (this.#first === '"') this.#checkString(this.#scanner.getTokenValue())
  }

  #checkString(value: string): void {
    const error = this.#scanner.getTokenError()
    if (error === UNENDED && this.#end >= this.text.length) throw this.#unexpected()
    if (error !== 0) throw this.#problem('a control character or an unknown escape in a string')
    const isEscaped = value.length !== this.#end - this.at - 2
    if (isEscaped && /\p{Surrogate}/u.test(value))
      throw this.#problem('half of a surrogate pair, which is not text')
  }

  #readKey(top: Container | undefined): void {
    if (this.#first !== '"' || !top?.keys) throw this.#unexpected()
    const key = this.#scanner.getTokenValue()
    if (FORBIDDEN_KEYS.has(key)) throw this.#problem(`the key ${key} is not allowed`)
    if (top.keys.has(key))
      throw this.#problem(`the key ${JSON.stringify(key.slice(0, 80))} is duplicated`)
    top.keys.add(key)
    top.key = key
    top.isEmpty = false
    this.#want = ':'
  }

  #readValue(top: Container | undefined): void {
    const { depth, values } = this.limits
    if (++this.#values > values) throw this.#problem(`more than ${countOf(values, 'value')}`, true)
    if (top) top.isEmpty = false
    this.#want = ','
    const isObject = this.#first === '{'
    if (!isObject && this.#first !== '[') {
      this.#checkScalar()
      this.#note({ start: this.at, end: this.#end, kind: 'scalar', items: [] })
      return
    }
    if (this.#open.length >= depth)
      throw this.#problem(`more than ${countOf(depth, 'level')} deep`, true)
    const part: Part = { start: this.at, end: 0, kind: isObject ? 'object' : 'array', items: [] }
    this.#open.push({ ...part, keys: isObject ? new Set() : null, key: '', isEmpty: true })
    this.#want = isObject ? 'key' : 'value'
  }

  #close({ start, kind, items }: Container): void {
    this.#open.pop()
    this.#want = ','
    this.#note({ start, end: this.#end, kind, items })
  }

  /** Records the whole, a member of it, or an item of a list that is one of both. */
  #note(part: Part): void {
    const { start, end, kind } = part
    const depth = this.#open.length
    const top = this.#open.at(-1)
    if (!top) Object.assign(this.outline, part)
    else if (depth === 1 && top.keys) this.outline.members.set(top.key, part)
    else if (!top.keys && (depth === 1 || (depth === 2 && kind === 'object')))
      if (top.items.length < MAX_ITEMS) top.items.push({ start, end })
  }

  #checkScalar(): void {
    if (this.#first === '"') return
    CONSTANT.lastIndex = this.at
    const [constant] = CONSTANT.exec(this.text) ?? []
    const token = this.text.slice(this.at, this.#end)
    if (constant !== undefined) this.#addConstant(constant)
    else if (!['true', 'false', 'null'].includes(token)) this.#checkNumber(token)
  }

  #checkNumber(token: string): void {
    if (this.#scanner.getTokenError() !== 0 || !/^-?\d/.test(token)) throw this.#unexpected()
    if (!Number.isFinite(Number(token))) throw this.#problem('a number too large to be held')
    if (/^-?\d+$/.test(token) && !Number.isSafeInteger(Number(token)))
      this.#noteLoose(this.#problem('a whole number too large to be held exactly'))
  }

  #addConstant(constant: string): void {
    this.#noteLoose(this.#unexpected())
    this.#end = this.at + constant.length
    this.#scanner.setPosition(this.#end)
    if (this.outline.constants.push({ start: this.at, end: this.#end }) > MAX_CONSTANTS)
      throw this.#problem(`more than ${MAX_CONSTANTS} numbers that are none`, true)
  }

  #noteLoose(problem: JsonProblem): void {
    if (!this.isLoose) throw problem
    this.outline.loose ??= problem
  }

  #problem(message: string, isTooMuch = false): JsonProblem {
    return new JsonProblem(message, this.at, isTooMuch)
  }

  /** Returns the problem of a token that is not allowed or ends early. */
  #unexpected(): JsonProblem {
    const hasError = this.#scanner.getTokenError() !== 0
    if (this.#first === '' || (hasError && this.#end >= this.text.length))
      return this.#problem('the text ends too early: it was cut off')
    return this.#problem(`${JSON.stringify(this.#first)} is not allowed here`)
  }
}
