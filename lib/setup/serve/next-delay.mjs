// @ts-check
const FIRST_MS = 1000
const LONGEST_MS = 30_000
const STEADY_MS = 60_000

/**
 * How long to wait before starting a child again: doubles while it keeps dying young, starts over once it ran steadily.
 * @param {number} lastDelayMs 0 = it has not been restarted yet
 * @param {number} livedMs
 */
export function nextDelay(lastDelayMs, livedMs) {
  if (lastDelayMs === 0 || livedMs >= STEADY_MS) return FIRST_MS
  return Math.min(lastDelayMs * 2, LONGEST_MS)
}
