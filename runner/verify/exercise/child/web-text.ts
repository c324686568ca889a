// Facades over node's URL, text coding and cloning: ours outside, node's in an inaccessible private field.
import { domException, named } from './web-events.ts'

const real = {
  URL,
  URLSearchParams,
  TextEncoder,
  TextDecoder,
  atob,
  btoa,
  structuredClone,
  queueMicrotask,
}
const { defineProperty } = Object

class PlainSearchParams {
  #real: URLSearchParams
  constructor(init: unknown = '') {
    const given = init instanceof PlainSearchParams ? init.toString() : init
    this.#real = new real.URLSearchParams(given as string)
  }
  /** Shows the parameters of a URL; changes go to that URL. */
  static over(params: URLSearchParams): PlainSearchParams {
    const made = new PlainSearchParams()
    made.#real = params
    return made
  }
  get size(): number {
    return this.#real.size
  }
  append(name: string, value: string): void {
    this.#real.append(name, value)
  }
  delete(name: string, ...value: [string?]): void {
    this.#real.delete(name, ...(value as [string]))
  }
  get(name: string): string | null {
    return this.#real.get(name)
  }
  getAll(name: string): string[] {
    return this.#real.getAll(name)
  }
  has(name: string, ...value: [string?]): boolean {
    return this.#real.has(name, ...(value as [string]))
  }
  set(name: string, value: string): void {
    this.#real.set(name, value)
  }
  sort(): void {
    this.#real.sort()
  }
  forEach(visit: (value: string, name: string, params: PlainSearchParams) => void): void {
    for (const [name, value] of this) visit(value, name, this)
  }
  *entries(): IterableIterator<[string, string]> {
    for (const pair of [...this.#real]) yield pair
  }
  *keys(): IterableIterator<string> {
    for (const [name] of this) yield name
  }
  *values(): IterableIterator<string> {
    for (const [, value] of this) yield value
  }
  [Symbol.iterator](): IterableIterator<[string, string]> {
    return this.entries()
  }
  toString(): string {
    return this.#real.toString()
  }
}

const { over } = PlainSearchParams
Reflect.deleteProperty(PlainSearchParams, 'over')

class PlainURL {
  #real: URL
  #params: PlainSearchParams | null = null
  constructor(text: unknown, base?: unknown) {
    this.#real = base === undefined ? new real.URL(`${text}`) : new real.URL(`${text}`, `${base}`)
  }
  static canParse(text: unknown, base?: unknown): boolean {
    return base === undefined
      ? real.URL.canParse(`${text}`)
      : real.URL.canParse(`${text}`, `${base}`)
  }
  static realOf(url: PlainURL): URL {
    return url.#real
  }
  get origin(): string {
    return this.#real.origin
  }
  get searchParams(): PlainSearchParams {
    this.#params ??= over(this.#real.searchParams)
    return this.#params
  }
  toString(): string {
    return this.#real.href
  }
  toJSON(): string {
    return this.#real.href
  }
}

const { realOf } = PlainURL
Reflect.deleteProperty(PlainURL, 'realOf')

const PARTS = [
  'href',
  'protocol',
  'username',
  'password',
  'host',
  'hostname',
  'port',
  'pathname',
  'search',
  'hash',
] as const
for (const part of PARTS)
  defineProperty(PlainURL.prototype, part, {
    get(this: PlainURL) {
      return realOf(this)[part]
    },
    set(this: PlainURL, value: unknown) {
      realOf(this)[part] = `${value}`
    },
    enumerable: true,
    configurable: true,
  })

class PlainTextEncoder {
  #real = new real.TextEncoder()
  get encoding(): string {
    return 'utf-8'
  }
  encode(text: unknown = ''): Uint8Array {
    return this.#real.encode(`${text}`)
  }
  encodeInto(text: string, target: Uint8Array): { read: number; written: number } {
    return this.#real.encodeInto(`${text}`, target)
  }
}

class PlainTextDecoder {
  #real: TextDecoder
  constructor(label: unknown = 'utf-8', options: { fatal?: boolean; ignoreBOM?: boolean } = {}) {
    const { fatal = false, ignoreBOM = false } = options
    this.#real = new real.TextDecoder(`${label}`, { fatal, ignoreBOM })
  }
  get encoding(): string {
    return this.#real.encoding
  }
  get fatal(): boolean {
    return this.#real.fatal
  }
  get ignoreBOM(): boolean {
    return this.#real.ignoreBOM
  }
  decode(bytes?: AllowSharedBufferSource, options: { stream?: boolean } = {}): string {
    return this.#real.decode(bytes, { stream: Boolean(options.stream) })
  }
}

/** Node's own error would expose node's own class. */
function inOurWords<T>(run: () => T, name: string): T {
  try {
    return run()
  } catch (error) {
    const { name: theirs, message } = error as Error
    throw theirs === name ? domException(message, name) : error
  }
}

/** Text, addresses and copies, by their global names. */
export function createWebText(): Record<string, unknown> {
  return {
    URL: named(PlainURL, 'URL'),
    URLSearchParams: named(PlainSearchParams, 'URLSearchParams'),
    TextEncoder: named(PlainTextEncoder, 'TextEncoder'),
    TextDecoder: named(PlainTextDecoder, 'TextDecoder'),
    atob: (text: unknown) => inOurWords(() => real.atob(`${text}`), 'InvalidCharacterError'),
    btoa: (text: unknown) => inOurWords(() => real.btoa(`${text}`), 'InvalidCharacterError'),
    // One argument: what a transfer list can reach is a way out.
    structuredClone: (value: unknown) =>
      inOurWords(() => real.structuredClone(value), 'DataCloneError'),
    queueMicrotask: (callback: unknown) => {
      if (typeof callback !== 'function')
        throw new TypeError('The "callback" argument must be of type function')
      real.queueMicrotask(() => void (callback as () => unknown)())
    },
  }
}

/** Converts a URL of a solution to the one that node's own functions expect. */
export const realUrl = (value: unknown): unknown =>
  value instanceof PlainURL ? realOf(value) : value

export const plainUrl = (value: URL): PlainURL => new PlainURL(value.href)
