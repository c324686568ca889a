/** Groups values by key, in order. `isAlike` = two successive ones certainly share a key, which avoids computing it. */
export function groupBy<T>(
  values: readonly T[],
  keyOf: (value: T) => string,
  isAlike: (one: T, next: T) => boolean = () => false,
): Map<string, T[]> {
  const groups = new Map<string, T[]>()
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
