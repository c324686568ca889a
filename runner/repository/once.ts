/** Calls `make` until it has returned; what it returned is the answer from then on. */
export function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: { value: T } | null = null
  return async () => {
    made ??= { value: await make() }
    return made.value
  }
}
