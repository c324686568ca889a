import type { EpisodeCell, RunningAttempt } from '#lib/domain/api/index.ts'
import { type AnyPlan, repetitionsOf } from '#lib/domain/record/index.ts'
import { countOf } from '#lib/domain/text/index.ts'
import { ArrowKeys } from '../ui/controls.tsx'
import { formatDuration, formatFailure } from '../ui/format.ts'
import { DataTable } from '../ui/table.tsx'
import {
  OUTCOME_LABELS,
  OUTCOME_ORDER,
  OutcomeMark,
  OutcomeSprite,
  PendingGlyph,
  RunningGlyph,
} from './outcome.tsx'

/** The parts of a plan that are drawn; `armSlots`: the arm of each slot, absent = no arms. */
export type MatrixPlan = Pick<AnyPlan, 'suiteId' | 'tasks' | 'repetitions' | 'topUpOf'> & {
  armSlots?: readonly { taskId: string; repetition: number; arm: string }[]
}

type EpisodesMatrixProps = {
  plan: MatrixPlan
  episodes: readonly EpisodeCell[]
  /** Label of slots without an episode. */
  rest: string | null
  running?: readonly RunningAttempt[]
  /** Episodes present when the page was opened, which are not animated; absent = all. */
  stood?: ReadonlySet<string>
}

/** With more cells the page would be slow and unreadable, so each task shows counts and links to failures. */
const MAX_CELLS = 1500

/** Tasks × repetitions; each cell links to its episode. */
export function EpisodesMatrix(props: EpisodesMatrixProps) {
  const { plan, episodes, rest, stood } = props
  const rows = arrangeMatrix(plan, episodes, props.running)
  const single = plan.repetitions === 1
  const isLarge = rows.reduce((sum, { slots }) => sum + slots.length, 0) > MAX_CELLS
  return (
    <ArrowKeys>
      <OutcomeSprite />
      <DataTable
        caption="Episodes by task and repetition"
        className="w-full table-fixed border-line border-b"
        columns={[
          {
            head: 'Task',
            cell: ({ taskId, arm }) => (
              <>
                <a
                  className="hover:underline"
                  href={`/suites/${encodeURIComponent(plan.suiteId)}/tasks/${encodeURIComponent(taskId)}`}
                >
                  {taskId}
                </a>
                {arm === null ? null : ` · ${arm}`}
              </>
            ),
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
            cell: (row) =>
              isLarge ? (
                <TaskCounts rest={rest} row={row} />
              ) : (
                <MatrixSlots rest={rest} row={row} single={single} stood={stood} />
              ),
            cellClass: 'py-1',
          },
        ]}
        headClass="border-line-strong border-b text-muted text-xs"
        keyOf={({ taskId, arm }) => `${taskId} ${arm}`}
        rowProps={({ taskId, arm }) => ({ 'data-row': arm === null ? taskId : `${taskId} ${arm}` })}
        rows={rows}
      />
    </ArrowKeys>
  )
}

/** Maximum of linked failures per task without cells. */
const MAX_FAILED = 5

function TaskCounts({ row: { taskId, slots }, rest }: Pick<MatrixSlotsProps, 'row' | 'rest'>) {
  const counts = OUTCOME_ORDER.map((status) => ({
    status,
    count: slots.filter(({ last }) => last?.status === status).length,
  }))
  const pending = slots.filter(({ last }) => last === null).length
  const failed = slots.flatMap(({ last }) => (last && last.status !== 'solved' ? [last] : []))
  return (
    <span className="flex flex-wrap items-center gap-x-4 gap-y-1">
      {counts.map(({ status, count }) =>
        count > 0 ? (
          <span className="inline-flex items-center gap-1.5" key={status}>
            <OutcomeMark status={status} />
            {count} {OUTCOME_LABELS[status].word}
          </span>
        ) : null,
      )}
      {pending > 0 ? <span className="text-muted">{`${pending} ${rest}`}</span> : null}
      {failed.slice(0, MAX_FAILED).map(({ episodeId, repetition, status }) => (
        <a
          aria-label={`${taskId}, repetition ${repetition}: ${OUTCOME_LABELS[status].word}`}
          className="link text-xs"
          href={`/episodes/${episodeId}`}
          key={episodeId}
        >
          r{repetition}
        </a>
      ))}
    </span>
  )
}

type MatrixSlotsProps = {
  row: MatrixRow
  rest: EpisodesMatrixProps['rest']
  single: boolean
  stood: ReadonlySet<string> | undefined
}

function MatrixSlots({ row, rest, single, stood }: MatrixSlotsProps) {
  return (
    <span className="flex flex-wrap gap-1">
      {row.slots.map((slot) =>
        slot.last === null || slot.isRunning ? (
          <OpenSlot key={slot.repetition} rest={rest} slot={slot} wordy={single} />
        ) : (
          <MatrixSlot
            arrives={stood !== undefined && !stood.has(slot.last.episodeId)}
            key={slot.last.episodeId}
            last={slot.last}
            slot={slot}
            taskId={row.taskId}
            wordy={single}
          />
        ),
      )}
    </span>
  )
}

type OpenSlotProps = { slot: Slot; wordy: boolean; rest: string | null }

/** An episode that runs, or that has no result. */
function OpenSlot({ slot: { repetition, isRunning }, wordy, rest }: OpenSlotProps) {
  const word = isRunning ? 'running' : (rest ?? 'missing')
  return (
    <span
      className={`relative flex h-7 items-center gap-2 text-muted ${wordy ? '' : 'w-7'}`}
      title={`Repetition ${repetition}: ${word}`}
    >
      {isRunning ? <RunningGlyph /> : <PendingGlyph />}
      <span className={wordy ? undefined : 'sr-only'}>{word}</span>
    </span>
  )
}

type MatrixSlotProps = {
  slot: Slot
  last: EpisodeCell
  taskId: string
  wordy: boolean
  arrives: boolean
}

function MatrixSlot({
  slot: { repetition, attempts },
  last,
  taskId,
  wordy,
  arrives,
}: MatrixSlotProps) {
  const { word } = OUTCOME_LABELS[last.status]
  const time = formatDuration(last.totalMs)
  const facts = [
    word,
    formatFailure(last.failureCategory),
    time,
    attempts > 1 ? countOf(attempts, 'attempt') : null,
  ]
  const title = `Repetition ${repetition}: ${facts.filter(Boolean).join(', ')}`
  // Not a component, because a run has up to a thousand of these.
  return (
    <a
      className={`relative flex h-7 items-center gap-2 rounded hover:bg-sunken ${wordy ? 'min-w-0' : 'w-7'} ${arrives ? 'arrive' : ''}`}
      href={`/episodes/${last.episodeId}`}
      title={title}
    >
      <OutcomeMark status={last.status} />
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
    </a>
  )
}

type WordyFactsProps = { cell: EpisodeCell; word: string; time: string; attempts: number }

function WordyFacts({ cell, word, time, attempts }: WordyFactsProps) {
  return (
    <span className="flex min-w-0 gap-x-3 truncate pr-2">
      {word}
      <span className="text-muted">{time}</span>
      {cell.failureCategory ? (
        <span className="truncate text-muted max-sm:hidden">
          {formatFailure(cell.failureCategory)}
        </span>
      ) : null}
      {attempts > 1 ? (
        <span className="text-muted max-sm:hidden">{countOf(attempts, 'attempt')}</span>
      ) : null}
    </span>
  )
}

/** A planned episode: its last finished attempt, the number of attempts, and whether one is running. */
type Slot = { repetition: number; last: EpisodeCell | null; attempts: number; isRunning: boolean }
type MatrixRow = { taskId: string; arm: string | null; category: string; slots: Slot[] }

/** All planned slots in plan order, with their finished episodes; a task has one row per arm. */
export function arrangeMatrix(
  plan: Omit<MatrixPlan, 'topUpOf'>,
  episodes: readonly EpisodeCell[],
  running: readonly RunningAttempt[] = [],
): MatrixRow[] {
  const underWay = new Set(running.map(({ taskId, repetition }) => slotKey(taskId, repetition)))
  const bySlot = new Map<string, EpisodeCell[]>()
  for (const cell of episodes) {
    const key = slotKey(cell.taskId, cell.repetition)
    bySlot.set(key, [...(bySlot.get(key) ?? []), cell])
  }
  return plan.tasks.flatMap((task) =>
    listArms(plan, task).map(({ arm, repetitions }) => ({
      taskId: task.taskId,
      arm,
      category: task.category,
      slots: repetitions.map((repetition) => {
        const key = slotKey(task.taskId, repetition)
        const attempts = bySlot.get(key) ?? []
        const last = attempts.reduce<EpisodeCell | null>(later, null)
        return { repetition, last, attempts: attempts.length, isRunning: underWay.has(key) }
      }),
    })),
  )
}

type PlannedArm = { arm: string | null; repetitions: readonly number[] }

function listArms(plan: Omit<MatrixPlan, 'topUpOf'>, task: AnyPlan['tasks'][number]): PlannedArm[] {
  if (!plan.armSlots) return [{ arm: null, repetitions: repetitionsOf(plan, task) }]
  const own = plan.armSlots.filter(({ taskId }) => taskId === task.taskId)
  const names = [...new Set(own.map(({ arm }) => arm))].sort()
  return names.map((arm) => ({
    arm,
    repetitions: own.flatMap((slot) => (slot.arm === arm ? slot.repetition : [])),
  }))
}

function later(best: EpisodeCell | null, cell: EpisodeCell): EpisodeCell {
  return best && best.attempt > cell.attempt ? best : cell
}

function slotKey(taskId: string, repetition: number): string {
  return `${taskId} ${repetition}`
}
