/** Two machines' clocks may differ by this much: milliseconds by which an episode may seem to start before its registration. */
export const CLOCK_TOLERANCE_MS = 30_000
