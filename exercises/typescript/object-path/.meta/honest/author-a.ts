// ---------------------------------------------------------------------------------------------
// Types

declare const nowhere: unique symbol

/** A value does not have the key. */
type Nowhere = typeof nowhere

/** A value has the key; the wrapping keeps `any`, `never` and `undefined` apart from `Nowhere`. */
interface Found<T> {
  readonly found: T
}

type Simple = string | number | bigint | boolean | symbol | null | undefined

type IsAny<T> = 0 extends 1 & T ? true : false

/** The keys that have been declared one by one, not by an index signature. */
type DeclaredKeys<T> = keyof {
  [Key in keyof T as {} extends Record<Key, 1> ? never : Key]: 1
}

/** Numeric names such as `{ 404: string }` are numbers in the type and text in the path. */
type KeyIn<Keys, Key extends string> = Key extends Keys
  ? Key
  : Key extends `${infer Index extends number}`
    ? Index extends Keys
      ? Index
      : never
    : never

type LookupElement<T extends readonly unknown[], Key extends string, Missing> =
  Key extends `${infer Index extends number}`
    ? Key extends keyof T
      ? Found<T[Key]>
      : number extends T['length']
        ? Found<T[Index] | Missing>
        : Nowhere
    : Nowhere

type LookupProperty<T, Key extends string, Missing> = [KeyIn<DeclaredKeys<T>, Key>] extends [never]
  ? [KeyIn<keyof T, Key>] extends [never]
    ? Nowhere
    : Found<T[KeyIn<keyof T, Key> & keyof T] | Missing>
  : Found<T[KeyIn<DeclaredKeys<T>, Key> & keyof T]>

/** `Missing` is what stands for an element or property that may not be there. */
type Lookup<T, Key extends string, Missing> = Key extends ''
  ? Nowhere
  : IsAny<T> extends true
    ? Found<T>
    : T extends Simple | ((...args: never) => unknown)
      ? Nowhere
      : T extends readonly unknown[]
        ? LookupElement<T, Key, Missing>
        : T extends object
          ? LookupProperty<T, Key, Missing>
          : Nowhere

/** From the results of all members of a union to what they found. */
type Unwrap<Result, Missing> = Result extends Found<infer T> ? T : Missing

/** What is at the end of a path, wrapped in Found, or Nowhere. */
type Walk<Root, Path extends string, Missing> = Path extends `${infer Key}.${infer Rest}`
  ? [Lookup<Root, Key, undefined>] extends [Nowhere]
    ? Nowhere
    : Walk<Unwrap<Lookup<Root, Key, undefined>, undefined>, Rest, Missing>
  : [Lookup<Root, Path, Missing>] extends [Nowhere]
    ? Nowhere
    : Found<Unwrap<Lookup<Root, Path, Missing>, Missing>>

/** The path of a text that is not known while compiling may lead anywhere. */
type IsKnown<Path extends string> = string extends Path ? false : true

/** Path if it leads somewhere in Root, otherwise never. */
export type ValidPath<Root, Path extends string> =
  IsKnown<Path> extends true
    ? Path extends unknown
      ? Walk<Root, Path, undefined> extends Nowhere
        ? never
        : Path
      : never
    : never

/** What can be found at the end of a path; never if the path is not valid. */
export type PathValue<Root, Path extends string> =
  IsKnown<Path> extends true ? Unwrap<Walk<Root, Path, undefined>, never> : never

/** What may be put at the end of a path; never if the path is not valid. */
export type PathInput<Root, Path extends string> =
  IsKnown<Path> extends true ? Unwrap<Walk<Root, Path, never>, never> : never

// ---------------------------------------------------------------------------------------------
// Functions

type Container = Record<string, unknown> | unknown[]

function isContainer(value: unknown): value is Container {
  return typeof value === 'object' && value !== null
}

function isIndex(key: string): boolean {
  return /^(?:0|[1-9][0-9]*)$/.test(key)
}

function hasKey(container: Container, key: string): boolean {
  return (isIndex(key) || !Array.isArray(container)) && Object.hasOwn(container, key)
}

function read(container: Container, key: string): unknown {
  return hasKey(container, key) ? (container as Record<string, unknown>)[key] : undefined
}

export function getPath<Root, Path extends string>(
  root: Root,
  path: Path & ValidPath<Root, Path>,
): PathValue<Root, Path> {
  let value: unknown = root
  for (const key of path.split('.')) {
    value = key !== '' && isContainer(value) ? read(value, key) : undefined
  }
  return value as PathValue<Root, Path>
}

function define(container: Container, key: string | symbol, value: unknown): void {
  Object.defineProperty(container, key, {
    value,
    writable: true,
    enumerable: true,
    configurable: true,
  })
}

/** A copy that can be changed, even if the original is frozen. */
function shallowCopy(container: Container): Container {
  if (Array.isArray(container)) return container.slice()
  const copy = Object.create(Object.getPrototypeOf(container) as object | null) as Container
  for (const key of Reflect.ownKeys(container)) {
    const isEnumerable = Object.prototype.propertyIsEnumerable.call(container, key)
    if (isEnumerable) define(copy, key, Reflect.get(container, key))
  }
  return copy
}

function assign(value: unknown, keys: readonly string[], depth: number, input: unknown): unknown {
  if (depth === keys.length) return input
  const key = keys[depth]!

  let container: Container
  if (value === null || value === undefined) container = isIndex(key) ? [] : {}
  else if (isContainer(value)) container = value
  else throw new TypeError(`Cannot set ${JSON.stringify(key)} of a ${typeof value}`)

  if (Array.isArray(container)) {
    if (!isIndex(key)) throw new TypeError(`Not an index: ${JSON.stringify(key)}`)
    if (Number(key) > container.length) {
      throw new RangeError(`Index ${key} is beyond the length ${container.length} of the array`)
    }
  }

  const old = read(container, key)
  const changed = assign(old, keys, depth + 1, input)
  if (Object.is(changed, old) && hasKey(container, key)) return container
  const copy = shallowCopy(container)
  define(copy, key, changed)
  return copy
}

export function setPath<Root, Path extends string>(
  root: Root,
  path: Path & ValidPath<Root, Path>,
  value: PathInput<Root, Path>,
): Root {
  const keys = path.split('.')
  if (keys.includes('')) throw new TypeError('A key must not be empty')
  if (keys.includes('__proto__')) throw new TypeError('The key __proto__ is not allowed')
  return assign(root, keys, 0, value) as Root
}
