import { types } from 'node:util'

const { apply, ownKeys } = Reflect
const { getOwnPropertyDescriptor, is } = Object
const { isArray } = Array
const { isMap, isSet, isDate, isRegExp, isTypedArray, isPromise, isNativeError, isProxy } = types
const { stringify } = JSON
const { forEach: eachOfMap } = Map.prototype
const { forEach: eachOfSet } = Set.prototype
const { getTime } = Date.prototype
const { toString: showRegExp } = RegExp.prototype
const { sort } = Array.prototype

const MOST_DEPTH = 40
const MOST_PARTS = 20_000

/**
 * A value as text, by value: equal texts mean that nobody could tell the values apart by looking at them. Key order,
 * undefined properties, classes and -0 do not count, because the visible tests' `toEqual` ignores them, too.
 */
export function describeValue(value: unknown): string {
  return new ValueWriter().describe(value, 0)
}

type Kind = [
  is: (value: unknown) => boolean,
  write: (writer: ValueWriter, value: object, depth: number) => string,
]

/** What is written in a way of its own; the first that fits counts. */
const KINDS: readonly Kind[] = [
  [isProxy, (writer, value, depth) => `proxy ${writer.fields(value, depth)}`],
  [isArray, (writer, value, depth) => `[${writer.elements(value as unknown[], depth)}]`],
  [isDate, (_writer, value) => `Date(${apply(getTime, value, []) as number})`],
  [isRegExp, (_writer, value) => `RegExp(${apply(showRegExp, value, []) as string})`],
  [isPromise, () => '[promise]'],
  [isNativeError, () => '[error]'],
  [isMap, (writer, value, depth) => writer.map(value, depth)],
  [isSet, (writer, value, depth) => writer.set(value, depth)],
  [isTypedArray, (writer, value, depth) => `bytes[${writer.elements(value as never, depth)}]`],
]

class ValueWriter {
  readonly #open: unknown[] = []
  #parts = 0

  describe(given: unknown, depth: number): string {
    if (++this.#parts > MOST_PARTS || depth > MOST_DEPTH) return '[more]'
    switch (typeof given) {
      case 'string':
        return stringify(given)
      case 'number':
        return is(given, -0) ? '0' : `${given}`
      case 'bigint':
        return `${given}n`
      case 'symbol':
        return '[symbol]'
      case 'function':
        return '[function]'
      case 'object':
        return given === null ? 'null' : this.#once(given, depth + 1)
      default:
        return `${given as undefined | boolean}`
    }
  }

  #once(given: object, depth: number): string {
    const open = this.#open
    for (let index = 0; index < open.length; index++) if (open[index] === given) return '[circular]'
    open[open.length] = given
    const text = this.#object(given, depth)
    open.length--
    return text
  }

  #object(given: object, depth: number): string {
    for (let index = 0; index < KINDS.length; index++) {
      const kind = KINDS[index] as Kind
      if (kind[0](given)) return kind[1](this, given, depth)
    }
    return this.fields(given, depth)
  }

  elements(given: ArrayLike<unknown>, depth: number): string {
    let text = ''
    for (let index = 0; index < given.length; index++) {
      if (this.#parts > MOST_PARTS) return `${text}[more]`
      text += (index > 0 ? ',' : '') + this.describe(given[index], depth)
    }
    return text
  }

  map(given: object, depth: number): string {
    let text = ''
    const visit = (item: unknown, key: unknown): void => {
      text += `${text && ','}${this.describe(key, depth)}=>${this.describe(item, depth)}`
    }
    apply(eachOfMap, given, [visit])
    return `Map{${text}}`
  }

  set(given: object, depth: number): string {
    let text = ''
    const visit = (item: unknown): void => {
      text += (text && ',') + this.describe(item, depth)
    }
    apply(eachOfSet, given, [visit])
    return `Set{${text}}`
  }

  fields(given: object, depth: number): string {
    const keys: string[] = []
    for (const key of ownKeys(given)) {
      if (typeof key === 'string' && getOwnPropertyDescriptor(given, key)?.enumerable)
        keys[keys.length] = key
    }
    apply(sort, keys, [])
    let text = ''
    for (let index = 0; index < keys.length; index++) {
      const key = keys[index] as string
      const item = (given as Record<string, unknown>)[key]
      if (item !== undefined)
        text += `${text && ','}${stringify(key)}:${this.describe(item, depth)}`
    }
    return `{${text}}`
  }
}
