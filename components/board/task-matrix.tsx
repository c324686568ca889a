import { formatInterval, UNKNOWN } from '#components/format/number.ts'
import { visibleText } from '#components/format/visible-text.ts'
import { classNames } from '#components/ui/class-names.ts'
import { ScrollBox } from '#components/ui/scroll-box.tsx'
import type { Board, BoardRow } from '#lib/domain/board/board-row.ts'
import { wilsonInterval } from '#lib/domain/statistics/proportion-interval.ts'

type TaskMatrixProps = { board: Board; rows: readonly BoardRow[] }

const MOST_ROWS = 24

/** Solved of scored episodes by task and entry; cells with enough samples to cite are bold. */
export function TaskMatrix({ board, rows }: TaskMatrixProps) {
  const { tasks } = board.suite
  const needed = board.thresholds.perTaskEpisodes
  const columns = rows.slice(0, MOST_ROWS).map((row) => ({
    row,
    name: visibleText(row.subject.name),
    rest: visibleText(row.subject.modelRequested ?? row.subject.version ?? ''),
    parts: new Map(row.tasks.map((part) => [part.taskId, part])),
  }))
  return (
    <ScrollBox
      aria-label="Tasks by entry"
      className="max-h-[52rem] overflow-auto border-line border-y"
    >
      <table>
        <thead>
          <tr>
            <th
              className="sticky top-0 left-0 z-20 bg-bg px-2 py-1.5 text-left font-normal text-muted text-xs"
              scope="col"
            >
              Task
            </th>
            {columns.map(({ row, name, rest }) => (
              <th
                className="sticky top-0 z-10 max-w-40 bg-bg px-2 py-1.5 text-left align-bottom font-normal text-xs"
                key={row.rowId}
                scope="col"
              >
                <span className="block truncate">{name}</span>
                <span className="block truncate text-muted" title={rest}>
                  {rest}
                </span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {tasks.map((task) => (
            <tr className="border-line border-t" key={task.taskId}>
              <th
                className="sticky left-0 max-w-60 truncate bg-bg px-2 text-left font-normal"
                scope="row"
                title={task.title}
              >
                {task.taskId}
              </th>
              {columns.map(({ row, parts }) => (
                <MatrixCell
                  claim={row.refusals.length === 0 ? needed : null}
                  key={row.rowId}
                  part={parts.get(task.taskId)}
                />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <p className="p-2 text-muted">
        A bold cell is safe to cite: at least {needed} scored episodes of a ranked entry. All other
        cells are diagnostic.
      </p>
      {rows.length > MOST_ROWS ? (
        <p className="p-2 text-muted">
          Showing the first {MOST_ROWS} of {rows.length} entries. Filter to see others.
        </p>
      ) : null}
    </ScrollBox>
  )
}

type MatrixCellProps = {
  part: BoardRow['tasks'][number] | undefined
  /** Scored episodes that make the cell a claim; null = it cannot be one. */
  claim: number | null
}

function MatrixCell({ part, claim }: MatrixCellProps) {
  if (!part || part.scored === 0) {
    return <td className="px-2 py-1 text-muted">{part && part.voids > 0 ? 'excluded' : UNKNOWN}</td>
  }
  const all = part.solved === part.scored
  const isClaim = claim !== null && part.scored >= claim
  return (
    <td
      className="px-2 py-1"
      title={[cellInterval(part), isClaim ? 'safe to cite' : 'diagnostic'].join('; ')}
    >
      <span
        className={classNames(
          'inline-block min-w-12 rounded border px-1.5 text-center text-xs',
          all && 'border-transparent bg-good-soft text-good',
          isClaim && 'font-semibold',
          part.solved === 0 && 'border-bad border-dashed text-bad',
          !all && part.solved > 0 && 'border-line-strong',
        )}
      >
        {part.solved} / {part.scored}
      </span>
    </td>
  )
}

function cellInterval({ solved, scored, voids }: BoardRow['tasks'][number]): string {
  const counts = `${solved} solved of ${scored} scored, ${voids} excluded`
  const interval = wilsonInterval(solved, scored)
  if (!interval.ok) return counts
  const { low, high } = interval.value
  return `${counts}; 95 % confidence interval ${formatInterval(low, high)} (Wilson)`
}
