/** What stands where a number is not known: never a zero. */
export const UNKNOWN = '–'

const grouped = new Intl.NumberFormat('en-US')

/** 12345 → `12,345`. */
export function formatCount(value: number | null): string {
  return value === null ? UNKNOWN : grouped.format(value)
}

/** A rate of 0–1 as per cent with one decimal, without the unit: 0.8412 → `84.1`. */
export function formatPercent(rate: number | null): string {
  return rate === null ? UNKNOWN : (rate * 100).toFixed(1)
}

/** `64.1–95.5 %`, or a dash when the interval cannot be said. */
export function formatInterval(low: number | null, high: number | null): string {
  if (low === null || high === null) return UNKNOWN
  return `${formatPercent(low)}–${formatPercent(high)} %`
}

/** Short form for a dense column: 1234 → `1.2k`, 3_400_000 → `3.4M`. */
export function formatCompact(value: number | null): string {
  if (value === null) return UNKNOWN
  if (value < 1000) return String(Math.round(value))
  const [divisor, unit] = value < 999_950 ? [1e3, 'k'] : [1e6, 'M']
  return `${(value / divisor).toFixed(1)}${unit}`
}

/** Millionths of a dollar as dollars, without the unit: 41_250 → `0.041`. */
export function formatUsd(microUsd: number | null): string {
  if (microUsd === null) return UNKNOWN
  const usd = microUsd / 1e6
  if (usd === 0) return '0'
  if (usd < 0.0005) return '<0.001'
  return usd < 1 ? usd.toFixed(3) : usd.toFixed(2)
}

/** 1536 → `1.5 kB`; powers of 1000. */
export function formatBytes(bytes: number | null): string {
  if (bytes === null) return UNKNOWN
  if (bytes < 1000) return `${bytes} B`
  const units = ['kB', 'MB', 'GB', 'TB']
  const power = Math.min(Math.floor(Math.log10(bytes) / 3), units.length)
  return `${(bytes / 1000 ** power).toFixed(1)} ${units[power - 1]}`
}

/** `1 task`, `25 tasks`. */
export function plural(count: number, one: string, many = `${one}s`): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`
}
