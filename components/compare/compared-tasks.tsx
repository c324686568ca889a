import type {
  ComparedRow,
  ComparisonView,
  FlippedTask,
  TaskCell,
} from '#lib/domain/compare/index.ts'
import type { OutcomeStatus } from '#lib/domain/record/index.ts'
import { countOf } from '#lib/domain/record/index.ts'
import { OUTCOME_LABELS, OutcomeGlyph } from '../run/outcome.tsx'
import { classNames } from '../ui/class-names.ts'
import { ArrowKeys } from '../ui/controls.tsx'
import { UNKNOWN, visibleText } from '../ui/format.ts'
import { type DataColumn, DataTable } from '../ui/table.tsx'

type Episode = { episodeId: string; repetition: number; status: OutcomeStatus }
type Episodes = Record<string, Episode[]>

type FlippedTasksProps = {
  flipped: readonly FlippedTask[]
  rows: readonly [ComparedRow, ComparedRow]
  episodes: { a: Episodes; b: Episodes }
}

/** Tasks whose majority outcome differs between two rows: counts and episodes of both. */
export function FlippedTasks({ flipped, rows: [a, b], episodes }: FlippedTasksProps) {
  const names = [visibleText(a.name), visibleText(b.name)] as const
  if (flipped.length === 0) {
    return (
      <p className="border-line border-t py-2 text-base text-muted">
        None. {names[0]} and {names[1]} have the same majority outcome on every common task.
      </p>
    )
  }
  return (
    <ArrowKeys>
      <DataTable
        caption={`Tasks where the majority outcome of ${names[0]} and ${names[1]} differs`}
        className="w-full table-fixed border-line border-b"
        columns={[
          {
            head: 'Task',
            cell: ({ taskId }) => taskId,
            cellTitle: ({ title }) => title,
            rowHeader: 'font-normal',
            cellClass: 'untrusted py-2',
          },
          sideColumn(a, (flip) => ({
            cell: flip.a,
            episodes: episodes.a[flip.taskId] ?? [],
            won: flip.solvedBy === 'a',
          })),
          sideColumn(b, (flip) => ({
            cell: flip.b,
            episodes: episodes.b[flip.taskId] ?? [],
            won: flip.solvedBy === 'b',
          })),
        ]}
        cellClass="pr-2"
        headClass="border-line-strong border-b py-2 pr-2 align-bottom text-muted text-xs"
        keyOf={({ taskId }) => taskId}
        rowProps={({ taskId }) => ({
          className: 'border-line border-t align-top',
          'data-row': taskId,
        })}
        rows={flipped}
      />
    </ArrowKeys>
  )
}

const MAX_LINKS = 10

type SideProps = {
  cell: TaskCell
  episodes: readonly Episode[]
  row: ComparedRow
  taskId: string
  won: boolean
}

function sideColumn(
  row: ComparedRow,
  sideOf: (flip: FlippedTask) => Pick<SideProps, 'cell' | 'episodes' | 'won'>,
): DataColumn<FlippedTask> {
  return {
    id: row.rowId,
    head: visibleText(row.name),
    headClass: 'untrusted w-[33%]',
    cell: (flip) => <Side row={row} taskId={flip.taskId} {...sideOf(flip)} />,
    cellClass: 'py-1.5',
  }
}

function Side({ cell, episodes, row, taskId, won }: SideProps) {
  const run = row.runIds.at(-1)
  const more = episodes.length - MAX_LINKS
  return (
    <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <span
        className={won ? 'font-medium' : 'text-muted'}
        title={`${cell.solved} solved of ${cell.scored} scored, ${cell.voids} excluded`}
      >
        {cell.solved} / {cell.scored}
      </span>
      <span className="flex flex-wrap items-center gap-1">
        {episodes.slice(0, MAX_LINKS).map((episode) => (
          <EpisodeLink episode={episode} key={episode.episodeId} taskId={taskId} />
        ))}
        {run && (more > 0 || episodes.length === 0) ? (
          <a className="link text-xs" href={`/runs/${run}`}>
            {more > 0 ? `${countOf(more, 'more episode')} in the run` : 'run'}
          </a>
        ) : null}
      </span>
    </span>
  )
}

function EpisodeLink({ episode, taskId }: { episode: Episode; taskId: string }) {
  const words = `${taskId}, repetition ${episode.repetition}: ${OUTCOME_LABELS[episode.status].word}`
  return (
    <a className="rounded hover:bg-sunken" href={`/episodes/${episode.episodeId}`} title={words}>
      <OutcomeGlyph status={episode.status} />
      <span className="sr-only">{words}</span>
    </a>
  )
}

type TaskHeatMapProps = { tasks: ComparisonView['tasks']; rows: readonly ComparedRow[] }

/** Tasks by rows: solved of scored as a number, bar length and colour. */
export function TaskHeatMap({ tasks, rows }: TaskHeatMapProps) {
  return (
    <DataTable
      className="lg:w-full lg:table-fixed"
      columns={[
        {
          id: 'task',
          head: 'Task',
          cell: ({ taskId }) => taskId,
          cellTitle: ({ title }) => title,
          rowHeader: 'font-normal',
          headClass: 'left-0 z-20 min-w-24 pr-2 text-muted sm:min-w-32 sm:pr-3 lg:w-48',
          cellClass:
            'sticky left-0 z-10 max-w-28 truncate bg-bg pr-2 sm:max-w-40 sm:pr-3 lg:max-w-72',
        },
        ...rows.map(heatColumn),
      ]}
      cellClass="py-1"
      headClass="sticky top-0 bg-bg py-2 align-bottom text-xs"
      keyOf={({ taskId }) => taskId}
      rows={tasks}
      scroll={{
        name: 'Tasks by entry',
        className: 'relative max-h-[44rem] overflow-auto border-line border-y',
      }}
    />
  )
}

function heatColumn(
  { rowId, name }: ComparedRow,
  place: number,
): DataColumn<TaskHeatMapProps['tasks'][number]> {
  return {
    id: rowId,
    head: visibleText(name),
    headClass: 'untrusted z-10 min-w-24 max-w-48 px-1 sm:min-w-28 sm:px-2',
    cell: ({ cells }) => <HeatCell cell={cells[place] ?? null} />,
    cellTitle: ({ cells }) => {
      const cell = cells[place]
      if (!cell) return 'No episodes of this task'
      return `${cell.solved} solved of ${cell.scored} scored, ${cell.voids} excluded`
    },
    cellClass: ({ cells }) =>
      classNames('px-1 sm:px-2', (cells[place]?.rate ?? null) === null && 'text-muted'),
  }
}

function HeatCell({ cell }: { cell: TaskCell | null }) {
  if (!cell) return UNKNOWN
  const { solved, scored, voids, rate } = cell
  if (rate === null) return voids > 0 ? `${voids} excluded` : UNKNOWN
  return (
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
          className={classNames(
            'block h-full forced-color-adjust-none',
            rate === 1 ? 'bg-good' : 'bg-line-strong',
          )}
          style={{ width: `${100 * rate}%` }}
        />
      </span>
      {voids > 0 ? <span className="text-muted text-xs">{voids} excluded</span> : null}
    </span>
  )
}
