import { types } from 'node:util'

// The patched `expect` calls these functions instead of the values under test. Everything is captured while the bundle
// loads, before any solution code exists.
const { apply } = Reflect
const { isMap, isSet, isRegExp, isDate, isBoxedPrimitive } = types
const execRegExp = RegExp.prototype.exec
const ordinaryHasInstance = Function.prototype[Symbol.hasInstance]
const { some } = Array.prototype
const mapSize = Object.getOwnPropertyDescriptor(Map.prototype, 'size')?.get as () => number
const setSize = Object.getOwnPropertyDescriptor(Set.prototype, 'size')?.get as () => number
const { forEach: eachOfMap } = Map.prototype
const { forEach: eachOfSet } = Set.prototype
const NativePromise = Promise
const { then } = Promise.prototype

/** Returns the object itself from a constructor, so that a subclass adds its private field to it. */
class Stamp {
  constructor(target: object) {
    // biome-ignore lint/correctness/noConstructorReturn: the point of this class
    return target
  }
}

class MatcherBrand extends Stamp {
  #genuine = true
  static has(value: unknown): boolean {
    return typeof value === 'object' && value !== null && #genuine in value
  }
}

class MockBrand extends Stamp {
  #genuine = true
  static has(value: unknown): boolean {
    return typeof value === 'function' && #genuine in value
  }
}

const symbols = Object.create(null) as Record<string, symbol>

/** Replaces `Symbol.for('…jest…')`: the same key gives the same symbol, within this bundle only. */
export const privateSymbol = (key: string): symbol => (symbols[key] ??= Symbol(key))

export const brandMatcher = (matcher: object): void => void new MatcherBrand(matcher)
export const isMatcher = (value: unknown): boolean => MatcherBrand.has(value)
export const brandMock = <T extends object>(mock: T): T => {
  new MockBrand(mock)
  return mock
}
export const isMock = (value: unknown): boolean => MockBrand.has(value)

/** `pattern.test(text)` with the original exec, even if RegExp.prototype was changed. */
export const testPattern = (pattern: RegExp, text: unknown): boolean =>
  typeof text === 'string' && apply(execRegExp, pattern, [text]) !== null

/** `instanceof` that ignores a class's own Symbol.hasInstance. */
export const isInstance = (value: unknown, type: unknown): boolean =>
  apply(ordinaryHasInstance, type, [value]) as boolean

export const someItem = (list: unknown, test: (item: unknown) => boolean): boolean =>
  apply(some, list, [test]) as boolean

/** A class name by internal slot for the kinds whose comparison would otherwise trust Symbol.toStringTag. */
export const comparesBySlot = (className: string, a: unknown, b: unknown): boolean => {
  if (className === '[object RegExp]') return isRegExp(a) && isRegExp(b)
  if (className === '[object Date]') return isDate(a) && isDate(b)
  // Boxed and plain primitives differ, which the comparison of these kinds checks first.
  return isPrimitive(a) || isPrimitive(b) || (isBoxedPrimitive(a) && isBoxedPrimitive(b))
}

const isPrimitive = (value: unknown): boolean => typeof value !== 'object'

/** Visits each match of a global pattern with the original exec. */
export const eachMatch = (pattern: RegExp, text: string, visit: (match: string) => void): void => {
  for (;;) {
    const match = apply(execRegExp, pattern, [text]) as RegExpExecArray | null
    if (match === null) return
    if (match[0] === '') pattern.lastIndex++
    visit(match[0])
  }
}

/**
 * Returns whether these two are collections of one kind with the same real size. Undefined if neither is a real Map or
 * Set.
 */
export const sameCollection = (a: unknown, b: unknown): boolean | undefined => {
  if (isMap(a) && isMap(b)) return apply(mapSize, a, []) === apply(mapSize, b, [])
  if (isSet(a) && isSet(b)) return apply(setSize, a, []) === apply(setSize, b, [])
  return isMap(a) || isMap(b) || isSet(a) || isSet(b) ? false : undefined
}

/** The real entries of a Map or Set, whatever its own iterator returns. */
export const trueEntries = (collection: unknown): Iterable<unknown> => {
  const list: unknown[] = []
  if (isMap(collection)) {
    apply(eachOfMap, collection, [(value: unknown, key: unknown) => list.push([key, value])])
    return list
  }
  if (!isSet(collection)) return collection as Iterable<unknown>
  apply(eachOfSet, collection, [(value: unknown) => list.push(value)])
  return list
}

/** Subscribes to a thenable so that its own `then` can neither swallow the assertion nor replace the result. */
export const settle = (
  thenable: PromiseLike<unknown>,
  onValue: (value: unknown) => unknown,
  onReason: (reason: unknown) => unknown,
): Promise<unknown> => {
  const native = new NativePromise((resolve, reject) => {
    thenable.then(resolve, reject)
  })
  return apply(then, native, [onValue, onReason]) as Promise<unknown>
}

let ran = 0
let failed = 0

/** Counts assertions: a failed one that a solution swallowed must still fail its test. */
export const onAssertion = (passed: boolean): void => {
  ran++
  if (passed) return
  failed++
  beforeMessage()
}

let beforeMessage = (): void => undefined

/** Called when an assertion fails, before its message is built, which uses regular expressions among others. */
export const onFailure = (act: () => void): void => {
  beforeMessage = act
}
export const assertionCounts = (): { ran: number; failed: number } => ({ ran, failed })
export const restoreCounts = (counts: { ran: number; failed: number }): void => {
  ran = counts.ran
  failed = counts.failed
}
