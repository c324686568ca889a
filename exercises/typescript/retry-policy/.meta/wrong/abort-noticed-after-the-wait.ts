// Looks at the signal only before each attempt, so an abort has to sit the wait out.
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

type GiveUpReason = 'attempts' | 'elapsed'
type Task<T> = (attempt: Attempt) => T | PromiseLike<T>
type Fallback<F> = (error: RetryError) => F | PromiseLike<F>

export class RetryError extends Error {
  override readonly name = 'RetryError'
  readonly reason: GiveUpReason
  /** What the task failed with, in order. */
  readonly errors: readonly unknown[]

  constructor(reason: GiveUpReason, errors: readonly unknown[]) {
    const attempts = errors.length === 1 ? '1 attempt' : `${errors.length} attempts`
    super(`Gave up after ${attempts}: ${reason}`, { cause: errors.at(-1) })
    this.reason = reason
    this.errors = errors
  }
}

export function retry<T, F>(
  task: Task<T>,
  options: RetryOptions & { readonly fallback: Fallback<F> },
): Promise<T | F>
export function retry<T>(task: Task<T>, options: RetryOptions): Promise<T>
export async function retry<T, F>(
  task: Task<T>,
  options: RetryOptions & { readonly fallback?: Fallback<F> },
): Promise<T | F> {
  const { maxAttempts, signal, shouldRetry = () => true, fallback } = options
  if (!Number.isInteger(maxAttempts) || maxAttempts < 1) {
    throw new RangeError(`maxAttempts must be an integer of at least 1: ${maxAttempts}`)
  }
  signal?.throwIfAborted()

  const startedAt = options.now()
  const errors: unknown[] = []
  const giveUp = (reason: GiveUpReason): F | PromiseLike<F> => {
    const error = new RetryError(reason, errors)
    if (fallback) return fallback(error)
    throw error
  }

  for (let number = 1; ; number += 1) {
    try {
      return await task({ number, signal })
    } catch (error) {
      errors.push(error)
      signal?.throwIfAborted()
      if (!shouldRetry(error, number)) throw error
    }
    if (number === maxAttempts) return giveUp('attempts')

    const delayMs = computeDelay(number, errors.at(-1), options)
    if (options.now() + delayMs - startedAt > (options.maxElapsedMs ?? Number.POSITIVE_INFINITY)) {
      return giveUp('elapsed')
    }
    await options.sleep(delayMs)
    signal?.throwIfAborted()
  }
}

function computeDelay(failures: number, error: unknown, options: RetryOptions): number {
  const { baseDelayMs, maxDelayMs, jitter = 0, random = Math.random } = options
  const backoffMs = Math.min(baseDelayMs * 2 ** (failures - 1), maxDelayMs)
  return Math.max(backoffMs * (1 - jitter * random()), askedPatienceMs(error))
}

function askedPatienceMs(error: unknown): number {
  if (typeof error !== 'object' || error === null || !('retryAfterMs' in error)) return 0
  const { retryAfterMs } = error
  return typeof retryAfterMs === 'number' && Number.isFinite(retryAfterMs) ? retryAfterMs : 0
}
