import Link from 'next/link'
import { formatCount, formatPercent, plural, UNKNOWN } from '#components/format/number.ts'
import type { TaskStatistics } from '#lib/domain/board/task-statistics.ts'

const HEAD = [
  { name: 'Task', className: 'text-left' },
  { name: 'Solved', className: 'text-right' },
  { name: 'Discrimination', className: 'text-right' },
  { name: 'Rows', className: 'text-right max-sm:hidden' },
]

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
      <table className="w-full border-line border-b">
        <caption className="sr-only">Tasks by how well they tell rows apart</caption>
        <thead>
          <tr className="text-muted text-xs">
            {HEAD.map(({ name, className }) => (
              <th
                className={`h-9 border-line-strong border-b pr-4 font-normal ${className}`}
                key={name}
                scope="col"
              >
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {ordered.map((task) => (
            <tr className="border-line border-t" key={task.taskId}>
              <th className="untrusted h-9 pr-4 text-left font-medium" scope="row">
                <Link
                  className="link"
                  href={`/suites/${encodeURIComponent(suiteId)}/tasks/${encodeURIComponent(task.taskId)}`}
                  prefetch={false}
                >
                  {task.taskId}
                </Link>
              </th>
              <td className="whitespace-nowrap pr-4 text-right tabular-nums">
                {task.mean === null ? UNKNOWN : `${formatPercent(task.mean)} %`}
              </td>
              <td className="pr-4 text-right tabular-nums">{formatDiscrimination(task)}</td>
              <td className="pr-4 text-right tabular-nums max-sm:hidden">
                {formatCount(task.rows)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
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

function formatDiscrimination({ solvedBy, discrimination }: TaskLine): string {
  if (solvedBy === 'all') return 'dead: all solve it'
  if (solvedBy === 'none') return 'dead: none does'
  return discrimination === null ? UNKNOWN : discrimination.toFixed(2).replace('-', '−')
}
