import {
  formatCompact,
  formatCount,
  formatPercent,
  formatSeconds,
  formatSize,
  formatUsd,
  UNKNOWN,
} from '#components/ui/format.ts'
import type { AxisColumn, AxisUnit, AxisValue } from '#lib/domain/reports/index.ts'
import { countOf, formatSpread, shortNumber } from '#lib/domain/text/index.ts'

/** A unit as in column headers, and its number format. */
const UNITS: Record<AxisUnit, { unit: string; write: (value: number) => string }> = {
  share: { unit: '%', write: formatPercent },
  ms: { unit: 's', write: formatSeconds },
  'micro-usd': { unit: 'USD', write: formatUsd },
  tokens: { unit: 'tokens', write: formatCompact },
  steps: { unit: 'steps', write: (value) => value.toFixed(1) },
  'per-hour': { unit: 'per hour', write: (value) => value.toFixed(1) },
  place: { unit: '', write: formatCount },
  bytes: { unit: '', write: (value) => formatSize(Math.round(value)) },
  lines: { unit: 'lines', write: formatCount },
  count: { unit: '', write: formatCount },
}

/** Units whose raw numbers are not readable. */
const WRITTEN: ReadonlySet<AxisUnit> = new Set(['share', 'ms', 'micro-usd', 'bytes'])

export type MetricTexts = { text: string; interval: string | null; size: string; title: string }

/** A column's title with its unit, without a line break before the unit. */
export function columnHeading({ title, unit: name }: Pick<AxisColumn, 'title' | 'unit'>): string {
  const { unit } = UNITS[name]
  const isSaid = unit.length > 1 && title.toLowerCase().includes(unit)
  if (!unit || isSaid) return title
  return `${title},\u00a0${unit.replaceAll(' ', '\u00a0')}`
}

/** A value in a sentence, with its unit. */
export function withUnit({ unit }: Pick<AxisColumn, 'unit'>, text: string): string {
  if (unit === 'micro-usd') return text.replace(/^<?/, (start) => `${start}$`)
  return [text, UNITS[unit].unit].filter(Boolean).join('\u00a0')
}

/** The texts of one cell: value, interval, sample size, and details for the tooltip. */
export function formatMetric(column: AxisColumn, figure: AxisValue | undefined): MetricTexts {
  if (!figure || figure.value === null) {
    const title = figure ? figure.method : 'Unknown'
    return { text: UNKNOWN, interval: null, size: '', title }
  }
  const { write } = UNITS[column.unit]
  const size = sizeOf(figure)
  const interval = intervalOf(figure, write)
  const isPlace = column.unit === 'place'
  return {
    text: isPlace ? placeOf(figure) : write(figure.value),
    interval: isPlace ? null : interval,
    size: isPlace ? '' : size,
    title: [exact(column, figure), size, figure.method].filter(Boolean).join(' · '),
  }
}

/** Ranks are shown as ranges. */
function placeOf({ value, low, high }: AxisValue): string {
  return low === high ? formatCount(value) : `${formatCount(low)}–${formatCount(high)}`
}

function intervalOf({ low, high }: AxisValue, write: (value: number) => string): string | null {
  if (low === null && high === null) return null
  return formatSpread(low === null ? UNKNOWN : write(low), high === null ? '∞' : write(high))
}

function sizeOf({ tasks, episodes }: AxisValue): string {
  const parts = [
    tasks === null ? null : countOf(tasks, 'task'),
    episodes === null ? null : `${formatCount(episodes)} ep.`,
  ]
  return parts.filter(Boolean).join(', ')
}

function exact(column: AxisColumn, { value }: AxisValue): string {
  const { unit } = UNITS[column.unit]
  if (column.unit === 'place') return `Place ${value}`
  const isWritten = WRITTEN.has(column.unit)
  const shown = isWritten ? UNITS[column.unit].write(value ?? 0) : shortNumber(value ?? 0)
  return `${shown} ${unit}`.trim()
}
