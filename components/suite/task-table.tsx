import Link from 'next/link'
import type { Board } from '#lib/domain/board/board-row.ts'

const HEAD = ['Task', 'Title', 'Category', 'Difficulty'] as const

type TaskTableProps = { suiteId: string; tasks: Board['suite']['tasks'] }

/** The tasks of a suite, each leading to what it asks and how it is judged. */
export function TaskTable({ suiteId, tasks }: TaskTableProps) {
  return (
    <table className="w-full border-line border-b">
      <caption className="sr-only">Tasks</caption>
      <thead>
        <tr className="text-left text-muted text-xs">
          {HEAD.map((name) => (
            <th
              className={`h-9 border-line-strong border-b bg-bg pr-4 font-normal sm:sticky sm:top-0 ${name === 'Title' ? 'max-sm:hidden' : ''}`}
              key={name}
              scope="col"
            >
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {tasks.map(({ taskId, title, category, difficulty }) => (
          <tr className="border-line border-t" id={taskId} key={taskId}>
            <th className="untrusted h-9 pr-4 text-left font-medium" scope="row">
              <Link
                className="link"
                href={`/suites/${encodeURIComponent(suiteId)}/tasks/${encodeURIComponent(taskId)}`}
                prefetch={false}
              >
                {taskId}
              </Link>
            </th>
            <td className="untrusted pr-4 max-sm:hidden">{title}</td>
            <td className="pr-4 text-muted">{category}</td>
            <td className="text-muted">{difficulty}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
