/** Groups values by key, in order. `isAlike` = two successive ones certainly share a key, which avoids computing it. */
export function groupBy<T, Key = string>(
  values: readonly T[],
  keyOf: (value: T) => Key,
  isAlike: (one: T, next: T) => boolean = () => false,
): Map<Key, T[]> {
  const groups = new Map<Key, T[]>()
  let group: T[] = []
  let before: T | undefined
  for (const value of values) {
    if (before === undefined || !isAlike(before, value)) {
      const key = keyOf(value)
      group = groups.get(key) ?? []
      groups.set(key, group)
    }
    group.push(value)
    before = value
  }
  return groups
}

/** Counts equal values, in the order of their first appearance. */
export function countEach<T>(values: Iterable<T>): Map<T, number> {
  const counts = new Map<T, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  return counts
}

/** `lists.flat()` in a fifth of the time, for thousands of values. */
export function joinLists<T>(lists: Iterable<readonly T[]>): T[] {
  const all: T[] = []
  for (const list of lists) for (const value of list) all.push(value)
  return all
}
