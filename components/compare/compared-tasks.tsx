import type {
  ComparedRow,
  ComparisonView,
  FlippedTask,
  TaskCell,
} from '#lib/domain/compare/index.ts'
import type { OutcomeStatus } from '#lib/domain/record/index.ts'
import { countOf } from '#lib/domain/text/index.ts'
import { OUTCOME_LABELS, OutcomeGlyph } from '../run/outcome.tsx'
import { Table } from '../table/table.tsx'
import { classNames } from '../ui/class-names.ts'
import type { DataColumn } from '../ui/data-column.ts'
import { UNKNOWN, visibleText } from '../ui/format.ts'

type Episode = { episodeId: string; repetition: number; status: OutcomeStatus }
type Episodes = Record<string, Episode[]>

type ComparedTask = ComparisonView['tasks'][number]

export type ComparedTasksProps = {
  tasks: readonly ComparedTask[]
  rows: readonly ComparedRow[]
  /** The two entries whose majority outcomes are compared. */
  pair: { a: ComparedRow; b: ComparedRow; flipped: readonly FlippedTask[] }
  episodes: { a: Episodes; b: Episodes }
}

/** The filter word of tasks on which the majority outcomes differ. */
export const DIFFERS = 'differs'

/**
 * Tasks by entry: solved and scored episodes as numbers and bars, and the episodes of tasks on which two entries
 * differ.
 */
export function ComparedTasks({ tasks, rows, pair, episodes }: ComparedTasksProps) {
  const { a, b, flipped } = pair
  const flips = new Map(flipped.map((flip) => [flip.taskId, flip]))
  return (
    <Table
      caption={`Tasks by entry; where the majority outcome of ${visibleText(a.name)} and ${visibleText(b.name)} differs`}
      className="lg:w-full"
      columns={[
        {
          head: 'Task',
          sort: ({ taskId }) => taskId,
          cell: ({ taskId }) => taskId,
          cellTitle: ({ title }) => title,
          rowHeader: 'font-normal',
          headClass: 'left-0 z-20 min-w-24 pr-2 text-muted sm:min-w-32 sm:pr-3 lg:w-48',
          cellClass:
            'sticky left-0 z-10 max-w-28 truncate bg-bg pr-2 sm:max-w-40 sm:pr-3 lg:max-w-72',
        },
        ...rows.map((row, place) => {
          const own = row === a ? episodes.a : row === b ? episodes.b : {}
          return entryColumn(row, place, own)
        }),
        {
          id: 'outcome',
          head: 'Majority outcome',
          title: `Whether most attempts of ${visibleText(a.name)} and ${visibleText(b.name)} end alike`,
          sort: ({ taskId }) => Math.abs(flips.get(taskId)?.difference ?? 0),
          descends: true,
          csv: ({ taskId }) => (flips.has(taskId) ? DIFFERS : 'same'),
          facet: ({ taskId }) => (flips.has(taskId) ? DIFFERS : 'same'),
          cell: ({ taskId }) => <Outcome flip={flips.get(taskId)} pair={pair} />,
          headClass: 'min-w-24 px-1 sm:px-2',
          cellClass: 'untrusted px-1 sm:px-2',
        },
      ]}
      cellClass="py-1"
      headClass="sticky top-0 bg-bg py-2 align-bottom text-xs"
      keyOf={({ taskId }) => taskId}
      name="compared-tasks"
      rowProps={({ taskId }) => ({ className: 'border-line border-t', 'data-row': taskId })}
      rows={tasks}
      scroll={{
        name: 'Tasks by entry',
        className: 'relative max-h-[44rem] overflow-auto border-line border-y',
      }}
      what="task"
    />
  )
}

function Outcome({
  flip,
  pair,
}: { flip: FlippedTask | undefined } & Pick<ComparedTasksProps, 'pair'>) {
  if (!flip) return <span className="text-muted">same</span>
  return `only ${visibleText(pair[flip.solvedBy].name)} solves it in most attempts`
}

function entryColumn(
  { rowId, name, runIds }: ComparedRow,
  place: number,
  episodes: Episodes,
): DataColumn<ComparedTask> {
  return {
    id: rowId,
    head: visibleText(name),
    sort: ({ cells }) => cells[place]?.rate ?? null,
    descends: true,
    csv: ({ cells }) => {
      const cell = cells[place]
      return cell ? `${cell.solved}/${cell.scored}` : null
    },
    headClass: 'untrusted z-10 min-w-24 max-w-48 px-1 sm:min-w-28 sm:px-2',
    cell: ({ taskId, cells }) => (
      <>
        <HeatCell cell={cells[place] ?? null} />
        <EpisodeLinks episodes={episodes[taskId]} run={runIds.at(-1)} taskId={taskId} />
      </>
    ),
    cellTitle: ({ cells }) => {
      const cell = cells[place]
      if (!cell) return 'No episodes of this task'
      return `${cell.solved} solved of ${cell.scored} scored, ${cell.voids} excluded`
    },
    cellClass: ({ cells }) =>
      classNames('px-1 sm:px-2', (cells[place]?.rate ?? null) === null && 'text-muted'),
  }
}

const MAX_LINKS = 10

type EpisodeLinksProps = {
  /** Absent = both agree on this task. */
  episodes: readonly Episode[] | undefined
  run: string | undefined
  taskId: string
}

function EpisodeLinks({ episodes, run, taskId }: EpisodeLinksProps) {
  if (!episodes) return null
  const more = episodes.length - MAX_LINKS
  return (
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
