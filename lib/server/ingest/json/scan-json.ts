import { isUtf8 } from 'node:buffer'
import { createScanner } from 'jsonc-parser'
import { countOf } from '#lib/domain/text/index.ts'
import { AppError } from '../../../errors.ts'

/** `depth`: nested objects and lists. `values`: values in one document, without keys. */
const JSON_LIMITS = { depth: 64, values: 20_000_000 }
const MAX_ITEMS = 50_001
const CHARACTERS_PER_STEP = 2 << 20
/** Keys that reach an object's prototype when careless code copies it. */
const FORBIDDEN_KEYS = new Set(['__proto__', 'constructor', 'prototype'])
const CONSTANT = /NaN|-?Infinity/y
const SCALAR = /^(?:true|false|null|-?\d.*)$/
/** First characters of a value; `x` = a scalar that is not a string. */
const VALUE = '{["x'
const END = '$'
const KINDS: Readonly<Record<string, Part['kind']>> = { '{': 'object', '[': 'array' }

/** Range of a value in the text, in characters. */
export type Range = { start: number; end: number }
/** A value with the ranges of its items: all of a document that is a list, the objects of a member that is one. */
type Part = Range & { kind: 'object' | 'array' | 'scalar'; items: Range[] }
/** Ranges of a document's parts: enough to read a large one in pieces. */
export type Outline = Part & { members: ReadonlyMap<string, Part | undefined> }
/** An open object, or list (`keys` null). */
type Container = { part: Part; keys: Map<string, Part | undefined> | null; key: string }

/**
 * Outlines the JSON documents in a text: one of a `.json`, one per line of JSON Lines. Refuses what JSON.parse would
 * accept and no honest file contains: duplicate keys, keys of the prototype, integers that lose digits, infinite
 * numbers, half surrogate pairs, a byte order mark, unlimited depth. Throws only AppErrors for bad input.
 */
export class JsonScan {
  readonly text: string
  readonly outlines: Outline[] = []
  /** The first number as only Python writes it (NaN, infinite, or too long), as an error; null = there is none. */
  loose: AppError | null = null
  #at = 0
  #end = 0
  #values = 0
  /** First characters that the next token may have. */
  #expected = VALUE
  readonly #open: Container[] = []
  readonly #scanner

  /** `name`: used in messages. `max`: maximum number of documents, each on a line of its own. */
  constructor(
    source: Buffer | string,
    readonly name: string,
    private readonly max = 1,
    private readonly limits = JSON_LIMITS,
  ) {
    const encoding = typeof source === 'string' ? null : findEncodingProblem(source)
    if (encoding) throw new AppError('invalid-request', `${name} is not valid JSON: ${encoding}`)
    this.text = source.toString()
    this.#scanner = createScanner(this.text)
  }

  /** Reads two million characters, so that other work can run between steps. Returns false at the end of the text. */
  step(): boolean {
    const pauseAt = this.#at + CHARACTERS_PER_STEP
    while (this.#at < pauseAt) if (!this.#readNext()) return false
    return true
  }

  /** Reads a token, without recursion. Returns false at the end; throws an AppError for anything but strict JSON. */
  #readNext(): boolean {
    const first = this.#readToken()
    const top = this.#open.at(-1)
    if (this.#hasEnded(first)) return false
    if (!this.#expected.includes(first)) throw this.#unexpected()
    if (first === ':') this.#expected = VALUE
    else if (first === ',') this.#expected = top?.keys ? '"' : VALUE
    else if (first === '}' || first === ']') this.#addPart(this.#open.pop() as Container)
    else if (top?.keys && !this.#expected.includes('x')) this.#addKey(top, top.keys)
    else this.#addValue(first)
    return true
  }

  /** Returns the first character of the next token; `x` = any but a quote and punctuation. */
  #readToken(): string {
    do {
      this.#scanner.scan()
      this.#at = this.#scanner.getTokenOffset()
    } while (' \t\n\r'.includes(this.text[this.#at] ?? END))
    this.#end = this.#at + this.#scanner.getTokenLength()
    const first = this.text[this.#at]
    if (first === undefined) return END
    if (first !== '"') return '{}[],:'.includes(first) ? first : 'x'
    if (this.#scanner.getTokenError() !== 0)
      throw this.#unexpected('a control character or an unknown escape in a string')
    const value = this.#scanner.getTokenValue()
    const isEscaped = value.length !== this.#end - this.#at - 2
    if (isEscaped && /\p{Surrogate}/u.test(value))
      throw this.#problem('half of a surrogate pair, which is not text')
    return first
  }

  /** Returns whether the text has ended; after a document, another one starts. */
  #hasEnded(first: string): boolean {
    if (this.#open.length > 0 || this.outlines.length === 0) return false
    if (first === END) return true
    if (this.max === 1 || !this.text.slice(this.outlines.at(-1)?.end, this.#at).includes('\n'))
      throw this.#problem('something follows after the end')
    if (this.outlines.length >= this.max)
      throw this.#problem(`more than ${countOf(this.max, 'document')}`, 'too-large')
    this.#expected = VALUE
    this.#values = 0
    return false
  }

  #addKey(top: Container, keys: Map<string, unknown>): void {
    const key = this.#scanner.getTokenValue()
    if (FORBIDDEN_KEYS.has(key)) throw this.#problem(`the key ${key} is not allowed`)
    if (keys.has(key))
      throw this.#problem(`the key ${JSON.stringify(key.slice(0, 80))} is duplicated`)
    keys.set(key, undefined)
    top.key = key
    this.#expected = ':'
  }

  #addValue(first: string): void {
    if (++this.#values > this.limits.values)
      throw this.#problem(`more than ${countOf(this.limits.values, 'value')}`, 'too-large')
    const part: Part = { start: this.#at, end: 0, kind: KINDS[first] ?? 'scalar', items: [] }
    if (first === 'x') this.#checkScalar()
    if (part.kind === 'scalar') this.#addPart({ part, keys: null })
    else if (this.#open.length >= this.limits.depth)
      throw this.#problem(`more than ${countOf(this.limits.depth, 'level')} deep`, 'too-large')
    else {
      this.#open.push({ part, keys: first === '{' ? new Map() : null, key: '' })
      this.#expected = first === '{' ? '"}' : `${VALUE}]`
    }
  }

  #checkScalar(): void {
    CONSTANT.lastIndex = this.#at
    const constant = CONSTANT.exec(this.text)?.[0]
    if (constant !== undefined) {
      this.loose ??= this.#unexpected()
      this.#end = this.#at + constant.length
      this.#scanner.setPosition(this.#end)
      return
    }
    const token = this.text.slice(this.#at, this.#end)
    if (this.#scanner.getTokenError() !== 0 || !SCALAR.test(token)) throw this.#unexpected()
    const value = Number(token)
    if (Math.abs(value) === Number.POSITIVE_INFINITY)
      throw this.#problem('a number too large to be held')
    if (/^-?\d+$/.test(token) && !Number.isSafeInteger(value))
      this.loose ??= this.#problem('a whole number too large to be held exactly')
  }

  /** Records a complete part: the whole, a member of it, or an item of a list that is one of both. */
  #addPart({ part, keys }: Pick<Container, 'part' | 'keys'>): void {
    part.end = this.#end
    const { length: depth, [depth - 1]: top } = this.#open
    this.#expected = top?.keys ? ',}' : ',]'
    if (!top) this.outlines.push({ ...part, members: keys ?? new Map() })
    else if (depth === 1 && top.keys) top.keys.set(top.key, part)
    else if (!top.keys && (depth === 1 || (depth === 2 && part.kind === 'object')))
      if (top.part.items.length < MAX_ITEMS)
        top.part.items.push({ start: part.start, end: part.end })
  }

  /** Returns the problem of a token that is not allowed, or that the end of the text cuts off. */
  #unexpected(message = `${JSON.stringify(this.text[this.#at])} is not allowed here`): AppError {
    const hasEnded = this.#end >= this.text.length
    const isCutOff = this.#at >= this.text.length || this.#scanner.getTokenError() !== 0
    return this.#problem(hasEnded && isCutOff ? 'the text ends too early: it was cut off' : message)
  }

  #problem(message: string, code: 'too-large' | 'invalid-request' = 'invalid-request'): AppError {
    const { getTokenStartLine: line, getTokenStartCharacter: column } = this.#scanner
    const why = `${message} (line ${line() + 1}, column ${column() + 1})`
    return new AppError(code, `${this.name} is not valid JSON: ${why}`)
  }
}

function findEncodingProblem(bytes: Buffer): string | null {
  const mark = bytes.toString('latin1', 0, 3)
  if (/^(?:\xff\xfe|\xfe\xff)/.test(mark)) return 'the text is UTF-16: save it as UTF-8'
  if (mark === '\xef\xbb\xbf') return 'the text starts with a byte order mark: remove it'
  return isUtf8(bytes) ? null : 'the text is not UTF-8'
}
