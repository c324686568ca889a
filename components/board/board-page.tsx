import Link from 'next/link'
import type { Board, BoardRow, RowTask } from '#lib/domain/board/index.ts'
import { modelLabel } from '#lib/domain/record/index.ts'
import { wilsonInterval } from '#lib/domain/statistics/index.ts'
import { classNames } from '../ui/class-names.ts'
import { formatInterval, UNKNOWN, visibleText } from '../ui/format.ts'
import { CommandLines, Notice } from '../ui/layout.tsx'
import { type DataColumn, DataTable, ScrollBox } from '../ui/table.tsx'

type SuiteTabsProps = {
  suites: readonly { suiteId: string; title: string; tasks: number; rows: number }[]
  current: string | null
  /** The page that the suite is chosen for. */
  path?: string
}

/** One link a suite, to the same page; nothing to switch when there is only one. */
export function SuiteTabs({ suites, current, path = '/' }: SuiteTabsProps) {
  if (suites.length < 2 && suites[0]?.suiteId === current) return null
  return (
    <nav aria-label="Suite" className="mb-5 flex flex-wrap gap-1 border-line border-b">
      {suites.map(({ suiteId, title, tasks, rows }) => (
        <Link
          aria-current={suiteId === current ? 'true' : undefined}
          className="inline-flex h-10 shrink-0 items-center gap-1.5 whitespace-nowrap border-transparent border-b-2 px-3 text-base text-muted hover:text-ink aria-[current=true]:border-accent aria-[current=true]:font-semibold aria-[current=true]:text-ink"
          href={`${path}?suite=${encodeURIComponent(suiteId)}`}
          key={suiteId}
          prefetch={false}
          title={`${tasks} tasks, ${rows} entries`}
        >
          {title}
          <span className="font-normal text-muted text-xs">{rows}</span>
        </Link>
      ))}
    </nav>
  )
}

/** Empty state: how to get the first results. */
export function EmptyBoard({ suiteId }: { suiteId: string | null }) {
  if (suiteId === null) {
    return (
      <Notice title="No suite is installed">
        <p>
          Suites are loaded from the exercises folder when the server starts. To import one, run:
        </p>
        <CommandLines
          lines={['npx proofboard suite import exercism --from <dir or git url> --ref <sha>']}
        />
      </Notice>
    )
  }
  return (
    <Notice title="No results for this suite yet">
      <p>
        Entries appear when the first episode is finished. To run a control, which needs no account
        and no API key:
      </p>
      <CommandLines lines={[`npx proofboard run --suite ${suiteId} --subject reference`]} />
    </Notice>
  )
}

type TaskMatrixProps = { board: Board; rows: readonly BoardRow[] }

const MOST_ROWS = 24

/** Solved of scored episodes by task and entry; cells with enough samples to cite are bold. */
export function TaskMatrix({ board, rows }: TaskMatrixProps) {
  const { tasks } = board.suite
  const needed = board.thresholds.perTaskEpisodes
  const columns = rows.slice(0, MOST_ROWS).map((row) => entryColumn(row, needed))
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
            cell: ({ taskId }) => taskId,
            cellTitle: ({ title }) => title,
            rowHeader: 'font-normal',
            headClass: 'left-0 z-20 text-muted',
            cellClass: 'sticky left-0 max-w-60 truncate bg-bg px-2',
          },
          ...columns,
        ]}
        headClass="sticky top-0 bg-bg px-2 py-1.5 text-xs"
        keyOf={({ taskId }) => taskId}
        rows={tasks}
      />
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

/** The column of one entry; its cells are safe to cite from `needed` scored episodes on, if it is ranked. */
function entryColumn(row: BoardRow, needed: number): DataColumn<Board['suite']['tasks'][number]> {
  const parts = new Map(row.tasks.map((part) => [part.taskId, part]))
  const rest = visibleText(modelLabel(row.subject) ?? row.subject.version ?? '')
  const isCitable = (part: RowTask) => row.refusals.length === 0 && part.scored >= needed
  return {
    id: row.rowId,
    head: (
      <>
        <span className="block truncate">{visibleText(row.subject.name)}</span>
        <span className="block truncate text-muted" title={rest}>
          {rest}
        </span>
      </>
    ),
    headClass: 'z-10 max-w-40 align-bottom',
    cell: ({ taskId }) => {
      const part = parts.get(taskId)
      if (!part || part.scored === 0) return part && part.voids > 0 ? 'excluded' : UNKNOWN
      return <MatrixCell isCitable={isCitable(part)} part={part} />
    },
    cellTitle: ({ taskId }) => {
      const part = parts.get(taskId)
      if (!part || part.scored === 0) return undefined
      return [cellInterval(part), isCitable(part) ? 'safe to cite' : 'diagnostic'].join('; ')
    },
    cellClass: ({ taskId }) => (parts.get(taskId)?.scored ? 'px-2 py-1' : 'px-2 py-1 text-muted'),
  }
}

function MatrixCell({ part, isCitable }: { part: RowTask; isCitable: boolean }) {
  const all = part.solved === part.scored
  return (
    <span
      className={classNames(
        'inline-block min-w-12 rounded border px-1.5 text-center text-xs',
        all && 'border-transparent bg-good-soft text-good',
        isCitable && 'font-semibold',
        part.solved === 0 && 'border-bad border-dashed text-bad',
        !all && part.solved > 0 && 'border-line-strong',
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
  return `${counts}; 95 % confidence interval ${formatInterval(low, high)} (Wilson)`
}
