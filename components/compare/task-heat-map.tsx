import { UNKNOWN } from '#components/format/number.ts'
import { visibleText } from '#components/format/visible-text.ts'
import { classNames } from '#components/ui/class-names.ts'
import { ScrollBox } from '#components/ui/scroll-box.tsx'
import type { ComparedRow, ComparisonView, TaskCell } from '#lib/domain/compare/comparison.ts'

type TaskHeatMapProps = { tasks: ComparisonView['tasks']; rows: readonly ComparedRow[] }

/** Tasks down, rows across: solved of scored as a number, as the length of a bar, and last as a colour. */
export function TaskHeatMap({ tasks, rows }: TaskHeatMapProps) {
  return (
    <ScrollBox
      aria-label="Tasks by rows"
      className="relative max-h-[44rem] overflow-auto border-line border-y"
    >
      <table className="lg:w-full lg:table-fixed">
        <thead>
          <tr>
            <th
              className="sticky top-0 left-0 z-20 min-w-32 bg-bg py-2 lg:w-48 pr-3 text-left align-bottom font-normal text-muted text-xs"
              scope="col"
            >
              Task
            </th>
            {rows.map(({ rowId, name }) => (
              <th
                className="untrusted sticky top-0 z-10 min-w-28 max-w-48 bg-bg px-2 py-2 text-left align-bottom font-normal text-xs"
                key={rowId}
                scope="col"
              >
                {visibleText(name)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {tasks.map(({ taskId, title, cells }) => (
            <tr className="border-line border-t" key={taskId}>
              <th
                className="sticky left-0 z-10 max-w-40 truncate bg-bg py-1 pr-3 text-left font-normal lg:max-w-72"
                scope="row"
                title={title}
              >
                {taskId}
              </th>
              {cells.map((cell, index) => (
                <HeatCell cell={cell} key={rows[index]?.rowId} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollBox>
  )
}

function HeatCell({ cell }: { cell: TaskCell | null }) {
  if (!cell) {
    return (
      <td className="px-2 py-1 text-muted" title="No episode of this task">
        {UNKNOWN}
      </td>
    )
  }
  const { solved, scored, voids, rate } = cell
  const title = `${solved} solved of ${scored} scored, ${voids} void`
  if (rate === null) {
    return (
      <td className="px-2 py-1 text-muted" title={title}>
        {voids > 0 ? `${voids} void` : UNKNOWN}
      </td>
    )
  }
  return (
    <td className="px-2 py-1" title={title}>
      <span className="flex items-center gap-2">
        <span className="w-11 shrink-0 whitespace-nowrap text-right text-xs">
          {solved} / {scored}
        </span>
        <span
          aria-hidden="true"
          className={classNames(
            'h-3 min-w-8 max-w-40 flex-1 overflow-hidden rounded-sm border',
            rate > 0 ? 'border-line-strong' : 'border-bad border-dashed',
          )}
        >
          <span
            className={classNames('block h-full', rate === 1 ? 'bg-good' : 'bg-line-strong')}
            style={{ width: `${100 * rate}%` }}
          />
        </span>
        {voids > 0 ? <span className="text-muted text-xs">{voids} void</span> : null}
      </span>
    </td>
  )
}
