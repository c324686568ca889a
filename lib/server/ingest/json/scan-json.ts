import { createScanner } from 'jsonc-parser'
import { countOf } from '#lib/domain/text/index.ts'

/** `depth`: nested objects and lists. `values`: values in one text, without keys. */
export const JSON_LIMITS = { depth: 64, values: 20_000_000 }
const MAX_ITEMS = 50_001
const MAX_CONSTANTS = 1_000_000
/** Keys that reach an object's prototype when careless code copies it. */
const FORBIDDEN_KEYS = new Set(['__proto__', 'constructor', 'prototype'])
const CONSTANT = /NaN|-?Infinity/y
const SCALAR = /^(?:true|false|null|-?\d.*)$/
/** First characters of a value; `x` = a scalar that is not a string. */
const VALUE = '{["x'

/** Range of a value in the text, in characters. */
export type Range = { start: number; end: number }
/** A value with the ranges of its items: all of a document that is a list, the objects of a member that is one. */
type Part = Range & { kind: 'object' | 'array' | 'scalar'; items: Range[] }
/** An open list (`keys` null) or object. */
type Container = Part & { keys: Set<string> | null; key: string }

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

/** Ranges of a document's parts: enough to read a large one in pieces. */
export class Outline implements Part {
  end = 0
  kind: Part['kind'] = 'scalar'
  items: Range[] = []
  readonly members = new Map<string, Part>()
  /** NaN and infinities, which JSON lacks, in order. */
  readonly constants: Range[] = []
  /** The first number that only Python writes; null = there is none. */
  loose: JsonProblem | null = null

  constructor(readonly start: number) {}
}

/**
 * Outlines one JSON value from `start`, without recursion and token by token, so that other work can run between them.
 * `isLoose` accepts numbers as Python writes them (NaN, infinities, integers of any length) and records the first.
 */
export class JsonScan {
  readonly outline: Outline
  at = 0
  #end = 0
  #values = 0
  /** First characters that the next token may have. */
  #expected = VALUE
  readonly #open: Container[] = []
  readonly #scanner

  constructor(
    readonly text: string,
    start: number,
    readonly limits: typeof JSON_LIMITS,
    readonly isLoose: boolean,
  ) {
    this.outline = new Outline(start)
    this.#scanner = createScanner(text)
    this.#scanner.setPosition(start)
  }

  /** Reads a token. Returns false after the end of the value; throws a JsonProblem for anything but strict JSON. */
  step(): boolean {
    const first = this.#readToken()
    const top = this.#open.at(-1)
    if (!this.#expected.includes(first)) throw this.#unexpected()
    if (first === ':') this.#expected = VALUE
    else if (first === ',') this.#expected = top?.keys ? '"' : VALUE
    else if (first === '}' || first === ']') this.#addPart(this.#open.pop())
    else if (top?.keys && !this.#expected.includes('x')) this.#addKey(top, top.keys)
    else if (first === '{') this.#openContainer({ kind: 'object', keys: new Set() }, '"}')
    else if (first === '[') this.#openContainer({ kind: 'array', keys: null }, `${VALUE}]`)
    else this.#addScalar(first)
    return this.#open.length > 0
  }

  /** Returns the first character of the next token; `x` = any but a quote and punctuation, `end` = there is none. */
  #readToken(): string {
    let first = ''
    do {
      this.#scanner.scan()
      this.at = this.#scanner.getTokenOffset()
      first = this.text[this.at] ?? 'end'
    } while (' \t\n\r'.includes(first))
    this.#end = this.at + this.#scanner.getTokenLength()
    if (first !== '"') return first === 'end' || '{}[],:'.includes(first) ? first : 'x'
    if (this.#scanner.getTokenError() !== 0)
      throw this.#unexpected('a control character or an unknown escape in a string')
    const value = this.#scanner.getTokenValue()
    const isEscaped = value.length !== this.#end - this.at - 2
    if (isEscaped && /\p{Surrogate}/u.test(value))
      throw this.#problem('half of a surrogate pair, which is not text')
    return first
  }

  #addKey(top: Container, keys: Set<string>): void {
    const key = this.#scanner.getTokenValue()
    if (FORBIDDEN_KEYS.has(key)) throw this.#problem(`the key ${key} is not allowed`)
    if (keys.has(key))
      throw this.#problem(`the key ${JSON.stringify(key.slice(0, 80))} is duplicated`)
    keys.add(key)
    top.key = key
    this.#expected = ':'
  }

  #openContainer(container: Pick<Container, 'kind' | 'keys'>, expected: string): void {
    this.#countValue()
    if (this.#open.length >= this.limits.depth)
      throw this.#problem(`more than ${countOf(this.limits.depth, 'level')} deep`, true)
    this.#open.push({ start: this.at, end: 0, items: [], key: '', ...container })
    this.#expected = expected
  }

  #countValue(): void {
    const { values } = this.limits
    if (++this.#values > values) throw this.#problem(`more than ${countOf(values, 'value')}`, true)
  }

  #addScalar(first: string): void {
    this.#countValue()
    if (first === 'x') this.#checkScalar(this.text.slice(this.at, this.#end))
    this.#addPart({ start: this.at, end: 0, kind: 'scalar', items: [] })
  }

  #checkScalar(token: string): void {
    CONSTANT.lastIndex = this.at
    const [constant] = CONSTANT.exec(this.text) ?? []
    if (constant !== undefined) {
      this.#addConstant(constant)
      return
    }
    if (this.#scanner.getTokenError() !== 0 || !SCALAR.test(token)) throw this.#unexpected()
    const value = Number(token)
    if (Math.abs(value) === Number.POSITIVE_INFINITY)
      throw this.#problem('a number too large to be held')
    if (/^-?\d+$/.test(token) && !Number.isSafeInteger(value))
      this.#noteLoose(this.#problem('a whole number too large to be held exactly'))
  }

  #addConstant(constant: string): void {
    this.#noteLoose(this.#unexpected())
    this.#end = this.at + constant.length
    this.#scanner.setPosition(this.#end)
    if (this.outline.constants.push({ start: this.at, end: this.#end }) > MAX_CONSTANTS)
      throw this.#problem(`more than ${MAX_CONSTANTS} numbers that are none`, true)
  }

  /** Records the whole, a member of it, or an item of a list that is one of both. */
  #addPart(complete: Part | undefined): void {
    if (!complete) return
    const { start, kind, items } = complete
    const part = { start, end: this.#end, kind, items }
    const top = this.#open.at(-1)
    const depth = this.#open.length
    this.#expected = top?.keys ? ',}' : ',]'
    if (!top) Object.assign(this.outline, part)
    else if (depth === 1 && top.keys) this.outline.members.set(top.key, part)
    else if (!top.keys && (depth === 1 || (depth === 2 && kind === 'object')))
      if (top.items.length < MAX_ITEMS) top.items.push({ start, end: this.#end })
  }

  #noteLoose(problem: JsonProblem): void {
    if (!this.isLoose) throw problem
    this.outline.loose ??= problem
  }

  #problem(message: string, isTooMuch = false): JsonProblem {
    return new JsonProblem(message, this.at, isTooMuch)
  }

  /** Returns the problem of a token that is not allowed, or that the end of the text cuts off. */
  #unexpected(message = `${JSON.stringify(this.text[this.at])} is not allowed here`): JsonProblem {
    const hasEnded = this.#end >= this.text.length
    const isCutOff = this.at >= this.text.length || this.#scanner.getTokenError() !== 0
    return this.#problem(hasEnded && isCutOff ? 'the text ends too early: it was cut off' : message)
  }
}
