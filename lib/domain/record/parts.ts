/** The parts of lists that were put together from some. */
const partsOf = new WeakMap<object, unknown>()

/**
 * One list of parts that never change: what `inParts` found in a part is found once, however often the part stands in a
 * new list. A board of a million episodes asks for the same few things whenever one more arrives.
 */
export function joinParts<T>(parts: readonly (readonly T[])[]): readonly T[] {
  const filled = parts.filter((part) => part.length > 0)
  const list = concatLists(filled)
  partsOf.set(list, filled)
  return list
}

/** One list of all members, many times as fast as `flat()`. */
export function concatLists<T>(lists: readonly (readonly T[])[]): T[] {
  const all: T[] = []
  for (const list of lists) for (const one of list) all.push(one)
  return all
}

/** The parts of a joined list; of any other, the list itself. */
export function listParts<T>(list: readonly T[]): readonly (readonly T[])[] {
  return (partsOf.get(list) as readonly (readonly T[])[] | undefined) ?? [list]
}

/** Members of a part that small ones are merged to, on average. */
const MERGED = 128

/**
 * The same members in fewer parts: small neighbours are merged, so that a row of hundreds of runs has a few parts. Where a
 * merged part ends follows from the `name` of a part's first member and from its size alone, so that one more part
 * changes only the one that it falls into.
 */
export function mergeNeighbours<T>(
  parts: readonly (readonly T[])[],
  name: (first: T) => string,
): (readonly T[])[] {
  const groups: (readonly T[])[][] = [[]]
  for (const part of parts) {
    const [first] = part
    if (first === undefined) continue
    groups.at(-1)?.push(part)
    if (spread(name(first)) % MERGED < part.length) groups.push([])
  }
  return groups.filter((group) => group.length > 0).map(mergeParts)
}

const mergedParts = new WeakMap<object, { parts: readonly object[]; whole: unknown }>()

/** One part of several that never change: the same one whenever it is asked for. */
export function mergeParts<T>(parts: readonly (readonly T[])[]): readonly T[] {
  const [first = []] = parts
  if (parts.length < 2) return first
  const known = mergedParts.get(first)
  const isSame =
    known?.parts.length === parts.length && parts.every((part, at) => part === known.parts[at])
  if (isSame) return known.whole as readonly T[]
  const whole = parts.flat()
  mergedParts.set(first, { parts, whole })
  return whole
}

/** A number that looks drawn, always the same for a text (FNV-1a). */
function spread(text: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return (hash ^ (hash >>> 15)) >>> 0
}

/**
 * What `find` says of each part of a list, in their order. It is asked once for a part and a `key`: what it looks at
 * besides the part.
 */
export function inParts<T extends object, Found, Key = undefined>(
  find: (part: readonly T[], key: Key) => Found,
): (list: readonly T[], ...key: undefined extends Key ? [] : [Key]) => Found[] {
  const known = new WeakMap<readonly T[], { key: Key; found: Found }>()
  return (list, ...keys) => {
    const key = keys[0] as Key
    const parts = partsOf.get(list) as readonly (readonly T[])[] | undefined
    // Only parts are known not to change.
    if (parts === undefined) return [find(list, key)]
    return parts.map((part) => {
      const before = known.get(part)
      if (before !== undefined && before.key === key) return before.found
      const found = find(part, key)
      known.set(part, { key, found })
      return found
    })
  }
}

/** The members of a list that `isWanted` takes, in their order. */
export function filterInParts<T extends object, Key = undefined>(
  isWanted: (value: T, key: Key) => boolean,
): (list: readonly T[], ...key: undefined extends Key ? [] : [Key]) => readonly T[] {
  const find = inParts((part: readonly T[], key: Key) => part.filter((one) => isWanted(one, key)))
  return (list, ...key) => {
    const found = find(list, ...key)
    return partsOf.has(list) ? joinParts(found) : (found[0] as readonly T[])
  }
}

/**
 * How many different keys lists have together. The keys of all but the last are put together once for as long as they are
 * the same lists: a run under way adds to the last part of its row alone.
 */
export function countDistinct(lists: readonly (readonly string[])[]): number {
  const filled = lists.filter((list) => list.length > 0)
  const before = uniteKeys(filled.slice(0, -1))
  const added = new Set(filled.at(-1))
  let count = before.size
  for (const key of added) if (!before.has(key)) count++
  return count
}

const unions = new WeakMap<object, { lists: readonly object[]; keys: ReadonlySet<string> }>()

function uniteKeys(lists: readonly (readonly string[])[]): ReadonlySet<string> {
  const [first] = lists
  if (first === undefined) return new Set()
  const known = unions.get(first)
  if (known?.lists.length === lists.length && lists.every((list, at) => list === known.lists[at]))
    return known.keys
  const keys = new Set<string>()
  for (const list of lists) for (const key of list) keys.add(key)
  unions.set(first, { lists, keys })
  return keys
}
