// Wrong: the result is typed as an intersection, in which a property has both types at once. Only
// the types are wrong.
export type ArrayStrategy = 'replace' | 'concat'

export interface MergeOptions<Arrays extends ArrayStrategy> {
  arrays?: Arrays
}

export type DeepMerge<Base, Override, _Arrays extends ArrayStrategy = 'replace'> = Base & Override

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
  return Object.fromEntries(merged)
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
  return Object.fromEntries(entriesOf(value).map(([name, child]) => [name, copy(child)]))
}

/** Every walk over an object goes through here, so that no `__proto__` gets any further. */
function entriesOf(object: PlainObject): [name: string, value: unknown][] {
  return Object.entries(object).filter(([name]) => name !== '__proto__')
}

function isPlainObject(value: unknown): value is PlainObject {
  if (typeof value !== 'object' || value === null) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}
