/** Time as the runner sees it: wall time for the record, monotonic milliseconds for durations. */
export type Clock = { now: () => string; monotonicMs: () => number }

export const systemClock: Clock = {
  now: () => new Date().toISOString(),
  monotonicMs: () => performance.now(),
}

/** Runs a phase and measures its time, in milliseconds with a tenth. */
export async function timeOf<T>(
  clock: Clock,
  run: () => Promise<T>,
): Promise<{ value: T; durationMs: number }> {
  const start = clock.monotonicMs()
  const value = await run()
  return { value, durationMs: Math.round((clock.monotonicMs() - start) * 10) / 10 }
}
