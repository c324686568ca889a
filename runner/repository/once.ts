/** Returns a function that calls `make` until it succeeds, and returns that result from then on. */
export function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: { value: T } | null = null
  return async () => {
    made ??= { value: await make() }
    return made.value
  }
}
