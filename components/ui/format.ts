import {
  formatCompact as compact,
  formatDuration as duration,
  formatBytes,
  formatCost,
  formatPlainCost,
  formatShare,
  formatSpread,
  groupDigits,
  nameCharacter,
} from '#lib/domain/text/index.ts'

/** Shown for unknown numbers, which are never zero. */
export const UNKNOWN = '–'

/** Formats 12345 as `12,345`. */
export function formatCount(value: number | null): string {
  return value === null ? UNKNOWN : groupDigits(value)
}

/** Formats a rate of 0–1 as per cent with one decimal, without the unit: 0.8412 → `84.1`, 0.99958 → `>99.9`. */
export function formatPercent(rate: number | null): string {
  return rate === null ? UNKNOWN : formatShare(rate, 1)
}

/** Formats 0.8412 as `84.1 %`, on one line. */
export function percentOf(rate: number | null): string {
  return rate === null ? UNKNOWN : `${formatPercent(rate)}\u00a0%`
}

/** Formats `64.1–95.5 %`, or a dash without an interval. */
export function formatInterval(low: number | null, high: number | null): string {
  if (low === null || high === null) return UNKNOWN
  return `${formatSpread(formatPercent(low), formatPercent(high))}\u00a0%`
}

/** Short form for a dense column: 1234 → `1.2k`, 3_400_000 → `3.4M`. */
export function formatCompact(value: number | null): string {
  return value === null ? UNKNOWN : compact(value)
}

/** Formats millionths of a dollar with the unit: 41_250 → `$0.041`. */
export function formatDollars(microUsd: number | null): string {
  return microUsd === null ? UNKNOWN : formatCost(microUsd)
}

/** Formats millionths of a dollar without the unit, for a column that names it: 41_250 → `0.041`. */
export function formatUsd(microUsd: number | null): string {
  return microUsd === null ? UNKNOWN : formatPlainCost(microUsd)
}

/** Formats a kind of failure: `test-failure` → `test failure`; empty if there is none. */
export function formatFailure(kind: string | null): string {
  return kind?.replaceAll('-', ' ') ?? ''
}

/** Formats 1536 as `1.5 kB`. */
export function formatSize(bytes: number | null): string {
  return bytes === null ? UNKNOWN : formatBytes(bytes)
}

/** A rate in per cent without the unit, and the ends of its interval: `88` and `72–95`. */
type RateText = { rate: string; spread: string }

/** Rounds to whole points if the interval is wider than two points, otherwise to one decimal. */
export function formatRate(rate: number | null, low: number | null, high: number | null): RateText {
  if (rate === null) return { rate: UNKNOWN, spread: '' }
  if (low === null || high === null) return { rate: formatShare(rate, 1), spread: '' }
  const decimals = high - low > 0.02 ? 0 : 1
  return {
    rate: formatShare(rate, decimals),
    spread: formatSpread(formatShare(low, decimals), formatShare(high, decimals)),
  }
}

/** A duration with its unit: `84 ms`, `1.25 s`, `2 min 05 s`. */
export function formatDuration(ms: number | null): string {
  return ms === null ? UNKNOWN : duration(ms)
}

/** Formats milliseconds as seconds without the unit, for a column that names it: 1250 → `1.25`. */
export function formatSeconds(ms: number | null): string {
  if (ms === null) return UNKNOWN
  const seconds = ms / 1000
  if (seconds > 0 && seconds < 0.005) return '<0.01'
  if (seconds < 10) return seconds.toFixed(2)
  return seconds < 100 ? seconds.toFixed(1) : String(Math.round(seconds))
}

/** Formats an ISO time as `2026-11-21 04:09 UTC`: the same on server and client, in every time zone. */
export function formatInstant(instant: string | null): string {
  if (instant === null) return UNKNOWN
  return `${instant.slice(0, 10)} ${instant.slice(11, 16)} UTC`
}

/** Formats the UTC day of an ISO time: `2026-11-21`. */
export function formatDay(instant: string | null): string {
  return instant === null ? UNKNOWN : instant.slice(0, 10)
}

/** Time between two ISO times; null if either is missing. */
export function elapsedMs(from: string | null, to: string | null): number | null {
  if (from === null || to === null) return null
  const ms = Date.parse(to) - Date.parse(from)
  return Number.isFinite(ms) && ms >= 0 ? ms : null
}

const ESC = '\u001b'
const BEL = '\u0007'

/** Cursor movements and similar sequences, which are removed. Colours (`…m`) stay. */
const CURSOR = new RegExp(`${ESC}\\[[0-?]*[ -/]*[@-ln-~]`, 'g')
/** Window titles and links (OSC), ended by BEL or ST. */
const OPERATING_SYSTEM = new RegExp(`${ESC}\\][^${BEL}${ESC}]*(?:${BEL}|${ESC}\\\\)`, 'g')
/** Escapes that do not start a colour sequence. */
const STRAY_ESCAPE = new RegExp(`${ESC}(?!\\[[\\d;:]*m)`, 'g')

/** Includes halves of surrogate pairs: as bytes they become another character, which breaks hydration. */
const CONTROLS = /[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/gu
const ALLOWED = new Set(['\t', '\n', ESC])

/** More marks on one letter are drawn over the lines around it. */
const STACKED_MARKS = /(\p{M}{5})\p{M}+/gu

/**
 * Makes untrusted text safe to show: invisible and reordering characters become visible, like `⟨U+202E⟩`, stacked
 * marks are cut, and `95 %` stays on one line.
 */
export function visibleText(text: string): string {
  return text
    .replace(CONTROLS, (char) => (ALLOWED.has(char) && char !== ESC ? char : named(char)))
    .replace(STACKED_MARKS, '$1…')
    .replace(/(\d) %(?!\w)/g, '$1\u00a0%')
}

/** Makes a log line safe to show; colour sequences are left for the ANSI parser. */
export function visibleLogText(line: string): string {
  return line
    .replace(OPERATING_SYSTEM, '')
    .replace(CURSOR, '')
    .replace(STRAY_ESCAPE, '⟨ESC⟩')
    .replace(CONTROLS, (char) => (ALLOWED.has(char) ? char : named(char)))
}

function named(char: string): string {
  return char === '\r' ? '␍' : nameCharacter(char)
}

/** The first 12 hex digits of a digest. */
export function shortDigest(digest: string): string {
  return digest.replace(/^sha256:/, '').slice(0, 12)
}
