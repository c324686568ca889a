import type { BoardRow } from '#lib/domain/board/index.ts'
import { rowInterval } from '#lib/domain/statistics/index.ts'
import { countOf } from '#lib/domain/text/index.ts'
import { formatInterval, percentOf } from '../ui/format.ts'
import type { Chart } from './chart.ts'
import { type ChartEntry, type Figure, limitNote, linkTo } from './figure.ts'

type RecoverySlope = ReturnType<typeof toSlope>[number]
type End = RecoverySlope['plain']

const MAX_SLOPES = 12

/** Success without and with a fault; null if no entry has both. */
export function recoveryFigure(entries: readonly ChartEntry[]): Figure | null {
  const slopes = findSlopes(entries)
  if (slopes.length === 0) return null
  const episodes = slopes.reduce((sum, slope) => sum + slope.episodes, 0)
  return {
    title: 'Plain and under fault',
    unit: 'success in per cent',
    sample: `${countOf(slopes.length, 'pair')} of entries, ${countOf(Math.max(...slopes.map(({ tasks }) => tasks)), 'task')}, ${countOf(episodes, 'scored episode')}`,
    method:
      'The same program without a fault and with one, on the tasks that both ran, with 95\u00a0% confidence intervals. Filled markers: both entries are ranked.',
    notes: limitNote(Math.min(slopes.length, MAX_SLOPES), slopes.length),
    chart: slopeChart(slopes.slice(0, MAX_SLOPES)),
    table: [
      ['entry', 'fault', 'tasks', 'plain, %', 'from', 'to', 'under fault, %', 'from', 'to'],
      ...slopes.map(({ name, fault, tasks, plain, faulted }) => [
        name,
        fault,
        tasks,
        ...[plain, faulted].flatMap(({ rate, low, high }) =>
          [rate, low, high].map((value) => Number((value * 100).toFixed(2))),
        ),
      ]),
    ],
  }
}

/** Pairs each row under a fault with the row that differs only in the fault. */
export function findSlopes(entries: readonly ChartEntry[]): RecoverySlope[] {
  const plain = new Map(
    entries.filter(({ row }) => !row.settings.fault).map((entry) => [keyOf(entry.row), entry]),
  )
  const slopes = entries.flatMap((entry): RecoverySlope[] => {
    const { fault } = entry.row.settings
    const other = fault ? plain.get(keyOf(entry.row)) : undefined
    return fault && other ? toSlope(other, entry, fault) : []
  })
  return slopes.sort((a, b) => fall(a) - fall(b))
}

function keyOf({ subject, settings }: BoardRow): string {
  const { name, version, modelRequested, targeting } = subject
  return JSON.stringify([
    name,
    version,
    modelRequested,
    targeting,
    settings.browser,
    settings.isolation,
  ])
}

function fall({ plain, faulted }: RecoverySlope): number {
  return plain.rate - faulted.rate
}

/** A subject with and without a fault, on the tasks that both rows have. */
function toSlope(plain: ChartEntry, faulted: ChartEntry, fault: string) {
  const common = new Set(scoredTasks(plain).map(({ taskId }) => taskId))
  const both = scoredTasks(faulted).filter(({ taskId }) => common.has(taskId))
  const shared = new Set(both.map(({ taskId }) => taskId))
  const own = scoredTasks(plain).filter(({ taskId }) => shared.has(taskId))
  const [from, to] = [rowInterval(own), rowInterval(both)]
  if (!from.ok || !to.ok) return []
  return [
    {
      name: plain.name,
      series: { id: faulted.id, name: `${plain.name} · ${fault}`, style: faulted.style },
      link: linkTo(faulted),
      fault,
      tasks: shared.size,
      episodes: [...own, ...both].reduce((sum, { scored }) => sum + scored, 0),
      claim: plain.pool !== null && faulted.pool !== null,
      plain: from.value,
      faulted: to.value,
    },
  ]
}

function scoredTasks({ row }: ChartEntry): BoardRow['tasks'] {
  return row.tasks.filter(({ scored }) => scored > 0)
}

function slopeChart(slopes: readonly RecoverySlope[]): Chart {
  // Offset, so that no interval covers another.
  const shiftOf = (index: number) => (index - (slopes.length - 1) / 2) * 0.03
  return {
    label: `Success without a fault and under one. ${slopes.map(describe).join('; ')}.`,
    x: { title: '', format: 'side', scale: 'linear' },
    y: { title: 'Success', format: 'percent', scale: 'linear' },
    series: slopes.map(({ series }) => series),
    points: slopes.flatMap((slope, series) =>
      [slope.plain, slope.faulted].map((end, side) => ({
        id: `${slope.series.id} ${side}`,
        series,
        name: slope.series.name,
        isSolid: slope.claim,
        ...slope.link,
        text: `${formatEnd(end)} ${side === 0 ? 'plain' : 'under fault'}, n: ${countOf(slope.episodes, 'episode')}, ${countOf(slope.tasks, 'task')}`,
        x: side + shiftOf(series),
        y: end.rate * 100,
        yLow: end.low * 100,
        yHigh: end.high * 100,
      })),
    ),
    join: 'line',
    height: { wide: 300, narrow: 300 },
  }
}

function formatEnd({ rate, low, high }: End): string {
  return `${percentOf(rate)} (${formatInterval(low, high)})`
}

function describe({ name, fault, plain, faulted }: RecoverySlope): string {
  return `${name}, ${fault}: ${formatEnd(plain)} without a fault, ${formatEnd(faulted)} under it`
}
