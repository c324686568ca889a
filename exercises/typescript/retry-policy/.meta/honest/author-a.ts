export interface RetryOptions {
  /** How often the task may be called in all, at least 1. */
  readonly maxAttempts: number
  /** The wait after the first failure. */
  readonly baseDelayMs: number
  /** No computed wait is longer. */
  readonly maxDelayMs: number
  /** No wait begins that would end later than this after the start. */
  readonly maxElapsedMs?: number
  /** The largest share of a wait that chance may take off, from 0 (the default) to 1. */
  readonly jitter?: number
  /** Returns a number from 0 up to, but not including, 1. Math.random by default. */
  readonly random?: () => number
  /** Says whether a failure is worth another try. By default all are. */
  readonly shouldRetry?: (error: unknown, attempt: number) => boolean
  readonly signal?: AbortSignal
  readonly sleep: (delayMs: number) => Promise<void>
  /** The current time in milliseconds. */
  readonly now: () => number
}

export interface Attempt {
  /** 1 for the first call. */
  readonly number: number
  readonly signal: AbortSignal | undefined
}

export class RetryError extends Error {
  readonly reason: 'attempts' | 'elapsed'
  /** What the task failed with, in order. */
  readonly errors: readonly unknown[]

  constructor(reason: 'attempts' | 'elapsed', errors: readonly unknown[]) {
    const attempts = errors.length === 1 ? '1 attempt' : `${errors.length} attempts`
    super(`Gave up after ${attempts}: ${reason}`, { cause: errors.at(-1) })
    this.name = 'RetryError'
    this.reason = reason
    this.errors = [...errors]
  }
}

/** How long the error asks to wait at least. */
function requestedDelay(error: unknown): number {
  if (typeof error !== 'object' || error === null || !('retryAfterMs' in error)) return 0
  const { retryAfterMs } = error
  return typeof retryAfterMs === 'number' && Number.isFinite(retryAfterMs) && retryAfterMs >= 0
    ? retryAfterMs
    : 0
}

/** Waits, but rejects with the reason of the signal as soon as it is aborted. */
function wait(delayMs: number, { sleep, signal }: RetryOptions): Promise<void> {
  if (signal === undefined) return sleep(delayMs)
  return new Promise<void>((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason)
    const onAbort = (): void => reject(signal.reason)
    const stopListening = (): void => signal.removeEventListener('abort', onAbort)
    signal.addEventListener('abort', onAbort, { once: true })
    // The function around `sleep` catches it if it throws at once.
    new Promise<void>((done) => done(sleep(delayMs))).then(resolve, reject).finally(stopListening)
  })
}

export function retry<T, F>(
  task: (attempt: Attempt) => T | PromiseLike<T>,
  options: RetryOptions & { readonly fallback: (error: RetryError) => F | PromiseLike<F> },
): Promise<T | F>
export function retry<T>(
  task: (attempt: Attempt) => T | PromiseLike<T>,
  options: RetryOptions,
): Promise<T>
export async function retry(
  task: (attempt: Attempt) => unknown,
  options: RetryOptions & { readonly fallback?: (error: RetryError) => unknown },
): Promise<unknown> {
  const { maxAttempts, maxDelayMs, maxElapsedMs = Infinity, jitter = 0, signal } = options
  const random = options.random ?? Math.random

  if (!Number.isInteger(maxAttempts) || maxAttempts < 1) {
    throw new RangeError(`maxAttempts must be an integer of at least 1: ${maxAttempts}`)
  }
  if (signal?.aborted) throw signal.reason

  const start = options.now()
  const errors: unknown[] = []
  let backoff = options.baseDelayMs

  const giveUp = (reason: RetryError['reason']): unknown => {
    const error = new RetryError(reason, errors)
    if (options.fallback === undefined) throw error
    return options.fallback(error)
  }

  for (let number = 1; ; number++) {
    try {
      return await task({ number, signal })
    } catch (error) {
      errors.push(error)
    }
    const error = errors.at(-1)

    if (signal?.aborted) throw signal.reason
    if (options.shouldRetry?.(error, number) === false) throw error
    if (number >= maxAttempts) return giveUp('attempts')

    const computed = Math.min(backoff, maxDelayMs) * (1 - jitter * random())
    const delay = Math.max(computed, requestedDelay(error))
    if (options.now() + delay - start > maxElapsedMs) return giveUp('elapsed')

    await wait(delay, options)
    if (signal?.aborted) throw signal.reason
    backoff *= 2
  }
}
