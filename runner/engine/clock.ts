/** Time as the runner sees it: wall time for the record, monotonic milliseconds for durations. */
export type Clock = { now: () => string; monotonicMs: () => number }

export const systemClock: Clock = {
  now: () => new Date().toISOString(),
  monotonicMs: () => performance.now(),
}

/** Returns when something that took so long ended: now, or later if the clock was set back before its start. */
export function endAfter(clock: Pick<Clock, 'now'>, startedAt: string, tookMs: number): string {
  const min = Date.parse(startedAt) + Math.floor(tookMs)
  return new Date(Math.max(min, Date.parse(clock.now()))).toISOString()
}

/** Runs a phase and measures its time in milliseconds, to one decimal. */
export async function timeOf<T>(
  clock: Clock,
  run: () => Promise<T>,
): Promise<{ value: T; durationMs: number }> {
  const start = clock.monotonicMs()
  const value = await run()
  return { value, durationMs: Math.round((clock.monotonicMs() - start) * 10) / 10 }
}
