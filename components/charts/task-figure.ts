import type { Board, RowTask } from '#lib/domain/board/index.ts'
import { type ChartEntry, describeSample, type Figure, limitNote } from './figure.ts'

/** More columns than this are unreadable. */
export const MAX_ENTRIES = 24

type BoardTask = Board['suite']['tasks'][number]
export type TaskLine = { task: BoardTask; median: number | null; parts: (RowTask | undefined)[] }

/**
 * Tasks with the results of each entry, hardest first: by the median over the entries, then by the mean, then in the
 * suite's order. Tasks without attempts come last.
 */
export function taskLines(
  tasks: readonly BoardTask[],
  entries: readonly ChartEntry[],
  isSorted = true,
): TaskLine[] {
  const parts = entries.map(({ row }) => new Map(row.tasks.map((part) => [part.taskId, part])))
  const lines = tasks.map((task) => {
    const own = parts.map((byTask) => byTask.get(task.taskId))
    const rates = own.flatMap((part) => (part && part.scored > 0 ? part.solved / part.scored : []))
    return { task, parts: own, median: medianOf(rates), mean: meanOf(rates) }
  })
  if (isSorted) lines.sort((a, b) => rank(a.median) - rank(b.median) || rank(a.mean) - rank(b.mean))
  return lines.map(({ task, median, parts: own }) => ({ task, median, parts: own }))
}

const LAST = 2

function rank(rate: number | null): number {
  return rate ?? LAST
}

function medianOf(values: readonly number[]): number | null {
  const sorted = [...values].sort((a, b) => a - b)
  const half = sorted.length / 2
  const [below, above] = [sorted[Math.ceil(half) - 1], sorted[Math.floor(half)]]
  return below === undefined || above === undefined ? null : (below + above) / 2
}

function meanOf(values: readonly number[]): number | null {
  return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length
}

type TaskFigureOptions = { tasks: readonly BoardTask[]; isSorted: boolean }

/** Success by tasks and entries of one pool. */
export function taskFigure(
  entries: readonly ChartEntry[],
  { tasks, isSorted }: TaskFigureOptions,
): Figure | null {
  const shown = entries.slice(0, MAX_ENTRIES)
  if (shown.length === 0 || tasks.length === 0) return null
  const lines = taskLines(tasks, shown, isSorted)
  return {
    title: 'Tasks by entry',
    unit: 'solved / scored episodes',
    sample: describeSample(shown),
    method: isSorted
      ? 'Entries of one pool. Hardest task first: lowest median success over these entries.'
      : 'Unranked entries of all kinds, tasks in the order of the suite.',
    notes: limitNote(shown.length, entries.length),
    chart: null,
    table: [
      ['task', 'median success', ...shown.flatMap(({ name }) => [`${name}: solved`, 'scored'])],
      ...lines.map(({ task, median, parts }) => [
        task.taskId,
        median,
        ...parts.flatMap((part) => [part?.solved ?? null, part?.scored ?? null]),
      ]),
    ],
    columns: { 1: 'share' },
  }
}
