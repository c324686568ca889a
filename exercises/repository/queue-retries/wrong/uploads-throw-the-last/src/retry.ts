import { setTimeout as timer } from 'node:timers/promises'

export type RetryOptions = {
  /** Tries in all, at least 1. */
  tries: number
  /** Wait before try `attempt` (2, 3, …), in milliseconds. */
  delayMs: (attempt: number) => number
  /** Whether another try makes sense; every error if absent. */
  isRetryable?: (error: unknown) => boolean
  /** Stops waiting and trying at once. */
  signal?: AbortSignal
  sleep?: (ms: number, signal?: AbortSignal) => Promise<void>
}

/** Runs until it succeeds, cannot any more, or is stopped. */
export async function retry<T>(
  run: (attempt: number) => Promise<T>,
  { tries, delayMs, isRetryable = () => true, signal, sleep = wait }: RetryOptions,
): Promise<T> {
  if (!Number.isInteger(tries) || tries < 1) throw new RangeError(`tries must be 1 or more: ${tries}`)
  for (let attempt = 1; ; attempt++) {
    if (signal?.aborted) throw signal.reason
    try {
      return await run(attempt)
    } catch (error) {
      if (attempt === tries || !isRetryable(error)) throw error
    }
    if (signal?.aborted) throw signal.reason
    await sleep(delayMs(attempt + 1), signal)
  }
}

async function wait(ms: number, signal?: AbortSignal): Promise<void> {
  // Its own error is another than the reason, which the loop throws.
  await timer(ms, undefined, { signal }).catch(() => {})
}
