import Link from 'next/link'
import type { EpisodeCell } from '#lib/domain/api/run-view.ts'
import { repetitionsOf } from '#lib/domain/record/expand-plan.ts'
import type { Plan } from '#lib/domain/record/plan.ts'
import { ArrowKeys } from '../ui/controls.tsx'
import { formatDuration, plural } from '../ui/format.ts'
import { OUTCOME_WORDS, OutcomeGlyph, PendingGlyph } from './outcome.tsx'

type EpisodesMatrixProps = {
  plan: Pick<Plan, 'tasks' | 'repetitions' | 'topUpOf'>
  episodes: readonly EpisodeCell[]
  /** Episodes present when the page was opened, which are not animated; absent = all. */
  stood?: ReadonlySet<string>
}

/** Tasks × repetitions; each cell links to its episode. */
export function EpisodesMatrix({ plan, episodes, stood }: EpisodesMatrixProps) {
  const rows = arrangeMatrix(plan, episodes)
  const single = plan.repetitions === 1
  return (
    <ArrowKeys>
      <table className="w-full table-fixed border-line border-b">
        <caption className="sr-only">Episodes by task and repetition</caption>
        <thead>
          <tr className="text-left text-muted text-xs">
            <th
              className="h-9 w-[38%] border-line-strong border-b pr-2 font-normal sm:w-64"
              scope="col"
            >
              Task
            </th>
            <th
              className="hidden w-40 border-line-strong border-b font-normal sm:table-cell"
              scope="col"
            >
              Category
            </th>
            <th className="border-line-strong border-b font-normal" scope="col">
              {single
                ? 'Episode'
                : plan.topUpOf
                  ? 'Added repetitions'
                  : `Repetitions 1–${plan.repetitions}`}
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <MatrixLine key={row.taskId} row={row} single={single} stood={stood} />
          ))}
        </tbody>
      </table>
    </ArrowKeys>
  )
}

type MatrixLineProps = {
  row: MatrixRow
  single: boolean
  stood: ReadonlySet<string> | undefined
}

function MatrixLine({ row, single, stood }: MatrixLineProps) {
  return (
    <tr className="border-line border-t" data-row={row.taskId}>
      <th className="untrusted py-1 pr-2 text-left font-normal" scope="row">
        {row.taskId}
      </th>
      <td className="hidden text-muted sm:table-cell">{row.category}</td>
      <td className="py-1">
        <span className="flex flex-wrap gap-1">
          {row.slots.map((slot) => (
            <MatrixSlot
              key={slot.last?.episodeId ?? slot.repetition}
              arrives={stood !== undefined && !stood.has(slot.last?.episodeId ?? '')}
              slot={slot}
              taskId={row.taskId}
              wordy={single}
            />
          ))}
        </span>
      </td>
    </tr>
  )
}

type MatrixSlotProps = { slot: Slot; taskId: string; wordy: boolean; arrives: boolean }

function MatrixSlot({
  slot: { last, repetition, attempts },
  taskId,
  wordy,
  arrives,
}: MatrixSlotProps) {
  if (!last) {
    return (
      <span
        className={`flex h-7 items-center gap-2 text-muted ${wordy ? '' : 'w-7'}`}
        title={`Repetition ${repetition}: pending`}
      >
        <PendingGlyph />
        <span className={wordy ? undefined : 'sr-only'}>pending</span>
      </span>
    )
  }
  const { word } = OUTCOME_WORDS[last.status]
  const time = formatDuration(last.totalMs)
  const facts = [
    word,
    last.failureCategory,
    time,
    attempts > 1 ? plural(attempts, 'attempt') : null,
  ]
  const title = `Repetition ${repetition}: ${facts.filter(Boolean).join(', ')}`
  return (
    <Link
      className={`relative flex h-7 items-center gap-2 rounded hover:bg-sunken ${wordy ? '' : 'w-7'} ${arrives ? 'arrive' : ''}`}
      href={`/episodes/${last.episodeId}`}
      prefetch={false}
      title={title}
    >
      <OutcomeGlyph status={last.status} />
      {wordy ? <WordyFacts attempts={attempts} cell={last} time={time} word={word} /> : null}
      {!wordy && attempts > 1 ? (
        <span
          aria-hidden="true"
          className="absolute right-0 bottom-0 rounded-full bg-bg px-0.5 text-xs leading-3"
        >
          {attempts}
        </span>
      ) : null}
      <span className="sr-only">{wordy ? `, ${taskId}` : `${taskId}, ${title}`}</span>
    </Link>
  )
}

type WordyFactsProps = { cell: EpisodeCell; word: string; time: string; attempts: number }

function WordyFacts({ cell, word, time, attempts }: WordyFactsProps) {
  return (
    <span className="flex min-w-0 gap-x-3 truncate pr-2">
      {word}
      <span className="text-muted">{time}</span>
      {cell.failureCategory ? (
        <span className="truncate text-muted max-sm:hidden">{cell.failureCategory}</span>
      ) : null}
      {attempts > 1 ? (
        <span className="text-muted max-sm:hidden">{plural(attempts, 'attempt')}</span>
      ) : null}
    </span>
  )
}

/** A planned episode: its last attempt, and how many there were. */
type Slot = { repetition: number; last: EpisodeCell | null; attempts: number }
type MatrixRow = { taskId: string; category: string; slots: Slot[] }

/** All planned slots in plan order, with their finished episodes. */
export function arrangeMatrix(
  plan: Pick<Plan, 'tasks' | 'repetitions'>,
  episodes: readonly EpisodeCell[],
): MatrixRow[] {
  const bySlot = new Map<string, EpisodeCell[]>()
  for (const cell of episodes) {
    const key = slotKey(cell.taskId, cell.repetition)
    bySlot.set(key, [...(bySlot.get(key) ?? []), cell])
  }
  return plan.tasks.map((task) => ({
    taskId: task.taskId,
    category: task.category,
    slots: repetitionsOf(plan, task).map((repetition) => {
      const attempts = bySlot.get(slotKey(task.taskId, repetition)) ?? []
      const last = attempts.reduce<EpisodeCell | null>(later, null)
      return { repetition, last, attempts: attempts.length }
    }),
  }))
}

function later(best: EpisodeCell | null, cell: EpisodeCell): EpisodeCell {
  return best && best.attempt > cell.attempt ? best : cell
}

function slotKey(taskId: string, repetition: number): string {
  return `${taskId} ${repetition}`
}
