import { addFinding } from './findings.ts'

const { apply, ownKeys } = Reflect
const { getOwnPropertyDescriptor, keys } = Object
const { has } = WeakSet.prototype
const { endsWith } = String.prototype
const execRegExp = RegExp.prototype.exec
const globals = globalThis

let locked: WeakSet<object> = new WeakSet()

/** The locked objects of the language. */
export function guardObjects(objects: readonly object[]): void {
  locked = new WeakSet(objects)
}

/** Names that a comparison, a promise or a printer would read. */
const FORBIDDEN_ADDITIONS: readonly PropertyKey[] = [
  'then',
  'asymmetricMatch',
  '$$typeof',
  'isEqualNode',
  '_isMockFunction',
  // Symbol.toStringTag, isConcatSpreadable, split …: they change what the language itself does.
  ...ownKeys(Symbol)
    .map((key) => (Symbol as unknown as Record<PropertyKey, unknown>)[key])
    .filter((value) => typeof value === 'symbol'),
]

/** Returns whether adding a member of this name to a shared object has no good reason. */
export function isDubious(key: PropertyKey): boolean {
  for (let index = 0; index < FORBIDDEN_ADDITIONS.length; index++) {
    if (FORBIDDEN_ADDITIONS[index] === key) return true
  }
  // An accessor at an array index would see and swallow everything pushed anywhere.
  return typeof key === 'string' && `${+key >>> 0}` === key
}

type Writer = (target: unknown, ...rest: unknown[]) => unknown
type Keys = (rest: readonly unknown[]) => readonly PropertyKey[]

const first: Keys = (rest) => [rest[0] as PropertyKey]
const ofObject: Keys = (rest) => keys((rest[0] ?? {}) as object)
const ofAll: Keys = (sources) => {
  const found: string[] = []
  for (let index = 0; index < sources.length; index++) {
    const own = keys((sources[index] ?? {}) as object)
    for (let at = 0; at < own.length; at++) found[found.length] = own[at] as string
  }
  return found
}

/** Functions that write without an assignment: a refused write throws, and could be caught silently. */
const WRITERS: readonly (readonly [owner: object, name: string, keys: Keys | null])[] = [
  [Object, 'defineProperty', first],
  [Object, 'defineProperties', ofObject],
  [Object, 'assign', ofAll],
  [Object, 'setPrototypeOf', null],
  [Reflect, 'defineProperty', first],
  [Reflect, 'set', first],
  [Reflect, 'deleteProperty', first],
  [Reflect, 'setPrototypeOf', null],
]

/** Wraps each of them with a watcher. Additions are allowed; existing members are locked, and attempts are recorded. */
export function watchWriters(): void {
  for (const [owner, name, keysOf] of WRITERS) {
    const original = (owner as Record<string, Writer>)[name] as Writer
    const watcher = (target: unknown, ...rest: unknown[]): unknown => {
      if (isGuarded(target)) note(target, keysOf, rest)
      // Index by index: the array iterator may be the target of the change.
      const given: unknown[] = [target]
      for (let index = 0; index < rest.length; index++) given[index + 1] = rest[index]
      return apply(original, owner, given)
    }
    Object.defineProperty(watcher, 'name', { value: name, configurable: true })
    Object.defineProperty(watcher, 'length', { value: original.length, configurable: true })
    Object.defineProperty(owner, name, { value: watcher, writable: true, configurable: true })
  }
}

const isGuarded = (target: unknown): target is object =>
  ((typeof target === 'object' && target !== null) || typeof target === 'function') &&
  (target === globals || apply(has, locked, [target]))

function note(target: object, keysOf: Keys | null, rest: readonly unknown[]): void {
  if (keysOf === null) {
    add('the prototype')
    return
  }
  const wanted = keysOf(rest)
  for (let index = 0; index < wanted.length; index++) {
    const key = wanted[index] as PropertyKey
    if (isDubious(key) || getOwnPropertyDescriptor(target, key)?.configurable === false)
      add(typeof key === 'symbol' ? 'a symbol' : `${key as string}`)
  }
}

const { ownKeys: keysOf } = Reflect

const add = (what: string): void =>
  addFinding('builtin-changed', `the solution tried to change ${what} of a built-in`)

/** Called before every assignment of a watched solution; see types/watch-assignments.ts. */
export const noteWrite = Object.freeze((target: unknown, key: unknown): void => {
  const isKey = typeof key === 'string' || typeof key === 'number' || typeof key === 'symbol'
  if (isKey && isGuarded(target)) note(target, first, [key])
})

const REFUSED_WRITE =
  /^Cannot (?:assign to read only|delete) property '(.+?)' of (?:object )?'?(?:\[object (\w+)\]|#<(\w+)>|function .*\[native code\])/s

/**
 * Records an assignment that the language refused if V8 reports a built-in as its target. An object of the program's
 * own with its kind's methods (a list, a map) has the same name in that message as the prototype it inherits from, so
 * that is not a finding; writes to a prototype by its name are detected by `noteWrite`.
 */
export function noteRefusedWrite(error: unknown): void {
  if (!(error instanceof TypeError)) return
  const { message } = error
  const found = typeof message === 'string' ? apply(execRegExp, REFUSED_WRITE, [message]) : null
  if (found === null) return
  const said = found as unknown as (string | undefined)[]
  const key = said[1] ?? ''
  const isNative = apply(endsWith, said[0] ?? '', ['[native code]']) as boolean
  const type = said[2] ?? said[3] ?? ''
  const isGlobal = (type === 'Object' || type === 'global') && LANGUAGE_GLOBALS.includes(key)
  if (isNative || isGlobal) add(key)
}

const { getOwnPropertyDescriptor: descriptorOf, getPrototypeOf } = Object

/** Names of the language's own globals; Node's additions are chosen in sandbox.ts. */
export const LANGUAGE_GLOBALS: readonly string[] = [
  'Object',
  'Function',
  'Array',
  'Number',
  'parseFloat',
  'parseInt',
  'Infinity',
  'NaN',
  'undefined',
  'Boolean',
  'String',
  'Symbol',
  'Date',
  'Promise',
  'RegExp',
  'Error',
  'AggregateError',
  'EvalError',
  'RangeError',
  'ReferenceError',
  'SyntaxError',
  'TypeError',
  'URIError',
  'JSON',
  'Math',
  'Intl',
  'ArrayBuffer',
  'Atomics',
  'Uint8Array',
  'Int8Array',
  'Uint16Array',
  'Int16Array',
  'Uint32Array',
  'Int32Array',
  'Float32Array',
  'Float64Array',
  'Uint8ClampedArray',
  'BigUint64Array',
  'BigInt64Array',
  'DataView',
  'Map',
  'BigInt',
  'Set',
  'Iterator',
  'WeakMap',
  'WeakSet',
  'WeakRef',
  'Proxy',
  'Reflect',
  'FinalizationRegistry',
  'SharedArrayBuffer',
  'decodeURI',
  'decodeURIComponent',
  'encodeURI',
  'encodeURIComponent',
  'escape',
  'unescape',
  'eval',
  'isFinite',
  'isNaN',
  'WebAssembly',
]

/** Objects of the language without a global name. */
function hiddenRoots(): unknown[] {
  return [
    [][Symbol.iterator](),
    ''[Symbol.iterator](),
    new Map()[Symbol.iterator](),
    new Set()[Symbol.iterator](),
    ''.matchAll(/x/g),
    function* () {},
    async function* () {},
    async () => {},
    (function* () {})(),
    (async function* () {})(),
  ]
}

/** Collects every object that hostile code could reach from the language itself, including prototypes and accessors. */
export function collectIntrinsics(extraRoots: readonly unknown[]): object[] {
  const seen = new Set<object>()
  const waiting: unknown[] = [...hiddenRoots(), ...extraRoots]
  for (const name of LANGUAGE_GLOBALS) waiting.push((globalThis as Record<string, unknown>)[name])
  while (waiting.length > 0) {
    const value = waiting.pop()
    if ((typeof value !== 'object' && typeof value !== 'function') || value === null) continue
    if (value === globalThis || seen.has(value)) continue
    seen.add(value)
    waiting.push(getPrototypeOf(value))
    for (const key of keysOf(value)) {
      const { value: inner, get, set } = descriptorOf(value, key) as PropertyDescriptor
      waiting.push(inner, get, set)
    }
  }
  return [...seen]
}
