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
    super()
    throw new Error('Remove this line and implement the function')
  }
}

export function retry(
  task: (attempt: Attempt) => unknown,
  options: RetryOptions,
): Promise<unknown> {
  throw new Error('Remove this line and implement the function')
}
