export type ArrayStrategy = 'replace' | 'concat'

export interface MergeOptions<Arrays extends ArrayStrategy> {
  arrays?: Arrays
}

type AnyArray = readonly unknown[]

/** What is of type object, but not a plain object. */
type NotPlain = AnyArray | Function | Date | RegExp | Map<any, any> | Set<any>

type IsAny<T> = 0 extends 1 & T ? true : false

type Flatten<T> = { [Key in keyof T]: T[Key] }

/** The keys that have been declared one by one, not by an index signature. */
type DeclaredKeys<T> = keyof {
  [Key in keyof T as {} extends Record<Key, 1> ? never : Key]: T[Key]
}

type Without<T, Keys> = { [Key in keyof T as Key extends Keys ? never : Key]: T[Key] }

type MergeObjects<Base, Override, Arrays extends ArrayStrategy> = Flatten<
  Without<Base, keyof Override> &
    Without<Override, keyof Base> & {
      [Key in keyof Base & keyof Override]: MergeProperty<
        Base[Key],
        Override[Key],
        Arrays,
        // Under an index signature any of the two values may be missing.
        Key extends DeclaredKeys<Base> ? never : Override[Key],
        Key extends DeclaredKeys<Override> ? never : Base[Key]
      >
    }
>

type MergeProperty<Base, Override, Arrays extends ArrayStrategy, ExtraOverride, ExtraBase> =
  | (undefined extends Override
      ? Base | MergeValues<Base, Exclude<Override, undefined>, Arrays>
      : MergeValues<Base, Override, Arrays>)
  | ExtraOverride
  | ExtraBase

type MergeValues<Base, Override, Arrays extends ArrayStrategy> =
  IsAny<Override> extends true
    ? Override
    : IsAny<Base> extends true
      ? Override
      : [Base] extends [never]
        ? Override
        : MergeMembers<Base, Override, Arrays>

/** Distributes over the members of both types. */
type MergeMembers<Base, Override, Arrays extends ArrayStrategy> = Override extends unknown
  ? Base extends unknown
    ? MergePair<Base, Override, Arrays>
    : never
  : never

type MergePair<Base, Override, Arrays extends ArrayStrategy> = Override extends AnyArray
  ? Base extends AnyArray
    ? Arrays extends 'concat'
      ? (Base[number] | Override[number])[]
      : Override
    : Override
  : Override extends NotPlain
    ? Override
    : Override extends object
      ? Base extends NotPlain
        ? Override
        : Base extends object
          ? MergeObjects<Base, Override, Arrays>
          : Override
      : Override

export type DeepMerge<Base, Override, Arrays extends ArrayStrategy = 'replace'> =
  Base extends unknown
    ? Override extends unknown
      ? MergeObjects<Base, Override, Arrays>
      : never
    : never

type PlainObject = Record<string, unknown>

function isPlainObject(value: unknown): value is PlainObject {
  if (typeof value !== 'object' || value === null) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

function keysOf(object: PlainObject): string[] {
  return Object.keys(object).filter((key) => key !== '__proto__')
}

function hasKey(object: PlainObject, key: string): boolean {
  return Object.prototype.propertyIsEnumerable.call(object, key)
}

function copy(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copy)
  if (!isPlainObject(value)) return value
  const result: PlainObject = {}
  for (const key of keysOf(value)) result[key] = copy(value[key])
  return result
}

function mergeObjects(base: PlainObject, override: PlainObject, arrays: ArrayStrategy): PlainObject {
  const result: PlainObject = {}
  for (const key of keysOf(base)) {
    const value = hasKey(override, key) ? override[key] : undefined
    result[key] = value === undefined ? copy(base[key]) : mergeValues(base[key], value, arrays)
  }
  for (const key of keysOf(override)) {
    if (hasKey(base, key)) continue
    const value = override[key]
    if (value !== undefined) result[key] = copy(value)
  }
  return result
}

function mergeValues(base: unknown, override: unknown, arrays: ArrayStrategy): unknown {
  if (isPlainObject(base) && isPlainObject(override)) return mergeObjects(base, override, arrays)
  if (arrays === 'concat' && Array.isArray(base) && Array.isArray(override)) {
    return base.map(copy).concat(override.map(copy))
  }
  return copy(override)
}

export function deepMerge<
  Base extends object,
  Override extends object,
  Arrays extends ArrayStrategy = 'replace',
>(
  base: Base,
  override: Override,
  options?: MergeOptions<Arrays>,
): DeepMerge<Base, Override, Arrays> {
  const merged = mergeObjects(
    base as PlainObject,
    override as PlainObject,
    options?.arrays ?? 'replace',
  )
  return merged as DeepMerge<Base, Override, Arrays>
}
