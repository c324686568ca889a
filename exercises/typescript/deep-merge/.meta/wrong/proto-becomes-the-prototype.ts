// Wrong: properties are set by assignment without a look at their names, so __proto__ replaces the
// prototype.
export type ArrayStrategy = 'replace' | 'concat'

export interface MergeOptions<Arrays extends ArrayStrategy> {
  arrays?: Arrays
}

type AnyFunction = (...args: never[]) => unknown
type AnyMap = ReadonlyMap<unknown, unknown>
type AnySet = ReadonlySet<unknown>
type SpecialObject = readonly unknown[] | AnyFunction | Date | RegExp | AnyMap | AnySet

type Plain<T> = T extends SpecialObject ? never : T extends object ? T : never

type MergedValue<Base, Override, Arrays extends ArrayStrategy> = [Base, Override, Arrays] extends [
  readonly (infer BaseElement)[],
  readonly (infer OverrideElement)[],
  'concat',
]
  ? (BaseElement | OverrideElement)[]
  : [Base, Override] extends [Plain<Base>, Plain<Override>]
    ? DeepMerge<Base, Override, Arrays>
    : Override

type MergedProperty<Base, Override, Arrays extends ArrayStrategy> = undefined extends Override
  ? Base | MergedValue<Base, Exclude<Override, undefined>, Arrays>
  : MergedValue<Base, Override, Arrays>

type Flatten<T> = { [Key in keyof T]: T[Key] }

export type DeepMerge<Base, Override, Arrays extends ArrayStrategy = 'replace'> = Flatten<
  Omit<Base, keyof Override> &
    Omit<Override, keyof Base> & {
      [Key in keyof Base & keyof Override]: MergedProperty<Base[Key], Override[Key], Arrays>
    }
>

type PlainObject = Record<string, unknown>

export function deepMerge<
  Base extends object,
  Override extends object,
  Arrays extends ArrayStrategy = 'replace',
>(
  base: Base,
  override: Override,
  { arrays }: MergeOptions<Arrays> = {},
): DeepMerge<Base, Override, Arrays> {
  const merged = mergeObjects(base as PlainObject, override as PlainObject, arrays ?? 'replace')
  return merged as DeepMerge<Base, Override, Arrays>
}

function mergeObjects(
  base: PlainObject,
  override: PlainObject,
  arrays: ArrayStrategy,
): PlainObject {
  const merged = new Map(entriesOf(base))
  const overriding = new Map(entriesOf(override).filter(([, value]) => value !== undefined))
  for (const [name, value] of merged) {
    merged.set(
      name,
      overriding.has(name) ? mergeValues(value, overriding.get(name), arrays) : copy(value),
    )
  }
  for (const [name, value] of overriding) {
    if (!merged.has(name)) merged.set(name, copy(value))
  }
  return fromEntries(merged)
}

function mergeValues(base: unknown, override: unknown, arrays: ArrayStrategy): unknown {
  if (isPlainObject(base) && isPlainObject(override)) return mergeObjects(base, override, arrays)
  if (arrays === 'concat' && Array.isArray(base) && Array.isArray(override)) {
    return copy([...base, ...override])
  }
  return copy(override)
}

function copy(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copy)
  if (!isPlainObject(value)) return value
  return fromEntries(entriesOf(value).map(([name, child]) => [name, copy(child)]))
}

function fromEntries(entries: Iterable<[name: string, value: unknown]>): PlainObject {
  const object: PlainObject = {}
  for (const [name, value] of entries) object[name] = value
  return object
}

function entriesOf(object: PlainObject): [name: string, value: unknown][] {
  return Object.entries(object)
}

function isPlainObject(value: unknown): value is PlainObject {
  if (typeof value !== 'object' || value === null) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}
