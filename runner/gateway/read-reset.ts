import type { IncomingHttpHeaders } from 'node:http'
import { at, listAt, textAt } from './json-value.ts'

/** Later times are ignored. */
const MAX_WAIT_MS = 8 * 24 * 3_600_000

/**
 * Reads when a provider accepts calls again after refusing one, as epoch milliseconds; null = not stated. Sources,
 * first found wins: `retry-after-ms`, `retry-after` (seconds or a date), the error in the body, headers named `…reset…`
 * (OpenAI, Anthropic, OpenRouter, subscription windows). Returns the latest of the resets whose `…remaining…` is 0; if
 * none is, the earliest.
 */
export function readResetTime(
  headers: IncomingHttpHeaders,
  error: unknown,
  nowMs: number,
): number | null {
  const found =
    after(headers['retry-after-ms'], nowMs, 1) ??
    parseReset(headers['retry-after'], nowMs) ??
    readErrorReset(error, nowMs) ??
    readResetHeaders(headers, nowMs)
  if (found === null || found <= nowMs || found > nowMs + MAX_WAIT_MS) return null
  return found
}

function after(value: unknown, nowMs: number, unitMs: number): number | null {
  const amount = value === undefined || value === '' ? Number.NaN : Number(value)
  return Number.isFinite(amount) && amount >= 0 ? nowMs + amount * unitMs : null
}

/** Reads Gemini's RetryInfo, the reset of a ChatGPT plan, and the upstream's headers that OpenRouter repeats. */
function readErrorReset(error: unknown, nowMs: number): number | null {
  const delay = listAt(error, 'details').map((detail) => textAt(detail, 'retryDelay'))
  return (
    parseReset(delay.find((text) => text !== null) ?? undefined, nowMs) ??
    parseReset(at(error, 'resets_at'), nowMs) ??
    after(at(error, 'resets_in_seconds'), nowMs, 1000) ??
    parseReset(at(error, 'metadata', 'headers', 'X-RateLimit-Reset'), nowMs)
  )
}

function readResetHeaders(headers: IncomingHttpHeaders, nowMs: number): number | null {
  const resets = Object.entries(headers).flatMap(([name, value]) => {
    const at = /rate-?limit|codex/.test(name) && name.includes('reset') && parseReset(value, nowMs)
    if (!at) return []
    return [{ at, isSpent: Number(headers[name.replace('reset', 'remaining')] ?? 1) === 0 }]
  })
  const spent = resets.filter(({ isSpent }) => isSpent).map(({ at }) => at)
  if (spent.length > 0) return Math.max(...spent)
  return resets.length > 0 ? Math.min(...resets.map(({ at }) => at)) : null
}

const UNITS_MS: Record<string, number> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/** Reads `30`, `1761577200`, `1761577200000`, `6m0s`, `34.07s`, an ISO instant or an HTTP date. */
export function parseReset(value: unknown, nowMs: number): number | null {
  const text = String(value ?? '').trim()
  if (text === '') return null
  const amount = Number(text)
  if (Number.isFinite(amount)) {
    if (amount < 0) return null
    if (amount > 1e12) return amount
    return amount > 1e9 ? amount * 1000 : nowMs + amount * 1000
  }
  if (/^(\d+(\.\d+)?(ms|[smhd]))+$/.test(text)) {
    const parts = [...text.matchAll(/(\d+(?:\.\d+)?)(ms|[smhd])/g)]
    return parts.reduce((sum, [, n, unit]) => sum + Number(n) * (UNITS_MS[unit ?? ''] ?? 0), nowMs)
  }
  const date = Date.parse(text)
  return Number.isNaN(date) ? null : date
}
