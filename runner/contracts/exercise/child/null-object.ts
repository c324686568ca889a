const { setPrototypeOf } = Object

/** An object without a prototype: nothing that a solution defines on Object.prototype shows through it. */
export function nullObject<T extends object>(fields: T): T {
  return setPrototypeOf(fields, null) as T
}
