import type { EpisodeSummary, TaskTexts } from '#lib/domain/api/index.ts'
import {
  type BoardRow,
  entryStyles,
  rankPoolOf,
  rowPath,
  type TaskStatistics,
} from '#lib/domain/board/index.ts'
import { wilsonInterval } from '#lib/domain/statistics/index.ts'
import { countOf } from '#lib/domain/text/index.ts'
import { Whisker } from '../charts/whisker.tsx'
import { OUTCOME_LABELS } from '../run/outcome.tsx'
import { Table } from '../table/table.tsx'
import { durationColumn, textColumn } from '../ui/columns.tsx'
import type { DataColumn } from '../ui/data-column.ts'
import {
  formatCount,
  formatDuration,
  formatFailure,
  formatInstant,
  formatInterval,
  percentOf,
  UNKNOWN,
  visibleText,
} from '../ui/format.ts'
import { Section } from '../ui/layout.tsx'
import { LINES } from '../ui/plain-table.tsx'
import { MarkdownView } from './markdown-view.tsx'

/** Texts that an agent gets: instructions, and the stub to complete. */
export function TaskTextsView({ texts: { instructions, stub } }: { texts: TaskTexts }) {
  return (
    <div className={stub.length > 0 ? 'grid gap-x-8 lg:grid-cols-2' : 'max-w-4xl'}>
      {instructions.length > 0 ? (
        <Section id="instruction" title="Instruction">
          {instructions.map(({ path, text, isCut }) => (
            <div
              className="max-h-[34rem] overflow-auto rounded border border-line bg-surface px-4 py-3"
              key={path}
              // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard.
              tabIndex={0}
            >
              <MarkdownView text={isCut ? `${text.trim()} …` : text.trim()} />
            </div>
          ))}
        </Section>
      ) : null}
      {stub.length > 0 ? (
        <Section id="stub" title="Stub">
          {stub.map(({ path, text, isCut }) => (
            <figure key={path}>
              <figcaption className="mb-1 font-mono text-muted text-xs">
                {visibleText(path)}
              </figcaption>
              <pre
                className="untrusted max-h-[34rem] overflow-auto whitespace-pre-wrap rounded border border-line bg-surface px-4 py-3 text-xs"
                // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard.
                tabIndex={0}
              >
                {visibleText(text.trimEnd())}
                {isCut ? '\n…' : ''}
              </pre>
            </figure>
          ))}
        </Section>
      ) : null}
    </div>
  )
}

type Solver = {
  row: BoardRow
  /** Colour of the entry in charts. */
  colour: number | undefined
  solved: number
  scored: number
  low: number | null
  high: number | null
  /** Median time of the solved episodes; null = none solved, or times are missing. */
  medianMs: number | null
}

const SOLVER_COLUMNS: readonly DataColumn<Solver>[] = [
  {
    head: 'Entry',
    sort: ({ row }) => row.subject.name,
    facet: ({ row }) => row.subject.name,
    cell: ({ row }) => (
      <>
        <a
          className="untrusted font-semibold hover:underline"
          href={rowPath(row.suiteId, row.rowId)}
        >
          {visibleText(row.subject.name)}
        </a>
        {row.recovery === null ? null : <span className="text-muted"> under faults</span>}
        {isControl(row) ? <span className="text-muted"> (control)</span> : null}
      </>
    ),
    cellClass: 'col-span-2',
  },
  textColumn('Model', ({ row }) => row.subject.modelRequested),
  {
    head: 'Median time',
    name: 'Median time, ms',
    sort: ({ medianMs }) => medianMs,
    cell: ({ solved, medianMs }) =>
      medianMs === null ? (
        UNKNOWN
      ) : (
        <>
          {formatDuration(medianMs)}{' '}
          <span className="text-muted text-xs">n = {formatCount(solved)}</span>
        </>
      ),
    cellTitle: () => 'Median time of the solved episodes',
    numeric: true,
    cellClass: 'whitespace-nowrap col-span-2',
  },
  {
    head: 'Solved',
    sort: ({ solved, scored }) => solved / scored,
    csv: ({ solved, scored }) => `${solved}/${scored}`,
    descends: true,
    cell: ({ solved, scored }) => `${formatCount(solved)} of ${formatCount(scored)}`,
    numeric: true,
    cellClass: 'whitespace-nowrap',
  },
  {
    id: 'interval',
    head: <span className="sr-only">Interval</span>,
    label: null,
    cell: ({ row, colour, solved, scored, low, high }) => (
      <>
        <Whisker
          bar
          colour={colour}
          high={high}
          low={low}
          rate={solved / scored}
          solid={rankPoolOf(row) !== null}
        />
        <span className="sr-only">confidence interval {formatInterval(low, high)}</span>
      </>
    ),
    cellTitle: ({ low, high }) =>
      `95\u00a0% confidence interval ${formatInterval(low, high)} (Wilson)`,
    cellClass: 'col-span-3 md:w-56',
  },
]

type WhoSolvesProps = {
  taskId: string
  rows: readonly BoardRow[]
  statistics: TaskStatistics['tasks'][number] | undefined
}

const isControl = ({ subject }: BoardRow) => subject.kind === 'control'

/** Entries that tried a task, best first, and its difficulty; controls come last. */
export function WhoSolves({ taskId, rows, statistics }: WhoSolvesProps) {
  const styles = entryStyles(rows)
  const solvers = rows.flatMap((row): Solver[] => {
    const count = row.tasks.find((task) => task.taskId === taskId)
    if (!count || count.scored === 0) return []
    const interval = wilsonInterval(count.solved, count.scored)
    const { low, high } = interval.ok ? interval.value : { low: null, high: null }
    const { solved, scored, spent } = count
    return [
      {
        row,
        colour: styles.get(row.rowId)?.colour,
        solved,
        scored,
        low,
        high,
        medianMs: spent?.solvedP50Ms ?? null,
      },
    ]
  })
  solvers.sort(
    (a, b) =>
      Number(isControl(a.row)) - Number(isControl(b.row)) ||
      b.solved / b.scored - a.solved / a.scored ||
      b.scored - a.scored,
  )
  return (
    <Section
      aside={
        statistics && statistics.rows > 0 ? (
          <span title="Without controls, entries under faults, and unranked uploads">
            Mean success {percentOf(statistics.mean)} over{' '}
            {countOf(statistics.rows, 'comparable entry')}
          </span>
        ) : null
      }
      id="solved-by"
      title="Who solves it"
    >
      {solvers.length === 0 ? (
        <p className="border-line border-t py-2 text-muted">No entry has tried this task yet.</p>
      ) : (
        <Table
          name="solvers"
          what="entry"
          cards="md"
          cellClass="md:px-2.5 md:py-1.5"
          className="w-full border-line border-b bg-surface"
          columns={SOLVER_COLUMNS}
          headClass="border-line border-b px-2.5 py-2 text-muted text-xs"
          keyOf={({ row }) => row.rowId}
          rowProps={() => ({
            className: 'grid-cols-3 gap-x-3 gap-y-1 border-line border-t px-3 py-2',
          })}
          rows={solvers}
        />
      )}
    </Section>
  )
}

const EPISODE_COLUMNS: readonly DataColumn<EpisodeSummary>[] = [
  {
    head: 'Started',
    sort: ({ startedAt }) => startedAt,
    descends: true,
    cell: ({ episodeId, startedAt }) => (
      <a className="link whitespace-nowrap" href={`/episodes/${episodeId}`}>
        {formatInstant(startedAt)}
      </a>
    ),
  },
  textColumn('Entry', ({ subject }) => subject.name),
  {
    head: 'Outcome',
    sort: outcomeOf,
    facet: outcomeOf,
    cell: outcomeOf,
  },
  durationColumn('Duration', ({ totalMs }) => totalMs),
]

function outcomeOf({ status, failureCategory }: EpisodeSummary): string {
  const failure = failureCategory ? formatFailure(failureCategory) : null
  return [OUTCOME_LABELS[status].word, failure].filter(Boolean).join(' · ')
}

/** The latest attempts at a task. */
export function LatestEpisodes({ episodes }: { episodes: readonly EpisodeSummary[] }) {
  if (episodes.length === 0) return null
  return (
    <Section id="episodes" title="Latest episodes">
      <Table
        {...LINES}
        caption="Latest episodes"
        columns={EPISODE_COLUMNS}
        keyOf={({ episodeId }) => episodeId}
        name="episodes"
        prefix="episodes"
        rows={episodes}
        what="episode"
      />
    </Section>
  )
}
