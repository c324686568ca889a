import type { FailureKind } from '#lib/domain/board/index.ts'
import { countOf } from '#lib/domain/text/index.ts'
import { formatCount, formatFailure } from '../ui/format.ts'
import { type Chart, type ChartPoint, heightOfRows } from './chart.ts'
import { type ChartEntry, describeSample, type Figure, limitNote } from './figure.ts'

/** Shades of one colour, because kinds of failures are not entries; the most frequent is the darkest. */
const SHADES = [1, 0.84, 0.5, 0.38, 0.28, 0.2] as const
const REST_SHADE = 0.12
const MAX_BARS = 24

/** A kind of failure, or all rare ones together. */
type Part = { kind: string; count: number }
type Bar = Pick<ChartEntry, 'id' | 'name'> & {
  scored: number
  failed: number
  parts: Part[]
  /** Link to its latest run, which lists failures by kind. */
  href: string | undefined
}

/** Failures by kind: one bar per entry, as long as its share of unsolved episodes; null if none is known. */
export function failureFigure(entries: readonly ChartEntry[]): Figure | null {
  const known = entries.filter(({ row }) => row.failures !== undefined && row.success.attempts > 0)
  if (known.length === 0) return null
  const kinds = commonKinds(known)
  const bars = known.map((entry) => toBar(entry, kinds))
  const failed = bars.reduce((sum, bar) => sum + bar.failed, 0)
  return {
    title: 'How attempts failed',
    unit: 'per cent of scored episodes',
    sample: `${describeSample(known)}, ${formatCount(failed)} not solved`,
    method:
      'Unsolved episodes by kind of failure, with the number of episodes. The kind describes a failure and is never part of a score.',
    notes: limitNote(Math.min(known.length, MAX_BARS), known.length),
    chart: failureChart(bars.slice(0, MAX_BARS), kinds),
    table: [
      ['entry', 'scored episodes', 'kind of failure', 'episodes'],
      ...known.flatMap(({ name, row }) =>
        Object.entries(row.failures ?? {}).map(([kind, count]) => [
          name,
          row.success.attempts,
          kind,
          count,
        ]),
      ),
    ],
  }
}

/** Kinds with their own shade, the most frequent first. */
export function commonKinds(entries: readonly ChartEntry[]): FailureKind[] {
  const counts = new Map<string, number>()
  for (const { row } of entries)
    for (const [kind, count] of Object.entries(row.failures ?? {}))
      counts.set(kind, (counts.get(kind) ?? 0) + count)
  const sorted = [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))
  return sorted.slice(0, SHADES.length).map(([kind]) => kind as FailureKind)
}

const REST = 'all rarer kinds'

function toBar({ id, name, row }: ChartEntry, kinds: readonly FailureKind[]): Bar {
  const failures = row.failures ?? {}
  const failed = Object.values(failures).reduce((sum, count) => sum + count, 0)
  const parts = kinds.map((kind): Part => ({ kind, count: failures[kind] ?? 0 }))
  const rest = failed - parts.reduce((sum, { count }) => sum + count, 0)
  const all = [...parts, { kind: REST, count: rest }].filter(({ count }) => count > 0)
  const run = row.runIds.at(-1)
  const href = run === undefined ? undefined : `/runs/${encodeURIComponent(run)}#failures`
  return { id, name, scored: row.success.attempts, failed, parts: all, href }
}

function failureChart(bars: readonly Bar[], common: readonly string[]): Chart {
  const hasRest = bars.some(({ parts }) => parts.some(({ kind }) => kind === REST))
  const kinds = hasRest ? [...common, REST] : common
  const points = bars.flatMap((bar, row) => barPoints(bar, row, kinds))
  return {
    label: `Unsolved episodes by kind of failure. ${bars.map(describe).join('; ')}.`,
    x: { title: 'of scored episodes', format: 'percent', scale: 'linear' },
    y: { title: '', format: 'number', scale: 'linear' },
    rows: bars.map(({ name }) => ({ name })),
    series: kinds.map((kind, index) => ({
      id: kind,
      name: formatFailure(kind),
      style: { colour: 0, pattern: 0 },
      tone: 'bad',
      shade: kind === REST ? REST_SHADE : (SHADES[index] ?? REST_SHADE),
    })),
    points,
    height: heightOfRows(bars.length),
  }
}

/** The parts of a bar from left to right. */
function barPoints(bar: Bar, row: number, kinds: readonly string[]): ChartPoint[] {
  const { id, name, scored, parts, href } = bar
  let done = 0
  return parts.map(({ kind, count }) => {
    const from = (done / scored) * 100
    done += count
    return {
      id: `${id} ${kind}`,
      series: kinds.indexOf(kind),
      name,
      from,
      x: (done / scored) * 100,
      y: row,
      href,
      text: `${formatFailure(kind)}: ${countOf(count, 'episode')} of ${scored} scored`,
      label: String(count),
      isSolid: true,
      rowId: id,
    }
  })
}

function describe({ name, scored, failed, parts }: Bar): string {
  const words = parts.map(({ kind, count }) => `${count} ${formatFailure(kind)}`).join(', ')
  return `${name}: ${failed} of ${scored} not solved${words === '' ? '' : ` (${words})`}`
}
