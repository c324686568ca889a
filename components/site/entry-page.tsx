import type { EpisodeCell } from '#lib/domain/api/index.ts'
import {
  type Board,
  type BoardRow,
  formatBadgeRate,
  formatSamples,
  formatTier,
} from '#lib/domain/board/index.ts'
import { subjectLabel } from '#lib/domain/record/index.ts'
import { RowDetails } from '../board/row-details.tsx'
import { toRowDetail } from '../board/to-table-rows.ts'
import { OUTCOME_LABELS, OutcomeMark, OutcomeSprite } from '../run/outcome.tsx'
import { visibleText } from '../ui/format.ts'
import { PageHeading, Section } from '../ui/layout.tsx'
import { DataTable } from '../ui/table.tsx'
import { rowDataPath } from './board-data.ts'

type EntryPageProps = {
  board: Board
  row: BoardRow
  /** Attempts of its runs, in the order of task and repetition. */
  cells: readonly EpisodeCell[]
}

/** One entry: what its number rests on, and every attempt. */
export function EntryPage({ board: { suite }, row, cells }: EntryPageProps) {
  const taskIds = [...new Set(cells.map(({ taskId }) => taskId))].sort()
  return (
    <>
      <PageHeading
        title={visibleText(subjectLabel(row.subject))}
        trail={
          <a className="link" href={`/?${new URLSearchParams({ suite: suite.suiteId })}`}>
            {visibleText(suite.title)}
          </a>
        }
      >
        {formatBadgeRate(row.success)}, {formatSamples(row)}, {formatTier(row.label)}
      </PageHeading>
      <RowDetails detail={toRowDetail(row, null)} row={row} />
      <Section id="attempts" title="Attempts">
        <OutcomeSprite />
        <DataTable
          caption="Attempts by task"
          columns={[
            {
              head: 'Task',
              cell: (taskId) => taskId,
              rowHeader: 'font-normal',
              cellClass: 'untrusted h-9 pr-4',
            },
            {
              head: 'Solved',
              cell: (taskId) => solvedOf(row, taskId),
              cellClass: 'whitespace-nowrap pr-4',
            },
            {
              head: 'Attempts',
              cell: (taskId) => (
                <AttemptLinks cells={cells.filter((one) => one.taskId === taskId)} />
              ),
              cellClass: 'py-1',
            },
          ]}
          keyOf={(taskId) => taskId}
          rows={taskIds}
        />
        <p className="mt-4 text-muted">
          This entry as data:{' '}
          <a className="link" href={rowDataPath(row.rowId)}>
            JSON
          </a>
        </p>
      </Section>
    </>
  )
}

function solvedOf({ tasks }: BoardRow, taskId: string): string {
  const task = tasks.find((one) => one.taskId === taskId)
  return task ? `${task.solved} of ${task.scored}` : '–'
}

function AttemptLinks({ cells }: { cells: readonly EpisodeCell[] }) {
  return (
    <span className="flex flex-wrap gap-x-4 gap-y-1">
      {cells.map(({ episodeId, repetition, attempt, status }) => (
        <a
          className="inline-flex items-center gap-1.5 hover:underline"
          href={`/episodes/${episodeId}`}
          key={episodeId}
        >
          <OutcomeMark status={status} />
          {repetition}.{attempt} {OUTCOME_LABELS[status].word}
        </a>
      ))}
    </span>
  )
}
