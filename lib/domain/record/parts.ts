/** The parts of each joined list. */
const partsOf = new WeakMap<object, unknown>()

/**
 * Joins parts that never change into one list. `inParts` caches its results per part, however often the part occurs in
 * a new list: a board of a million episodes needs the same few results whenever one more arrives.
 */
export function joinParts<T>(parts: readonly (readonly T[])[]): readonly T[] {
  const filled = parts.filter((part) => part.length > 0)
  const list = concatLists(filled)
  partsOf.set(list, filled)
  return list
}

/** Concatenates lists, many times as fast as `flat()`. */
export function concatLists<T>(lists: readonly (readonly T[])[]): T[] {
  const all: T[] = []
  for (const list of lists) for (const one of list) all.push(one)
  return all
}

/** Returns the parts of a joined list; for any other list, the list itself. */
export function listParts<T>(list: readonly T[]): readonly (readonly T[])[] {
  return (partsOf.get(list) as readonly (readonly T[])[] | undefined) ?? [list]
}

/** Average number of members in a merged part. */
const MERGED = 128

/**
 * Merges small neighbouring parts, so that a row of hundreds of runs has a few parts. Where a merged part ends depends
 * only on the `name` of a part's first member and on its size, so that one more part changes only the one it is merged
 * into.
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

/** Merges several parts that never change; returns the same list for the same parts. */
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

/** A pseudo-random number, always the same for a text (FNV-1a). */
function spread(text: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return (hash ^ (hash >>> 15)) >>> 0
}

/** Applies `find` to each part of a list, in order. Called once per part and `key`, the other input of `find`. */
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

/** Filters a list, keeping its order. */
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
 * Counts distinct keys over all lists. The keys of all lists but the last are merged once, as long as the lists are the
 * same: a run in progress only appends to the last part of its row.
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
