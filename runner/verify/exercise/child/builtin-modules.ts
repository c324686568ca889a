import { types as realTypes } from 'node:util'
import EventEmitter from 'events/'
import { addFinding } from './findings.ts'
import { lockInherited } from './lock-intrinsics.ts'
import { createAssert } from './plain-assert.ts'
import { PROMISED } from './timer-promises.ts'
import { plainUrl, realUrl } from './web-text.ts'

const { freeze } = Object
const { ownKeys } = Reflect

type Real = (name: string) => Record<string, (...given: never[]) => unknown>
type Loaders = Record<string, (real: Real) => unknown>

/** Modules of node that are pure functions of text: exposed as frozen copies. */
const PURE: Record<string, readonly string[]> = {
  path: [],
  'path/posix': [],
  punycode: [],
  querystring: [],
  buffer: ['Buffer', 'kMaxLength', 'kStringMaxLength', 'constants', 'isUtf8', 'isAscii'],
}

/** Modules of node that a solution sees only through our facades, so that no object of node's own is ever exposed. */
const FACADES: Loaders = {
  assert: () => createAssert(false),
  'assert/strict': () => createAssert(true),
  events: () => Object.assign(EventEmitter, { EventEmitter }),
  string_decoder: (real) => createStringDecoder(real('string_decoder')),
  url: (real) => createUrl(real('url')),
  util: (real) => createUtil(real('util')),
  'util/types': (real) => ({ ...real('util/types') }),
  crypto: (real) => createCryptoModule(real('crypto')),
}

/** Requiring one of these is an attempt to escape from the process; no exercise needs any. */
const SUSPICIOUS = new Set([
  ...['fs', 'fs/promises', 'child_process', 'worker_threads', 'cluster', 'vm', 'v8', 'module'],
  ...['inspector', 'inspector/promises', 'repl', 'wasi', 'trace_events', 'diagnostics_channel'],
  ...['net', 'tls', 'dgram', 'dns', 'dns/promises', 'http', 'https', 'http2', 'sea', 'test'],
])

/**
 * Provides modules that a solution may `require` besides the task's own files. `supplied` are the sandbox's
 * replacements (process, timers, console). Null if there is no such module; escape attempts are recorded.
 */
export function createBuiltins(realRequire: (name: string) => object, supplied: object) {
  const made = Object.assign(Object.create(null), supplied) as Record<string, unknown>
  for (const name of ['timers', 'timers/promises', 'perf_hooks']) freezeReachable(made[name])
  const real = ((name: string) => realRequire(`node:${name}`)) as unknown as Real
  return (specifier: string): unknown => {
    const name = withoutScheme(specifier)
    if (name in made) return made[name]
    const value = name in pure ? copyOf(name, real) : facades[name]?.(real)
    if (value === undefined) {
      if (suspicious.has(name)) addFinding('refused-module', `the solution asked for node:${name}`)
      return null
    }
    freezeReachable(value)
    made[name] = value
    return value
  }
}

const pure = Object.assign(Object.create(null), PURE) as typeof PURE
const facades = Object.assign(Object.create(null), FACADES) as Loaders
const suspicious = { has: SUSPICIOUS.has.bind(SUSPICIOUS) }

function withoutScheme(specifier: string): string {
  let name = ''
  const start = specifier[0] === 'n' && specifier[4] === ':' ? 5 : 0
  for (let index = start; index < specifier.length; index++) name += specifier[index]
  return name
}

function copyOf(name: string, real: Real): object {
  const whole = real(name)
  const named = pure[name] ?? []
  const copy: Record<string, unknown> = {}
  for (const key of named.length > 0 ? named : Object.keys(whole)) {
    const value = whole[key] as unknown
    if (value !== undefined)
      copy[key] = typeof value === 'object' && value !== null ? { ...value } : value
  }
  return copy
}

/** Freezes a value and everything reachable from it. The language itself is locked elsewhere. */
export function freezeReachable(value: unknown): void {
  const waiting: unknown[] = [value]
  while (waiting.length > 0) {
    const one = waiting.pop()
    if (!isObject(one) || Object.isFrozen(one) || ArrayBuffer.isView(one)) continue
    keepAssignable(one)
    freeze(one)
    for (const key of ownKeys(one)) {
      const found = Object.getOwnPropertyDescriptor(one, key) as PropertyDescriptor
      waiting.push(found.value, found.get, found.set)
    }
  }
}

const isObject = (value: unknown): value is object =>
  (typeof value === 'object' && value !== null) || typeof value === 'function'

/** Properties inherited from a frozen prototype could no longer be assigned on instances. */
function keepAssignable(type: object): void {
  const { prototype } = type as { prototype?: unknown }
  if (typeof type !== 'function' || !isObject(prototype)) return
  for (const key of ownKeys(prototype)) lockInherited(prototype, key)
}

function createStringDecoder(real: ReturnType<Real>): object {
  type Decoder = { write(bytes: unknown): string; end(bytes?: unknown): string }
  const Real = real.StringDecoder as unknown as new (encoding?: string) => Decoder
  class StringDecoder {
    #real: Decoder
    constructor(encoding?: unknown) {
      this.#real = new Real(encoding === undefined ? undefined : `${encoding}`)
    }
    write(bytes: unknown): string {
      return this.#real.write(bytes)
    }
    end(bytes?: unknown): string {
      return bytes === undefined ? this.#real.end() : this.#real.end(bytes)
    }
  }
  return { StringDecoder }
}

function createUrl(real: ReturnType<Real>): object {
  const { URL, URLSearchParams } = globalThis
  const text = (name: string) => (value: unknown) => real[name]?.(`${value}` as never)
  return {
    URL,
    URLSearchParams,
    parse: (value: unknown, query?: unknown) => ({
      ...(real.parse?.(`${value}` as never, Boolean(query) as never) as object),
    }),
    format: (value: unknown) => real.format?.(realUrl(value) as never),
    resolve: (from: unknown, to: unknown) => real.resolve?.(`${from}` as never, `${to}` as never),
    domainToASCII: text('domainToASCII'),
    domainToUnicode: text('domainToUnicode'),
    fileURLToPath: text('fileURLToPath'),
    pathToFileURL: (path: unknown) => plainUrl(real.pathToFileURL?.(`${path}` as never) as URL),
  }
}

type Hash = { update(data: unknown, encoding?: unknown): Hash; digest(encoding?: unknown): unknown }

function createCryptoModule(real: ReturnType<Real>): object {
  const one = (name: string) => real[name] as (...given: unknown[]) => unknown
  const shown = (hash: Hash): Hash => {
    const facade = {
      update: (data: unknown, encoding?: unknown) => {
        hash.update(bytesOf(data, encoding))
        return facade
      },
      digest: (encoding?: unknown) =>
        encoding === undefined ? hash.digest() : hash.digest(`${encoding}`),
    }
    return freeze(facade)
  }
  return {
    createHash: (algorithm: unknown) => shown(one('createHash')(`${algorithm}`) as Hash),
    createHmac: (algorithm: unknown, key: unknown) =>
      shown(one('createHmac')(`${algorithm}`, bytesOf(key)) as Hash),
    randomInt: (...given: unknown[]) => one('randomInt')(...given.slice(0, 2).map(Number)),
    randomUUID: () => one('randomUUID')(),
    randomBytes: (size: unknown) => one('randomBytes')(Number(size)),
    getRandomValues: (target: unknown) => one('getRandomValues')(target),
    timingSafeEqual: (a: unknown, b: unknown) => one('timingSafeEqual')(bytesOf(a), bytesOf(b)),
  }
}

/** A plain copy: no object of a solution's own reaches node's code. */
function bytesOf(data: unknown, encoding?: unknown): Uint8Array {
  if (typeof data === 'string')
    return Buffer.from(data, encoding === undefined ? 'utf8' : (`${encoding}` as BufferEncoding))
  if (!ArrayBuffer.isView(data)) throw new TypeError('The "data" argument must be text or bytes')
  return new Uint8Array(data.buffer, data.byteOffset, data.byteLength).slice()
}

const { apply } = Reflect

type RealUtil = Record<string, (...given: never[]) => unknown>
type Nodeback = (error: unknown, value?: unknown) => void
type AnyFunction = (this: unknown, ...given: unknown[]) => unknown

/** Settings of `inspect` that only affect formatting. */
const PLAIN_SETTINGS = [
  'depth',
  'colors',
  'compact',
  'sorted',
  'breakLength',
  'maxArrayLength',
  'maxStringLength',
  'showHidden',
  'numericSeparator',
] as const

/** node:util without functions that pass node's own functions to a value's methods. */
function createUtil(real: RealUtil): Record<string, unknown> {
  const call = (name: string, ...given: unknown[]): unknown => real[name]?.(...(given as never[]))
  const inspect = (value: unknown, settings?: unknown): unknown =>
    call('inspect', value, { ...chosen(settings), customInspect: false })
  Object.defineProperty(inspect, 'custom', { value: Symbol.for('nodejs.util.inspect.custom') })
  return {
    inspect,
    format: (...given: unknown[]) => call('formatWithOptions', { customInspect: false }, ...given),
    isDeepStrictEqual: (a: unknown, b: unknown) => call('isDeepStrictEqual', a, b),
    stripVTControlCharacters: (text: unknown) => call('stripVTControlCharacters', `${text}`),
    isArray: Array.isArray,
    types: { ...realTypes },
    promisify,
    callbackify,
    inherits,
    TextEncoder: globalThis.TextEncoder,
    TextDecoder: globalThis.TextDecoder,
  }
}

function chosen(settings: unknown): Record<string, unknown> {
  const picked: Record<string, unknown> = {}
  if (typeof settings !== 'object' || settings === null) return picked
  for (const name of PLAIN_SETTINGS) {
    const value = (settings as Record<string, unknown>)[name]
    if (value === null || (typeof value !== 'object' && typeof value !== 'function'))
      if (value !== undefined) picked[name] = value
  }
  return picked
}

Object.defineProperty(promisify, 'custom', { value: PROMISED })

function promisify(original: AnyFunction): AnyFunction {
  if (typeof original !== 'function')
    throw new TypeError('The "original" argument must be of type function')
  const own = Reflect.get(original, PROMISED) as unknown
  if (typeof own === 'function') return own as AnyFunction
  return function (this: unknown, ...given: unknown[]) {
    return new Promise((resolve, reject) => {
      const done: Nodeback = (error, value) => (error ? reject(error) : resolve(value))
      apply(original, this, [...given, done])
    })
  }
}

function callbackify(original: AnyFunction): AnyFunction {
  return function (this: unknown, ...given: unknown[]) {
    const done = given.pop() as Nodeback
    const settled = apply(original, this, given) as Promise<unknown>
    settled.then(
      (value) => done(null, value),
      (error) => done(error ?? new Error('Promise was rejected with a falsy value')),
    )
  }
}

function inherits(type: { prototype: object }, parent: { prototype: object }): void {
  Object.defineProperty(type, 'super_', { value: parent, writable: true, configurable: true })
  Object.setPrototypeOf(type.prototype, parent.prototype)
}
