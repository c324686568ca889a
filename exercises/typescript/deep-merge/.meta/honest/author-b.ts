export type ArrayStrategy = 'replace' | 'concat'

export interface MergeOptions<Arrays extends ArrayStrategy> {
  arrays?: Arrays
}

type List = readonly unknown[]

type NotPlain =
  | List
  | Function
  | Date
  | RegExp
  | ReadonlyMap<unknown, unknown>
  | ReadonlySet<unknown>

type IsPlain<T> = T extends object ? (T extends NotPlain ? false : true) : false

/** Turns an intersection into one plain object type. */
type Flat<T> = { [Key in keyof T]: T[Key] }

type IsAny<T> = 0 extends 1 & T ? true : false

/** What becomes of two values that both exist. Unions are merged member by member. */
type Merged<Base, Override, Arrays extends ArrayStrategy> = true extends IsAny<Base> | IsAny<Override>
  ? Override
  : [Base] extends [never]
    ? Override
    : Base extends unknown
      ? Override extends unknown
        ? MergedOne<Base, Override, Arrays>
        : never
      : never

type MergedOne<Base, Override, Arrays extends ArrayStrategy> = [
  IsPlain<Base>,
  IsPlain<Override>,
] extends [true, true]
  ? DeepMerge<Base, Override, Arrays>
  : [Base, Override] extends [List, List]
    ? MergedLists<Base, Override, Arrays>
    : Override

type MergedLists<Base, Override, Arrays extends ArrayStrategy> = Arrays extends 'concat'
  ? (ElementOf<Base> | ElementOf<Override>)[]
  : Override

type ElementOf<T> = T extends readonly (infer Element)[] ? Element : never

/** An undefined value of `Override` leaves that of `Base` as it is. */
type MergedProperty<Base, Override, Arrays extends ArrayStrategy> = undefined extends Override
  ? Base | Merged<Base, Exclude<Override, undefined>, Arrays>
  : Merged<Base, Override, Arrays>

export type DeepMerge<Base, Override, Arrays extends ArrayStrategy = 'replace'> = Flat<
  { [Key in keyof Base as Key extends keyof Override ? never : Key]: Base[Key] } & {
    [Key in keyof Override as Key extends keyof Base ? never : Key]: Override[Key]
  } & {
    [Key in keyof Base & keyof Override]: MergedProperty<Base[Key], Override[Key], Arrays>
  }
>

export function deepMerge<
  Base extends object,
  Override extends object,
  Arrays extends ArrayStrategy = 'replace',
>(
  base: Base,
  override: Override,
  options: MergeOptions<Arrays> = {},
): DeepMerge<Base, Override, Arrays> {
  const combine = COMBINE_ARRAYS[options.arrays ?? 'replace']
  return mergeObjects(toRecord(base), toRecord(override), combine) as DeepMerge<
    Base,
    Override,
    Arrays
  >
}

type PlainObject = Readonly<Record<string, unknown>>

type CombineArrays = (base: List, override: List) => List

/** Both are given copies. */
const COMBINE_ARRAYS: Readonly<Record<ArrayStrategy, CombineArrays>> = {
  replace: (_, override) => override,
  concat: (base, override) => base.concat(override),
}

/** The names and values that count, in their order. */
type Entries = ReadonlyMap<string, unknown>

function entriesOf(object: PlainObject): Entries {
  return new Map(Object.entries(object).filter(([name]) => name !== '__proto__'))
}

function mergeObjects(base: PlainObject, override: PlainObject, combine: CombineArrays): PlainObject {
  const ours = entriesOf(base)
  const theirs = new Map([...entriesOf(override)].filter(([, value]) => value !== undefined))
  return Object.fromEntries([
    ...[...ours].map(([name, value]): [string, unknown] => [
      name,
      theirs.has(name) ? mergeValues(value, theirs.get(name), combine) : copy(value),
    ]),
    ...[...theirs]
      .filter(([name]) => !ours.has(name))
      .map(([name, value]): [string, unknown] => [name, copy(value)]),
  ])
}

function mergeValues(base: unknown, override: unknown, combine: CombineArrays): unknown {
  if (isPlain(base) && isPlain(override)) return mergeObjects(base, override, combine)
  if (Array.isArray(base) && Array.isArray(override)) {
    return combine(copyList(base), copyList(override))
  }
  return copy(override)
}

function copy(value: unknown): unknown {
  if (Array.isArray(value)) return copyList(value)
  if (!isPlain(value)) return value
  return Object.fromEntries([...entriesOf(value)].map(([name, inner]) => [name, copy(inner)]))
}

function copyList(list: List): List {
  return list.map(copy)
}

function isPlain(value: unknown): value is PlainObject {
  if (typeof value !== 'object' || value === null) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

function toRecord(object: object): PlainObject {
  return object as PlainObject
}
