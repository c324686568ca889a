import Link from 'next/link'
import { formatCount, UNKNOWN } from '#components/format/number.ts'
import { isWorkflow, type Task } from '#lib/domain/task.ts'
import { formatCaught, formatJudges, formatSurviving, mutationOf } from './format-mutation.ts'

type Column = { name: string; className: string }

const FACTS: readonly Column[] = [
  { name: 'Task', className: 'text-left' },
  { name: 'Title', className: 'text-left max-sm:hidden' },
  { name: 'Category', className: 'text-left' },
  { name: 'Difficulty', className: 'text-left' },
]
/** Shown only where the tests of some task were measured. */
const QUALITY: readonly Column[] = [
  { name: 'Tests', className: 'text-right max-md:hidden' },
  { name: 'Wrong solutions caught', className: 'text-right max-lg:hidden' },
  { name: 'Mutants caught', className: 'text-right max-lg:hidden' },
  { name: 'Mutants surviving', className: 'text-right max-md:hidden' },
]

type TaskTableProps = { suiteId: string; tasks: readonly Task[] }

/** The tasks of a suite with the quality of their tests, each leading to what it asks and how it is judged. */
export function TaskTable({ suiteId, tasks }: TaskTableProps) {
  const hasQuality = tasks.some((task) => mutationOf(task) !== null)
  const columns = hasQuality ? [...FACTS, ...QUALITY] : FACTS
  return (
    <table className="w-full border-line border-b">
      <caption className="sr-only">Tasks</caption>
      <thead>
        <tr className="text-muted text-xs">
          {columns.map(({ name, className }) => (
            <th
              className={`h-9 border-line-strong border-b bg-bg pr-4 font-normal sm:sticky sm:top-0 ${className}`}
              key={name}
              scope="col"
            >
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {tasks.map((task) => (
          <tr className="border-line border-t" id={task.taskId} key={task.taskId}>
            <th className="untrusted h-9 pr-4 text-left font-medium" scope="row">
              <Link
                className="link"
                href={`/suites/${encodeURIComponent(suiteId)}/tasks/${encodeURIComponent(task.taskId)}`}
                prefetch={false}
              >
                {task.taskId}
              </Link>
            </th>
            <td className="untrusted pr-4 max-sm:hidden">{task.title}</td>
            <td className="pr-4 text-muted">{task.category}</td>
            <td className="pr-4 text-muted">{task.difficulty}</td>
            {hasQuality ? <QualityCells task={task} /> : null}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function QualityCells({ task }: { task: Task }) {
  const mutation = mutationOf(task)
  const cells = [
    isWorkflow(task) ? UNKNOWN : formatCount(task.expectedTests.length),
    mutation ? formatCaught(mutation.wrongCaught, mutation.wrong) : UNKNOWN,
    mutation ? formatCaught(mutation.compiled - mutation.surviving, mutation.compiled) : UNKNOWN,
    formatSurviving(mutation),
  ]
  const title = mutation ? `Judged by ${formatJudges(mutation)}` : 'Not measured'
  return QUALITY.map(({ name, className }, place) => (
    <td className={`pr-4 tabular-nums ${className}`} key={name} title={title}>
      {cells[place]}
    </td>
  ))
}
