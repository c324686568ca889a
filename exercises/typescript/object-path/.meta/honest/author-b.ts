/** What a key leads to: the type that can be read there, and the one that may be put there. */
interface Place<Read, Input> {
  readonly read: Read
  readonly input: Input
}

type Declared<T> = Place<T, T>

/** Something that has been declared for any number of keys, each of which can be missing. */
type CanBeMissing<T> = Place<T | undefined, T>

type Simple = string | number | boolean | bigint | symbol | null | undefined

/** The keys that are declared one by one, not by an index signature. */
type NamedKeys<T> = keyof {
  [Key in keyof T as {} extends Record<Key, 1> ? never : Key]: T[Key]
}

/** The place of a key in each member of a union that has it. Never if none does. */
type PlaceOf<Value, Key extends string> = Key extends ''
  ? never
  : string extends Key
    ? never
    : 0 extends 1 & Value
      ? Declared<any>
      : Value extends Simple | Function
        ? never
        : Value extends readonly unknown[]
          ? PlaceInArray<Value, Key>
          : Value extends object
            ? PlaceInObject<Value, Key>
            : never

type PlaceInArray<List extends readonly unknown[], Key extends string> = Key extends `${number}`
  ? Key extends keyof List
    ? Declared<List[Key]>
    : number extends List['length']
      ? CanBeMissing<List[ToNumber<Key>]>
      : never
  : never

type ToNumber<Key extends string> = Key extends `${infer Numeric extends number}` ? Numeric : number

type PlaceInObject<Value extends object, Key extends string> = Key extends NamedKeys<Value>
  ? Declared<Value[Key & keyof Value]>
  : Key extends `${infer Numeric extends number}`
    ? Numeric extends NamedKeys<Value>
      ? Declared<Value[Numeric & keyof Value]>
      : PlaceBySignature<Value, Key, Numeric>
    : PlaceBySignature<Value, Key, never>

type PlaceBySignature<Value extends object, Key extends string, Numeric extends number> = Key extends keyof Value
  ? CanBeMissing<Value[Key]>
  : [Numeric] extends [never]
    ? never
    : Numeric extends keyof Value
      ? CanBeMissing<Value[Numeric]>
      : never

/** Undefined if there is a member of the union that does not have the key. */
type Without<Value, Key extends string> = Value extends unknown
  ? [PlaceOf<Value, Key>] extends [never]
    ? undefined
    : never
  : never

type Read<Value, Key extends string> = PlaceOf<Value, Key>['read'] | Without<Value, Key>

/** Path if it leads somewhere in Root, otherwise never. */
export type ValidPath<Root, Path extends string> = Path extends unknown
  ? Leads<Root, Path> extends true
    ? Path
    : never
  : never

type Leads<Value, Path extends string> = Path extends `${infer Key}.${infer Rest}`
  ? [PlaceOf<Value, Key>] extends [never]
    ? false
    : Leads<Read<Value, Key>, Rest>
  : [PlaceOf<Value, Path>] extends [never]
    ? false
    : true

/** What can be found at the end of a path; never if the path is not valid. */
export type PathValue<Root, Path extends string> = Path extends `${infer Key}.${infer Rest}`
  ? [PlaceOf<Root, Key>] extends [never]
    ? never
    : PathValue<Read<Root, Key>, Rest>
  : [PlaceOf<Root, Path>] extends [never]
    ? never
    : Read<Root, Path>

/** What may be put at the end of a path; never if the path is not valid. */
export type PathInput<Root, Path extends string> = Path extends `${infer Key}.${infer Rest}`
  ? [PlaceOf<Root, Key>] extends [never]
    ? never
    : PathInput<Read<Root, Key>, Rest>
  : PlaceOf<Root, Path>['input']

export function getPath<Root, Path extends string>(
  root: Root,
  path: Path & ValidPath<Root, Path>,
): PathValue<Root, Path> {
  const found = path
    .split('.')
    .reduce<unknown>((value, key) => (hasKey(value, key) ? value[key] : undefined), root)
  return found as PathValue<Root, Path>
}

export function setPath<Root, Path extends string>(
  root: Root,
  path: Path & ValidPath<Root, Path>,
  value: PathInput<Root, Path>,
): Root {
  const keys = path.split('.')
  const refused = keys.find((key) => key === '' || key === '__proto__')
  if (refused !== undefined) throw new TypeError(`${JSON.stringify(refused)} cannot be a key of a path`)
  return withValue(root, keys, value) as Root
}

function isIndex(key: string): boolean {
  return /^(?:0|[1-9][0-9]*)$/.test(key)
}

/** Whether this is an object or array that has the key itself. */
function hasKey(container: unknown, key: string): container is Record<string, unknown> {
  return (
    typeof container === 'object' &&
    container !== null &&
    key !== '' &&
    (!Array.isArray(container) || isIndex(key)) &&
    Object.hasOwn(container, key)
  )
}

/** The value that belongs in the place of `target`, or `target` itself if nothing is to be changed. */
function withValue(target: unknown, [key, ...rest]: readonly string[], value: unknown): unknown {
  if (key === undefined) return value
  const container = target ?? (isIndex(key) ? [] : {})
  checkPlace(container, key)

  const exists = hasKey(container, key)
  const before = exists ? container[key] : undefined
  const after = withValue(before, rest, value)
  return exists && Object.is(before, after) ? target : copyWith(container, key, after)
}

function checkPlace(container: unknown, key: string): asserts container is object {
  if (typeof container !== 'object') {
    throw new TypeError(`There can be no ${JSON.stringify(key)} in a ${typeof container}`)
  }
  if (!Array.isArray(container)) return
  if (!isIndex(key)) throw new TypeError(`${JSON.stringify(key)} is not an index`)
  if (Number(key) > container.length) {
    throw new RangeError(`The index ${key} would leave a hole in an array`)
  }
}

function copyWith(container: object, key: string, value: unknown): object {
  if (Array.isArray(container)) {
    const copy: unknown[] = container.slice()
    copy[Number(key)] = value
    return copy
  }
  return Object.getPrototypeOf(container) === null
    ? { __proto__: null, ...container, [key]: value }
    : { ...container, [key]: value }
}
