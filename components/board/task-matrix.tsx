import { type Board, type RowTask, rowPath } from '#lib/domain/board/index.ts'
import { modelLabel } from '#lib/domain/record/index.ts'
import { wilsonInterval } from '#lib/domain/statistics/index.ts'
import { countOf } from '#lib/domain/text/index.ts'
import type { ChartEntry } from '../charts/figure.ts'
import { fitted } from '../charts/names.ts'
import { MAX_ENTRIES, type TaskLine, taskLines } from '../charts/task-figure.ts'
import { classNames } from '../ui/class-names.ts'
import type { DataColumn } from '../ui/data-column.ts'
import { formatInterval, UNKNOWN, visibleText } from '../ui/format.ts'
import { DataTable, ScrollBox } from '../ui/table.tsx'

type TaskMatrixProps = {
  board: Board
  /** Entries of one band. */
  entries: readonly ChartEntry[]
  /** True = the hardest task comes first. */
  isSorted: boolean
  /** Digest of an earlier version of the suite; null = the current one. */
  version: string | null
}

/** Solved and scored episodes by task and entry, tinted by success; cells with enough samples to cite are bold. */
export function TaskMatrix({ board, entries, isSorted, version }: TaskMatrixProps) {
  const { suite, thresholds } = board
  const needed = thresholds.perTaskEpisodes
  const shown = entries.slice(0, MAX_ENTRIES)
  return (
    <ScrollBox
      aria-label="Tasks by entry"
      className="max-h-[52rem] overflow-auto border-line border-y"
    >
      <DataTable
        className=""
        columns={[
          {
            head: 'Task',
            cell: ({ task }) => (
              <a
                className="hover:underline"
                href={`/suites/${encodeURIComponent(suite.suiteId)}/tasks/${encodeURIComponent(task.taskId)}`}
              >
                {task.taskId}
              </a>
            ),
            cellTitle: ({ task }) => task.title,
            rowHeader: 'font-normal',
            headClass: 'left-0 z-20 text-muted',
            cellClass: 'sticky left-0 max-w-32 truncate bg-bg px-2 sm:max-w-60',
          },
          ...shown.map((entry, index) => entryColumn(entry, { index, needed, version })),
        ]}
        headClass="sticky top-0 bg-bg px-2 py-1.5 text-xs"
        keyOf={({ task }) => task.taskId}
        rows={taskLines(suite.tasks, shown, isSorted)}
      />
      <p className="p-2 text-muted">
        A bold cell is safe to cite: at least {countOf(needed, 'scored episode')} of a ranked entry.
        All other cells are diagnostic.
      </p>
    </ScrollBox>
  )
}

/** Characters of a name above its column; longer names are shortened in the middle. */
const MAX_HEAD = 22

type ColumnOptions = { index: number; needed: number; version: string | null }

/** The column of one entry. Cells of a ranked entry are safe to cite from `needed` scored episodes on. */
function entryColumn(
  { row }: ChartEntry,
  { index, needed, version }: ColumnOptions,
): DataColumn<TaskLine> {
  const name = visibleText(row.subject.name)
  const rest = visibleText(modelLabel(row.subject) ?? row.subject.version ?? '')
  const isCitable = (part: RowTask) => row.refusals.length === 0 && part.scored >= needed
  return {
    id: row.rowId,
    head: (
      <a className="hover:underline" href={rowPath(row.suiteId, row.rowId, version)}>
        <span className="block whitespace-nowrap" title={name}>
          {fitted(name, MAX_HEAD)}
        </span>
        <span className="block whitespace-nowrap text-muted" title={rest}>
          {fitted(rest, MAX_HEAD)}
        </span>
      </a>
    ),
    headClass: 'z-10 align-bottom',
    cell: ({ parts }) => {
      const part = parts[index]
      if (!part || part.scored === 0) return part && part.voids > 0 ? 'excluded' : UNKNOWN
      return <MatrixCell isCitable={isCitable(part)} part={part} />
    },
    cellTitle: ({ parts }) => {
      const part = parts[index]
      if (!part || part.scored === 0) return undefined
      return [cellInterval(part), isCitable(part) ? 'safe to cite' : 'diagnostic'].join('; ')
    },
    cellClass: ({ parts }) => (parts[index]?.scored ? 'px-1 py-0.5' : 'px-2 py-1 text-muted'),
  }
}

/** Tints for partly solved tasks, from few to nearly all episodes. */
const TINTS = ['bg-good/10', 'bg-good/20', 'bg-good/30', 'bg-good/40'] as const

function MatrixCell({ part, isCitable }: { part: RowTask; isCitable: boolean }) {
  const all = part.solved === part.scored
  const tint = TINTS[Math.floor((part.solved / part.scored) * TINTS.length)]
  return (
    <span
      className={classNames(
        'inline-block w-full min-w-12 rounded border px-1.5 text-center text-xs',
        all && 'border-transparent bg-good/45',
        isCitable && 'font-semibold',
        part.solved === 0 && 'border-bad border-dashed text-bad',
        !all && part.solved > 0 && 'border-transparent',
        !all && part.solved > 0 && tint,
      )}
    >
      {part.solved} / {part.scored}
    </span>
  )
}

function cellInterval({ solved, scored, voids }: RowTask): string {
  const counts = `${solved} solved of ${scored} scored, ${voids} excluded`
  const interval = wilsonInterval(solved, scored)
  if (!interval.ok) return counts
  const { low, high } = interval.value
  return `${counts}; 95\u00a0% confidence interval ${formatInterval(low, high)} (Wilson)`
}
