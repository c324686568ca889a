// Wrong: whatever is missing on the way becomes an object, even when an index follows.
type KnownKeys<Holder> = keyof {
  [Key in keyof Holder as {} extends Record<Key, 1> ? never : Key]: unknown
}

/** The type that Holder declares for a key; never if no member of Holder has the key. */
type Declared<Holder, Key extends string> = Key extends ''
  ? never
  : Holder extends readonly unknown[]
    ? DeclaredElement<Holder, Key>
    : Holder extends object
      ? Key extends keyof Holder
        ? Holder[Key]
        : Key extends `${infer Index extends number & keyof Holder}`
          ? Holder[Index]
          : never
      : never

type DeclaredElement<Holder extends readonly unknown[], Key extends string> =
  number extends Holder['length']
    ? Key extends `${number}`
      ? Holder[number]
      : never
    : Key extends keyof Holder & `${number}`
      ? Holder[Key]
      : never

/** undefined if some member of Holder does not need to have the key, otherwise never. */
type IfMissing<Holder, Key extends string> = Holder extends readonly unknown[]
  ? number extends Holder['length']
    ? undefined
    : Key extends keyof Holder
      ? never
      : undefined
  : Holder extends object
    ? Key extends `${KnownKeys<Holder> & (string | number)}`
      ? never
      : undefined
    : undefined

type IsValid<Holder, Path extends string> = Path extends `${infer Key}.${infer Rest}`
  ? [Declared<Holder, Key>] extends [never]
    ? false
    : IsValid<Declared<Holder, Key>, Rest>
  : [Declared<Holder, Path>] extends [never]
    ? false
    : true

type Found<Holder, Path extends string> = Path extends `${infer Key}.${infer Rest}`
  ? Found<Declared<Holder, Key>, Rest> | IfMissing<Holder, Key>
  : Declared<Holder, Path> | IfMissing<Holder, Path>

/** Path if it leads somewhere in Root, otherwise never. */
export type ValidPath<Root, Path extends string> = IsValid<Root, Path> extends true ? Path : never

/** What can be found at the end of a path; never if the path is not valid. */
export type PathValue<Root, Path extends string> =
  IsValid<Root, Path> extends true ? Found<Root, Path> : never

/** What may be put at the end of a path; never if the path is not valid. */
export type PathInput<Root, Path extends string> = Path extends `${infer Key}.${infer Rest}`
  ? PathInput<Declared<Root, Key>, Rest>
  : Declared<Root, Path>

export function getPath<Root, Path extends string>(
  root: Root,
  path: Path & ValidPath<Root, Path>,
): PathValue<Root, Path> {
  let current: unknown = root
  for (const key of path.split('.')) {
    current = isContainer(current) && hasKey(current, key) ? current[key] : undefined
  }
  return current as PathValue<Root, Path>
}

export function setPath<Root, Path extends string>(
  root: Root,
  path: Path & ValidPath<Root, Path>,
  value: PathInput<Root, Path>,
): Root {
  const keys = path.split('.')
  if (keys.includes('__proto__')) throw new TypeError('A path must not contain __proto__')
  return replaceAt(root, keys, value) as Root
}

/** Objects and arrays; the keys of an array are its indices as texts. */
type Container = Record<string, unknown>

function replaceAt(current: unknown, keys: readonly string[], value: unknown): unknown {
  if (keys.length === 0) return value
  const [key, ...rest] = keys
  const container = current ?? {}
  if (!isContainer(container)) {
    throw new TypeError(`There can be no ${key} in a value of type ${typeof container}`)
  }
  if (Array.isArray(container)) checkIndex(container, key)

  const exists = hasKey(container, key)
  const before = exists ? container[key] : undefined
  const after = replaceAt(before, rest, value)
  if (exists && Object.is(before, after)) return current
  if (Array.isArray(container)) {
    const copy: unknown[] = container.slice()
    copy[Number(key)] = after
    return copy
  }
  return { ...container, [key]: after }
}

function checkIndex(array: readonly unknown[], key: string): void {
  if (!isIndex(key)) throw new TypeError(`${key} is not an index of an array`)
  if (Number(key) > array.length) {
    throw new RangeError(`Index ${key} would leave a hole in an array of ${array.length}`)
  }
}

function isContainer(value: unknown): value is Container {
  return typeof value === 'object' && value !== null
}

function hasKey(container: Container, key: string): boolean {
  if (Array.isArray(container)) return isIndex(key) && Number(key) < container.length
  return Object.hasOwn(container, key)
}

function isIndex(key: string): boolean {
  return /^(?:0|[1-9][0-9]*)$/.test(key)
}
