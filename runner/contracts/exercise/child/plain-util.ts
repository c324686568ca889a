import { types as realTypes } from 'node:util'

const { apply } = Reflect

type Real = Record<string, (...given: never[]) => unknown>
type Nodeback = (error: unknown, value?: unknown) => void
type AnyFunction = (this: unknown, ...given: unknown[]) => unknown

/** Settings of `inspect` that only choose how a value is written. */
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

/** node:util without what hands node's own functions to a value's methods. */
export function createUtil(real: Real): Record<string, unknown> {
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

function promisify(original: AnyFunction): AnyFunction {
  if (typeof original !== 'function')
    throw new TypeError('The "original" argument must be of type function')
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
