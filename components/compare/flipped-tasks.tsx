import Link from 'next/link'
import { plural } from '#components/format/number.ts'
import { visibleText } from '#components/format/visible-text.ts'
import { OutcomeGlyph } from '#components/run/outcome-glyph.tsx'
import { OUTCOME_WORDS } from '#components/run/outcome-words.ts'
import { ArrowKeys } from '#components/ui/arrow-keys.tsx'
import type { ComparedRow, FlippedTask, TaskCell } from '#lib/domain/compare/comparison.ts'
import type { OutcomeStatus } from '#lib/domain/outcome.ts'

type Episode = { episodeId: string; repetition: number; status: OutcomeStatus }
type Episodes = Record<string, Episode[]>

type FlippedTasksProps = {
  flipped: readonly FlippedTask[]
  rows: readonly [ComparedRow, ComparedRow]
  episodes: { a: Episodes; b: Episodes }
}

/** Tasks on which two rows part: counts on both sides, and the episodes to look at. */
export function FlippedTasks({ flipped, rows: [a, b], episodes }: FlippedTasksProps) {
  const names = [visibleText(a.name), visibleText(b.name)] as const
  if (flipped.length === 0) {
    return (
      <p className="border-line border-t py-2 text-base text-muted">
        None: no task is solved more often than not by only one of {names[0]} and {names[1]}.
      </p>
    )
  }
  return (
    <ArrowKeys>
      <table className="w-full table-fixed border-line border-b">
        <caption className="sr-only">
          Flipped tasks of {names[0]} and {names[1]}
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
          title={`${cell.solved} solved of ${cell.scored} scored, ${cell.voids} void`}
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
