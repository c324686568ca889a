import Link from 'next/link'
import type {
  ComparedRow,
  ComparisonView,
  FlippedTask,
  TaskCell,
} from '#lib/domain/compare/comparison.ts'
import type { OutcomeStatus } from '#lib/domain/record/outcome.ts'
import { OUTCOME_WORDS, OutcomeGlyph } from '../run/outcome.tsx'
import { classNames } from '../ui/class-names.ts'
import { ArrowKeys } from '../ui/controls.tsx'
import { plural, UNKNOWN, visibleText } from '../ui/format.ts'
import { ScrollBox } from '../ui/table.tsx'

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
      <table className="w-full table-fixed border-line border-b">
        <caption className="sr-only">
          Tasks where the majority outcome of {names[0]} and {names[1]} differs
        </caption>
        <thead>
          <tr className="text-left align-bottom text-muted text-xs">
            <th className="border-line-strong border-b py-2 pr-2 font-normal" scope="col">
              Task
            </th>
            {names.map((name, index) => (
              <th
                className="untrusted w-[33%] border-line-strong border-b py-2 pr-2 font-normal"
                key={index === 0 ? a.rowId : b.rowId}
                scope="col"
              >
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {flipped.map((flip) => (
            <tr className="border-line border-t align-top" data-row={flip.taskId} key={flip.taskId}>
              <th
                className="untrusted py-2 pr-2 text-left font-normal"
                scope="row"
                title={flip.title}
              >
                {flip.taskId}
              </th>
              <Side
                cell={flip.a}
                episodes={episodes.a[flip.taskId] ?? []}
                row={a}
                taskId={flip.taskId}
                won={flip.solvedBy === 'a'}
              />
              <Side
                cell={flip.b}
                episodes={episodes.b[flip.taskId] ?? []}
                row={b}
                taskId={flip.taskId}
                won={flip.solvedBy === 'b'}
              />
            </tr>
          ))}
        </tbody>
      </table>
    </ArrowKeys>
  )
}

const MOST_LINKS = 10

type SideProps = {
  cell: TaskCell
  episodes: readonly Episode[]
  row: ComparedRow
  taskId: string
  won: boolean
}

function Side({ cell, episodes, row, taskId, won }: SideProps) {
  const run = row.runIds.at(-1)
  const more = episodes.length - MOST_LINKS
  return (
    <td className="py-1.5 pr-2">
      <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <span
          className={won ? 'font-medium' : 'text-muted'}
          title={`${cell.solved} solved of ${cell.scored} scored, ${cell.voids} excluded`}
        >
          {cell.solved} / {cell.scored}
        </span>
        <span className="flex flex-wrap items-center gap-1">
          {episodes.slice(0, MOST_LINKS).map((episode) => (
            <EpisodeLink episode={episode} key={episode.episodeId} taskId={taskId} />
          ))}
          {run && (more > 0 || episodes.length === 0) ? (
            <Link className="link text-xs" href={`/runs/${run}`} prefetch={false}>
              {more > 0 ? `${plural(more, 'more episode')} in the run` : 'run'}
            </Link>
          ) : null}
        </span>
      </span>
    </td>
  )
}

function EpisodeLink({ episode, taskId }: { episode: Episode; taskId: string }) {
  const words = `${taskId}, repetition ${episode.repetition}: ${OUTCOME_WORDS[episode.status].word}`
  return (
    <Link
      className="rounded hover:bg-sunken"
      href={`/episodes/${episode.episodeId}`}
      prefetch={false}
      title={words}
    >
      <OutcomeGlyph status={episode.status} />
      <span className="sr-only">{words}</span>
    </Link>
  )
}

type TaskHeatMapProps = { tasks: ComparisonView['tasks']; rows: readonly ComparedRow[] }

/** Tasks by rows: solved of scored as a number, bar length and colour. */
export function TaskHeatMap({ tasks, rows }: TaskHeatMapProps) {
  return (
    <ScrollBox
      aria-label="Tasks by entry"
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
      <td className="px-2 py-1 text-muted" title="No episodes of this task">
        {UNKNOWN}
      </td>
    )
  }
  const { solved, scored, voids, rate } = cell
  const title = `${solved} solved of ${scored} scored, ${voids} excluded`
  if (rate === null) {
    return (
      <td className="px-2 py-1 text-muted" title={title}>
        {voids > 0 ? `${voids} excluded` : UNKNOWN}
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
        {voids > 0 ? <span className="text-muted text-xs">{voids} excluded</span> : null}
      </span>
    </td>
  )
}
