/** Groups values by key, in order. `isAlike` = both certainly have the same key, which avoids computing it. */
export function groupBy<T>(
  values: readonly T[],
  keyOf: (value: T) => string,
  isAlike: (one: T, other: T) => boolean = () => false,
): Map<string, T[]> {
  const groups = new Map<string, T[]>()
  let last: T[] = []
  for (const value of values) {
    const [before] = last
    if (before === undefined || !isAlike(before, value)) {
      const key = keyOf(value)
      last = groups.get(key) ?? []
      groups.set(key, last)
    }
    last.push(value)
  }
  return groups
}
