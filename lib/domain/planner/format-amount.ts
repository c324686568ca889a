/** A difference or half width of 0–1 in percentage points: 0.2134 → `21.3 points`. */
export function formatPoints(value: number): string {
  return `${(100 * value).toFixed(1)} points`
}

/** Micro-dollars as `6.30 USD`; what is not nothing never reads as nothing. */
export function formatCost(microUsd: number): string {
  const usd = microUsd / 1e6
  if (usd > 0 && usd < 0.0005) return '<0.001 USD'
  return `${usd < 1 ? usd.toFixed(3) : usd.toFixed(2)} USD`
}

/** Milliseconds for people: `84 ms`, `12.3 s`, `2 min`, `3 h 05 min`. */
export function formatSpan(ms: number): string {
  if (ms < 999.5) return `${Math.round(ms)} ms`
  if (ms < 99_950) return `${(ms / 1000).toFixed(1)} s`
  const minutes = Math.round(ms / 60_000)
  if (minutes < 60) return `${minutes} min`
  return `${Math.floor(minutes / 60)} h ${String(minutes % 60).padStart(2, '0')} min`
}
