import type { Board, RowTask } from '#lib/domain/board/index.ts'
import {
  type Drawing,
  fitted,
  fittedNames,
  group,
  isNarrow,
  lettersOf,
  rect,
  type SvgNode,
  TEXT_WIDTH,
  text,
} from './drawing.ts'
import { type ChartEntry, describeSample, type Figure, limitNote } from './figure.ts'

/** More columns than this are unreadable. */
export const MOST_ENTRIES = 24

type BoardTask = Board['suite']['tasks'][number]
export type TaskLine = { task: BoardTask; median: number | null; parts: (RowTask | undefined)[] }

/**
 * Tasks with each entry's part, the hardest first: by the median over the entries, then by the mean, then in the suite's
 * order. Tasks without attempts come last.
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

/** Tasks by entries of one pool. */
export function taskFigure(
  entries: readonly ChartEntry[],
  { tasks, isSorted }: TaskFigureOptions,
): Figure | null {
  const shown = entries.slice(0, MOST_ENTRIES)
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
    draw: (width) => taskDrawing(lines, shown, width),
    table: [
      ['task', 'median success', ...shown.flatMap(({ name }) => [`${name}: solved`, 'scored'])],
      ...lines.map(({ task, median, parts }) => [
        task.taskId,
        median,
        ...parts.flatMap((part) => [part?.solved ?? null, part?.scored ?? null]),
      ]),
    ],
  }
}

const ROW = 18
const HEAD = 96
const CELL = 44

/** For the file: on a page the same lines are a table with links. */
function taskDrawing(
  lines: readonly TaskLine[],
  entries: readonly ChartEntry[],
  asked: number,
): Drawing {
  const longest = Math.max(...lines.map(({ task }) => lettersOf(task.taskId))) * TEXT_WIDTH + 12
  const left = Math.min(longest, isNarrow(asked) ? 110 : 200)
  const width = Math.max(asked, left + entries.length * CELL + HEAD)
  const all = entries.map(({ name }) => name)
  const labelOf = fittedNames(all, HEAD * 1.25)
  const heads = entries.map(({ name }, index): SvgNode => {
    const node = text(labelOf(name), 0, 0, { tone: 'ink' })
    const x = left + index * CELL + CELL / 2
    const turned = { transform: `translate(${x} ${HEAD - 6}) rotate(-40)` }
    return { tag: 'g', attributes: turned, children: [node] }
  })
  const rows = lines.flatMap(({ task, parts }, row) => {
    const top = HEAD + row * ROW
    const name = text(fitted(task.taskId, left - 8), left - 8, top + 13, {
      tone: 'ink',
      anchor: 'end',
    })
    return [name, ...parts.flatMap((part, index) => cell(part, left + index * CELL, top))]
  })
  return {
    width,
    height: HEAD + lines.length * ROW + 6,
    label: 'Solved of scored episodes by task and entry.',
    nodes: [...heads, ...rows],
  }
}

function cell(part: RowTask | undefined, x: number, y: number): SvgNode[] {
  if (!part || part.scored === 0) return [text('–', x + CELL / 2, y + 13, { anchor: 'middle' })]
  const share = part.solved / part.scored
  const words = `${part.solved}/${part.scored}`
  return [
    group(words, [
      rect([x + 1, y + 1, CELL - 2, ROW - 2], 'good', 0.06 + share * 0.5),
      text(words, x + CELL / 2, y + 13, { tone: 'ink', anchor: 'middle' }),
    ]),
  ]
}
