import { AppError } from '#lib/errors.ts'

/** Bodies that are read into memory at the same time; one of the largest takes a few hundred megabytes. */
const MOST_AT_ONCE = 2
const MOST_WAITING = 20
const RETRY_MS = 15_000

let working = 0
const waiting: (() => void)[] = []

/** Does a heavy piece of work when there is room for it. Throws an AppError (too-many-requests) when many wait already. */
export async function takeTurn<T>(work: () => Promise<T>): Promise<T> {
  if (working >= MOST_AT_ONCE) {
    if (waiting.length >= MOST_WAITING) throw crowded()
    await new Promise<void>((resolve) => waiting.push(resolve))
  } else working++
  try {
    return await work()
  } finally {
    // Whoever waits takes over the place as it is.
    const next = waiting.shift()
    if (next) next()
    else working--
  }
}

function crowded(): AppError {
  const message = 'Too many concurrent uploads: nothing was stored, send it again.'
  return new AppError('too-many-requests', message, { retryAfterMs: RETRY_MS })
}
