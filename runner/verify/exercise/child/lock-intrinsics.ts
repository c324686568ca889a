import { addFinding, nullObject } from './findings.ts'
import { collectIntrinsics, guardObjects, isDubious, watchWriters } from './guard-writes.ts'

const { defineProperty, freeze, getOwnPropertyDescriptor, getPrototypeOf, is } = Object
const { ownKeys } = Reflect

type Known = { key: PropertyKey; found: PropertyDescriptor; next: Known | null }
type Watched = {
  target: object
  name: string
  prototype: object | null
  known: Known | null
  next: Watched | null
}

/** Objects to which programs legitimately add methods. Open until the solution has loaded. */
const EXTENSIBLE: readonly (readonly [name: string, target: object])[] = [
  ...[Array, String, Number, Boolean, BigInt, Date, Map, Set, WeakMap, WeakSet, RegExp].flatMap(
    (type) => [[type.name, type] as const, [`${type.name}.prototype`, type.prototype] as const],
  ),
  ['Object', Object],
  ['Promise', Promise],
  ['Math', Math],
]

/** Prototypes from which ordinary objects inherit names that programs assign to: `toString`, `name`, `constructor`. */
const INHERITED: readonly object[] = [
  Object.prototype,
  ...[
    Error,
    AggregateError,
    EvalError,
    RangeError,
    ReferenceError,
    SyntaxError,
    TypeError,
    URIError,
  ].map((type) => type.prototype),
]

/**
 * Redefining one of these, even to itself, disables V8's fast paths permanently; freezing the whole object does not.
 */
const FAST_PATH_KEYS: readonly PropertyKey[] = [
  'constructor',
  'resolve',
  Symbol.iterator,
  Symbol.species,
]

let watched: Watched | null = null
let sealed = false
let intact = true
let notes = 0
/** RegExp.prototype, unless it was frozen. */
let open: Watched | null = null

/**
 * Locks the language before any solution code exists. Objects that must stay open for additions are watched instead.
 */
export function lockIntrinsics(extraRoots: readonly unknown[]): void {
  lockStackTraces()
  watchWriters()
  const extensible = new Map(EXTENSIBLE.map(([name, target]) => [target, name]))
  const inherited = new Set(INHERITED)
  const all = collectIntrinsics(extraRoots)
  guardObjects(all)
  for (const target of all) {
    const name = extensible.get(target)
    if (name !== undefined) watch(target, name)
    else if (target === Error) Object.preventExtensions(target)
    else lock(target, inherited.has(target))
  }
}

function lock(target: object, isInherited: boolean): void {
  if (isInherited) for (const key of ownKeys(target)) lockInherited(target, key)
  if (target === Function.prototype) lockInherited(target, 'toString')
  freeze(target)
}

/** Code that reads call sites could reach functions of the harness. `stackTraceLimit` stays a plain setting. */
function lockStackTraces(): void {
  defineProperty(Error, 'prepareStackTrace', {
    value: undefined,
    configurable: true,
    writable: true,
  })
  for (const key of ownKeys(Error)) if (key !== 'stackTraceLimit') lockProperty(Error, key)
}

function watch(target: object, name: string): void {
  let known: Known | null = null
  const untouched = target === RegExp.prototype
  for (const key of ownKeys(target)) {
    if (!untouched && !FAST_PATH_KEYS.includes(key)) lockProperty(target, key)
    known = nullObject({
      key,
      found: nullObject(getOwnPropertyDescriptor(target, key) as object),
      next: known,
    })
  }
  watched = nullObject({ target, name, prototype: getPrototypeOf(target), known, next: watched })
}

/**
 * Locks the remaining open objects, right after the solution's own top-level code ran and before anything else does.
 * Honest additions stay. False, with findings, if something was changed: then no further code can be trusted.
 */
export function sealIntrinsics({ freezeRegExp }: { freezeRegExp: boolean }): boolean {
  if (sealed) return intact
  sealed = true
  for (let one = watched; one; one = one.next) {
    inspect(one)
    if (one.target !== RegExp.prototype) freeze(one.target)
    else if (freezeRegExp) freeze(one.target)
    else open = one
  }
  return intact
}

/** Checks the open objects again. False, with findings, if one was changed; it is restored then. */
export function checkIntrinsics(): boolean {
  if (!open || inspect(open)) return intact
  for (let one = open.known; one; one = one.next) {
    Reflect.defineProperty(open.target, one.key, one.found)
  }
  return intact
}

function note(detail: string): void {
  intact = false
  notes++
  addFinding('builtin-changed', detail)
}

function inspect({ target, name, prototype, known }: Watched): boolean {
  const before = notes
  if (getPrototypeOf(target) !== prototype) note(`prototype of ${name}`)
  for (let one = known; one; one = one.next) {
    const now = getOwnPropertyDescriptor(target, one.key)
    const same =
      now &&
      is(now.value, one.found.value) &&
      now.get === one.found.get &&
      now.set === one.found.set
    if (!same) note(`${name}.${describeKey(one.key)}`)
  }
  const keys = ownKeys(target)
  for (let index = 0; index < keys.length; index++) {
    const key = keys[index] as PropertyKey
    if (!isKnown(known, key) && isDubious(key)) note(`${name}.${describeKey(key)} added`)
  }
  return notes === before
}

function isKnown(known: Known | null, key: PropertyKey): boolean {
  for (let one = known; one; one = one.next) if (one.key === key) return true
  return false
}

const describeKey = (key: PropertyKey): string =>
  typeof key === 'symbol' ? symbolName(key) : `${key as string}`
const symbolName = (key: symbol): string => `[${key.description ?? 'symbol'}]`

const { defineProperty: define, getOwnPropertyDescriptor: descriptorOf } = Object
const { apply } = Reflect
const { hasOwnProperty: hasOwn } = Object.prototype

/** Creates descriptors without a prototype, so that Object.prototype cannot add a field to them. */
const descriptor = (fields: PropertyDescriptor): PropertyDescriptor =>
  ({ __proto__: null, ...fields }) as unknown as PropertyDescriptor

/** Makes one property unchangeable. */
function lockProperty(target: object, key: PropertyKey): void {
  const found = descriptorOf(target, key)
  if (!found?.configurable) return
  const locked = descriptor({ ...found, configurable: false })
  if ('value' in found) locked.writable = false
  define(target, key, locked)
}

/**
 * Makes a property unchangeable but keeps it assignable on the objects that inherit it: a plain non-writable one would
 * refuse `this.name = 'ValueError'` in a subclass of Error.
 */
export function lockInherited(target: object, key: PropertyKey): void {
  const found = descriptorOf(target, key)
  if (!found?.configurable) return
  if (!('value' in found)) {
    lockProperty(target, key)
    return
  }
  const { value, enumerable = false } = found
  const accessors = {
    get() {
      return value
    },
    set(this: unknown, next: unknown) {
      assignOnReceiver(target, this, key, next)
    },
  }
  Object.freeze(accessors.get)
  Object.freeze(accessors.set)
  define(target, key, descriptor({ ...accessors, enumerable, configurable: false }))
}

function assignOnReceiver(
  owner: object,
  receiver: unknown,
  key: PropertyKey,
  value: unknown,
): void {
  const isObject =
    (typeof receiver === 'object' && receiver !== null) || typeof receiver === 'function'
  if (!isObject || receiver === owner) {
    addFinding('builtin-changed', `the solution tried to set ${String(key)} of a built-in`)
    throw new TypeError(`Cannot assign to read only property '${String(key)}' of a built-in`)
  }
  if (apply(hasOwn, receiver, [key])) {
    define(receiver, key, descriptor({ value }))
    return
  }
  const fields = { value, writable: true, enumerable: true, configurable: true }
  define(receiver, key, descriptor(fields))
}
