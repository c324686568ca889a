import { UNKNOWN } from '#components/format/number.ts'
import { visibleText } from '#components/format/visible-text.ts'
import { ScrollBox } from '#components/ui/scroll-box.tsx'
import type { TaskNeed } from '#lib/domain/planner/list-task-needs.ts'

const HEAD = ['Task', 'Scored', 'Excluded or missing', 'Planned', 'Repetitions'] as const

/** The scored and missing episodes of each task, and what the top-up adds. */
export function NeedsTable({ needs }: { needs: readonly TaskNeed[] }) {
  return (
    <ScrollBox aria-label="Missing episodes per task" className="overflow-x-auto">
      <table className="w-full border-line border-b">
        <caption className="sr-only">Scored, missing and planned episodes per task</caption>
        <thead>
          <tr className="text-right text-muted text-xs">
            {HEAD.map((name) => (
              <th
                className="h-9 border-line-strong border-b pl-3 font-normal first:pl-0 first:text-left"
                key={name}
                scope="col"
              >
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {needs.map((need) => (
            <NeedLine key={need.taskId} need={need} />
          ))}
        </tbody>
      </table>
    </ScrollBox>
  )
}

function NeedLine({ need: { taskId, scored, holes, planned } }: { need: TaskNeed }) {
  return (
    <tr className="border-line border-t text-right">
      <th className="untrusted h-9 min-w-24 text-left font-normal" scope="row">
        {visibleText(taskId)}
      </th>
      <td className="pl-3">{scored}</td>
      <td className="pl-3">{holes}</td>
      <td className={planned.length > 0 ? 'pl-3 font-medium' : 'pl-3 text-muted'}>
        {planned.length}
      </td>
      <td className="whitespace-nowrap pl-3 text-muted">{rangeText(planned)}</td>
    </tr>
  )
}

/** The numbers are consecutive: `4`, or `4–9`. */
function rangeText(planned: readonly number[]): string {
  const [first, last] = [planned[0], planned.at(-1)]
  if (first === undefined || last === undefined) return UNKNOWN
  return first === last ? String(first) : `${first}–${last}`
}
