import { addFinding } from './findings.ts'

const { defineProperty, getOwnPropertyDescriptor } = Object
const { apply } = Reflect
const { hasOwnProperty: hasOwn } = Object.prototype

/** Descriptors without a prototype, so that nothing on Object.prototype can slip a field into them. */
const descriptor = (fields: PropertyDescriptor): PropertyDescriptor =>
  ({ __proto__: null, ...fields }) as unknown as PropertyDescriptor

/** Makes one property unchangeable. */
export function lockProperty(target: object, key: PropertyKey): void {
  const found = getOwnPropertyDescriptor(target, key)
  if (!found?.configurable) return
  const locked = descriptor({ ...found, configurable: false })
  if ('value' in found) locked.writable = false
  defineProperty(target, key, locked)
}

/**
 * Makes a property unchangeable but leaves it assignable on the objects that inherit it: a plain non-writable one
 * would refuse `this.name = 'ValueError'` in a subclass of Error.
 */
export function lockInherited(target: object, key: PropertyKey): void {
  const found = getOwnPropertyDescriptor(target, key)
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
  defineProperty(target, key, descriptor({ ...accessors, enumerable, configurable: false }))
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
    defineProperty(receiver, key, descriptor({ value }))
    return
  }
  const fields = { value, writable: true, enumerable: true, configurable: true }
  defineProperty(receiver, key, descriptor(fields))
}
