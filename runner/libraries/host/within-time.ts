/** A wait that exceeded its limit. */
export class TookTooLongError extends Error {}

/**
 * Returns the result of `work`, or throws after `limitMs` milliseconds: a library that hangs becomes an error. A later
 * result is ignored.
 */
export async function withinTime<T>(work: Promise<T>, limitMs: number, what: string): Promise<T> {
  work.catch(() => {}) // a failure after the limit is ignored
  let timer: NodeJS.Timeout | undefined
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new TookTooLongError(`${what} did not finish within ${limitMs} ms`)),
      limitMs,
    )
  })
  try {
    return await Promise.race([work, limit])
  } finally {
    clearTimeout(timer)
  }
}
