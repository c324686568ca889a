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

export class RetryError extends Error {
  readonly reason: 'attempts' | 'elapsed'
  /** What the task failed with, in order. */
  readonly errors: readonly unknown[]

  constructor(reason: 'attempts' | 'elapsed', errors: readonly unknown[]) {
    const calls = `${errors.length} ${errors.length === 1 ? 'attempt' : 'attempts'}`
    super(`Gave up after ${calls}: ${reason}`, { cause: errors.at(-1) })
    this.name = 'RetryError'
    this.reason = reason
    this.errors = [...errors]
  }
}

/** What follows a failure. */
type Verdict =
  | { readonly kind: 'reject'; readonly reason: unknown }
  | { readonly kind: 'give-up'; readonly reason: GiveUpReason }
  | { readonly kind: 'wait'; readonly delayMs: number }

type Outcome<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly error: unknown }

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
  const { maxAttempts, maxDelayMs, signal } = options
  if (!Number.isInteger(maxAttempts) || maxAttempts < 1) {
    throw new RangeError(`maxAttempts must be an integer of at least 1, not ${maxAttempts}`)
  }
  if (signal?.aborted) throw signal.reason

  const startedAt = options.now()
  const errors: unknown[] = []
  let computedMs = Math.min(options.baseDelayMs, maxDelayMs)

  for (let number = 1; ; number++) {
    const outcome = await settle(() => task({ number, signal }))
    if (outcome.ok) return outcome.value
    errors.push(outcome.error)

    const verdict = judge(options, outcome.error, number, startedAt, computedMs)
    switch (verdict.kind) {
      case 'reject':
        throw verdict.reason
      case 'give-up': {
        const error = new RetryError(verdict.reason, errors)
        if (options.fallback === undefined) throw error
        return options.fallback(error)
      }
      case 'wait':
        await wait(options, verdict.delayMs)
        computedMs = Math.min(computedMs * 2, maxDelayMs)
    }
  }
}

async function settle(work: () => unknown): Promise<Outcome<unknown>> {
  try {
    return { ok: true, value: await work() }
  } catch (error) {
    return { ok: false, error }
  }
}

/** The questions that are asked after each failure, in their order. */
function judge(
  options: RetryOptions,
  error: unknown,
  number: number,
  startedAt: number,
  computedMs: number,
): Verdict {
  const { maxAttempts, maxElapsedMs, signal } = options
  if (signal?.aborted) return { kind: 'reject', reason: signal.reason }
  if (options.shouldRetry?.(error, number) === false) return { kind: 'reject', reason: error }
  if (number >= maxAttempts) return { kind: 'give-up', reason: 'attempts' }
  const delayMs = dueDelay(options, error, computedMs)
  if (maxElapsedMs !== undefined && options.now() - startedAt + delayMs > maxElapsedMs) {
    return { kind: 'give-up', reason: 'elapsed' }
  }
  return { kind: 'wait', delayMs }
}

function dueDelay(options: RetryOptions, error: unknown, computedMs: number): number {
  const chance = options.random === undefined ? Math.random() : options.random()
  return Math.max(computedMs * (1 - (options.jitter ?? 0) * chance), requestedDelay(error))
}

/** How much patience the service has asked for, 0 if it has not. */
function requestedDelay(error: unknown): number {
  if ((typeof error !== 'object' && typeof error !== 'function') || error === null) return 0
  if (!('retryAfterMs' in error)) return 0
  const { retryAfterMs } = error
  return typeof retryAfterMs === 'number' && Number.isFinite(retryAfterMs) && retryAfterMs >= 0
    ? retryAfterMs
    : 0
}

/** One call of `sleep`, from which an abort breaks away at once. */
async function wait(options: RetryOptions, delayMs: number): Promise<void> {
  const { signal } = options
  if (signal === undefined) return options.sleep(delayMs)
  if (signal.aborted) throw signal.reason

  let onAbort = (): void => {}
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => reject(signal.reason)
    signal.addEventListener('abort', onAbort)
  })
  aborted.catch(() => {}) // Nobody may be racing any more when it rejects.
  try {
    await Promise.race([aborted, options.sleep(delayMs)])
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
  if (signal.aborted) throw signal.reason
}
