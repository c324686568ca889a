/** Returns the value at a path of a parsed JSON value of unknown shape; undefined if a step is missing. */
export function at(value: unknown, ...path: (string | number)[]): unknown {
  let here = value
  for (const step of path) {
    if (typeof here !== 'object' || here === null) return undefined
    here = (here as Record<string | number, unknown>)[step]
  }
  return here
}

/** Returns the text at the path, or null. */
export function textAt(value: unknown, ...path: (string | number)[]): string | null {
  const found = at(value, ...path)
  return typeof found === 'string' && found !== '' ? found : null
}

/** Returns the count at the path (a non-negative integer), or null. */
export function countAt(value: unknown, ...path: (string | number)[]): number | null {
  const found = at(value, ...path)
  return Number.isSafeInteger(found) && (found as number) >= 0 ? (found as number) : null
}

/** Returns the list at the path, or an empty one. */
export function listAt(value: unknown, ...path: (string | number)[]): readonly unknown[] {
  const found = at(value, ...path)
  return Array.isArray(found) ? found : []
}
