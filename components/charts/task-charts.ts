import { rowPath, type TaskStatistics } from '#lib/domain/board/index.ts'
import { wilsonInterval } from '#lib/domain/statistics/index.ts'
import { countOf } from '#lib/domain/text/index.ts'
import { percentOf } from '../ui/format.ts'
import type { Chart } from './chart.ts'
import { type CostPoint, costChart } from './cost-figure.ts'
import type { ChartEntry } from './figure.ts'

/** Fewer points say no more than their row of the table. */
const MIN_POINTS = 3

/** The tasks of a suite: how often each is solved against how well it discriminates. */
export function discriminationChart(suiteId: string, statistics: TaskStatistics): Chart | null {
  const points = statistics.tasks.flatMap(({ taskId, mean, discrimination, rows }) => {
    if (mean === null || discrimination === null) return []
    const text = discrimination.toFixed(2).replace('-', '−')
    return {
      id: taskId,
      series: 0,
      name: taskId,
      label: taskId,
      href: `/suites/${encodeURIComponent(suiteId)}/tasks/${encodeURIComponent(taskId)}`,
      isSolid: true,
      x: mean * 100,
      y: discrimination,
      text: `${percentOf(mean)} solved, discrimination ${text}, n: ${countOf(rows, 'entry')}`,
    }
  })
  if (points.length < MIN_POINTS) return null
  return {
    label: `Success against discrimination, by task. ${points.map(({ name, text }) => `${name}: ${text}`).join('; ')}.`,
    x: { title: 'Mean success', format: 'percent', scale: 'linear' },
    y: { title: 'Discrimination', format: 'number', scale: 'linear' },
    series: [{ id: 'tasks', name: 'Tasks', tone: 'accent', style: { colour: 0, pattern: 0 } }],
    points,
    height: { wide: 300, narrow: 290 },
  }
}

/** The entries that solved a task: how long that took against how often it worked. */
export function taskTimeChart(taskId: string, entries: readonly ChartEntry[]): Chart | null {
  const points = entries.flatMap((entry): CostPoint[] => {
    const { id, name, pool, style, row } = entry
    const { solved = 0, scored = 0, spent } = row.tasks.find((one) => one.taskId === taskId) ?? {}
    const interval = wilsonInterval(solved, scored)
    const medianMs = spent?.solvedP50Ms ?? null
    if (medianMs === null || !interval.ok) return []
    return [
      {
        id,
        name,
        style,
        claim: pool !== null,
        href: rowPath(row.suiteId, id),
        size: `n: ${countOf(scored, 'episode')}`,
        cost: medianMs / 1000,
        success: (100 * solved) / scored,
        low: 100 * interval.value.low,
        high: 100 * interval.value.high,
      },
    ]
  })
  if (points.length < MIN_POINTS) return null
  const layout = { scale: 'log', unit: 's', axis: 'median seconds of solved episodes' } as const
  // Entries of several pools are not ranked with each other.
  return { ...costChart(points, layout), hasFrontier: false }
}
