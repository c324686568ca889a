import Link from 'next/link'
import type { EpisodeCell } from '#lib/domain/api/index.ts'
import { type AnyPlan, repetitionsOf } from '#lib/domain/record/index.ts'
import { ArrowKeys } from '../ui/controls.tsx'
import { formatDuration, plural } from '../ui/format.ts'
import { DataTable } from '../ui/table.tsx'
import { OUTCOME_LABELS, OutcomeGlyph, PendingGlyph } from './outcome.tsx'

type EpisodesMatrixProps = {
  plan: Pick<AnyPlan, 'tasks' | 'repetitions' | 'topUpOf'>
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
      <DataTable
        caption="Episodes by task and repetition"
        className="w-full table-fixed border-line border-b"
        columns={[
          {
            head: 'Task',
            cell: ({ taskId }) => taskId,
            rowHeader: 'font-normal',
            className: 'pr-2',
            headClass: 'h-9 w-[38%] sm:w-64',
            cellClass: 'untrusted py-1',
          },
          {
            head: 'Category',
            cell: ({ category }) => category,
            className: 'hidden sm:table-cell',
            headClass: 'w-40',
            cellClass: 'text-muted',
          },
          {
            id: 'episodes',
            head: single
              ? 'Episode'
              : plan.topUpOf
                ? 'Added repetitions'
                : `Repetitions 1–${plan.repetitions}`,
            cell: (row) => <MatrixSlots row={row} single={single} stood={stood} />,
            cellClass: 'py-1',
          },
        ]}
        headClass="border-line-strong border-b text-muted text-xs"
        keyOf={({ taskId }) => taskId}
        rowProps={({ taskId }) => ({ 'data-row': taskId })}
        rows={rows}
      />
    </ArrowKeys>
  )
}

type MatrixSlotsProps = {
  row: MatrixRow
  single: boolean
  stood: ReadonlySet<string> | undefined
}

function MatrixSlots({ row, single, stood }: MatrixSlotsProps) {
  return (
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
  const { word } = OUTCOME_LABELS[last.status]
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
  plan: Pick<AnyPlan, 'tasks' | 'repetitions'>,
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
