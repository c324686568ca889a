/** Which pattern took which element; who is left over on either side. */
export type Matching = { missing: number[]; unexpected: number[] }

/**
 * The largest matching between patterns and elements, each used once: a loose pattern never takes the element that only
 * a stricter one could have (augmenting paths, so the order of neither side matters). Perfect = nobody is left over.
 */
export function matchPerfectly(
  patterns: number,
  elements: number,
  fits: (pattern: number, element: number) => boolean,
): Matching {
  const candidates = Array.from({ length: patterns }, (_, pattern) =>
    Array.from({ length: elements }, (_, element) => element).filter((one) => fits(pattern, one)),
  )
  const takenBy = new Map<number, number>()
  const missing = candidates.flatMap((_, pattern) => (place(pattern, new Set()) ? [] : [pattern]))
  const unexpected = Array.from({ length: elements }, (_, one) => one).filter(
    (one) => !takenBy.has(one),
  )
  return { missing, unexpected }

  function place(pattern: number, tried: Set<number>): boolean {
    for (const element of candidates[pattern] ?? []) {
      if (tried.has(element)) continue
      tried.add(element)
      const holder = takenBy.get(element)
      if (holder === undefined || place(holder, tried)) {
        takenBy.set(element, pattern)
        return true
      }
    }
    return false
  }
}
