import Link from 'next/link'
import { formatCount, formatPercent, plural, UNKNOWN } from '#components/format/number.ts'
import { PlainTable } from '#components/ui/plain-table.tsx'
import type { TaskStatistics } from '#lib/domain/board/task-statistics.ts'

const HEAD = ['Task', 'Solved', 'Discrimination', 'Rows', 'Note'] as const

type TaskStatisticsTableProps = { suiteId: string; statistics: TaskStatistics }

/** Which tasks tell rows apart: dead ones first, then the weakest; a sentence where there are too few rows. */
export function TaskStatisticsTable({ suiteId, statistics }: TaskStatisticsTableProps) {
  const { rows, fewestRows, tasks } = statistics
  if (rows < fewestRows) {
    return (
      <p className="max-w-3xl text-muted">
        Too few rows: {formatCount(rows)} of the {formatCount(fewestRows)} that are needed. Ranked
        rows count, and rows of models that this server ran; controls and planned faults do not.
      </p>
    )
  }
  const ordered = [...tasks].sort((a, b) => orderOf(a) - orderOf(b))
  return (
    <>
      <p className="mb-2 max-w-3xl text-muted">
        {formatDead(statistics)} Discrimination is the correlation, over {plural(rows, 'row')}, of
        success on a task with success on all other tasks: near 1, strong rows solve it and weak
        ones do not; below 0, weak rows solve it more often. With few rows it is rough.
      </p>
      <PlainTable
        caption="Tasks by how well they tell rows apart"
        head={HEAD}
        rows={ordered.map((task) => ({
          key: task.taskId,
          cells: {
            Task: (
              <Link
                className="link font-medium"
                href={`/suites/${encodeURIComponent(suiteId)}/tasks/${encodeURIComponent(task.taskId)}`}
                prefetch={false}
              >
                {task.taskId}
              </Link>
            ),
            Solved: task.mean === null ? UNKNOWN : `${formatPercent(task.mean)} %`,
            Discrimination: formatDiscrimination(task.discrimination),
            Rows: formatCount(task.rows),
            Note: noteOf(task, fewestRows),
          },
        }))}
        wide={['Task', 'Note']}
      />
    </>
  )
}

type TaskLine = TaskStatistics['tasks'][number]

/** Dead tasks, then by discrimination, then those of which nothing is known; equal ones stay in the suite's order. */
function orderOf({ solvedBy, discrimination }: TaskLine): number {
  if (solvedBy === 'none') return -3
  if (solvedBy === 'all') return -2
  return discrimination ?? 2
}

function formatDead({ tasks }: TaskStatistics): string {
  const counts = (what: TaskLine['solvedBy']) =>
    tasks.filter(({ solvedBy }) => solvedBy === what).length
  const [all, none] = [counts('all'), counts('none')]
  if (all + none === 0) return 'No task is dead: none is solved by every row or by none.'
  return `${plural(all, 'task')} solved by every row and ${formatCount(none)} by none: such tasks tell no rows apart.`
}

function formatDiscrimination(value: number | null): string {
  return value === null ? UNKNOWN : value.toFixed(2).replace('-', '−')
}

function noteOf({ solvedBy, discrimination, rows }: TaskLine, fewestRows: number): string {
  if (rows < fewestRows) return 'too few rows'
  if (solvedBy === 'all') return 'dead: every row solves it'
  if (solvedBy === 'none') return 'dead: no row solves it'
  return discrimination !== null && discrimination < 0 ? 'weak rows solve it more often' : ''
}
