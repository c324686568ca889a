import { UNKNOWN } from './number.ts'

/** Milliseconds for people, unit included: `84 ms`, `1.25 s`, `2 min 05 s`, `1 h 03 min`. */
export function formatDuration(ms: number | null): string {
  if (ms === null) return UNKNOWN
  if (ms < 999.5) return `${Math.round(ms)} ms`
  if (ms < 9995) return `${(ms / 1000).toFixed(2)} s`
  if (ms < 59_950) return `${(ms / 1000).toFixed(1)} s`
  const seconds = Math.round(ms / 1000)
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return `${minutes} min ${pad(seconds % 60)} s`
  return `${Math.floor(minutes / 60)} h ${pad(minutes % 60)} min`
}

/** Milliseconds as seconds without the unit, for a column that names it: 1250 → `1.25`. */
export function formatSeconds(ms: number | null): string {
  if (ms === null) return UNKNOWN
  const seconds = ms / 1000
  if (seconds > 0 && seconds < 0.005) return '<0.01'
  if (seconds < 10) return seconds.toFixed(2)
  return seconds < 100 ? seconds.toFixed(1) : String(Math.round(seconds))
}

/** An ISO instant as `2026-11-21 04:09 UTC`: the same on server and client, in every time zone. */
export function formatInstant(instant: string | null): string {
  if (instant === null) return UNKNOWN
  return `${instant.slice(0, 10)} ${instant.slice(11, 16)} UTC`
}

/** Time between two instants; unknown while either is missing. */
export function elapsedMs(from: string | null, to: string | null): number | null {
  if (from === null || to === null) return null
  const ms = Date.parse(to) - Date.parse(from)
  return Number.isFinite(ms) && ms >= 0 ? ms : null
}

function pad(value: number): string {
  return String(value).padStart(2, '0')
}
