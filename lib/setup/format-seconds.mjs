// @ts-check

/** `0.4 s`, `12 s`, `2 min 05 s`: as exact as a person cares. @param {number} durationMs */
export function formatSeconds(durationMs) {
  const seconds = durationMs / 1000
  if (seconds < 9.95) return `${seconds.toFixed(1)} s`
  const whole = Math.round(seconds)
  if (whole < 60) return `${whole} s`
  return `${Math.floor(whole / 60)} min ${String(whole % 60).padStart(2, '0')} s`
}
