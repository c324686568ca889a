import type { ReactNode } from 'react'
import { type Board, type EntryStyle, entryStyles, rankPoolOf } from '#lib/domain/board/index.ts'
import { type ComparedRow, type ComparisonView, comparePath } from '#lib/domain/compare/index.ts'
import { countOf } from '#lib/domain/text/index.ts'
import { chooseCurves, latestOf } from '../charts/build-figure.ts'
import { costFigure } from '../charts/cost-figure.ts'
import { distributionFigure } from '../charts/ecdf-figure.ts'
import { failureFigure } from '../charts/failure-figure.ts'
import { toChartEntries } from '../charts/figure.ts'
import { FigureList } from '../charts/figure-list.tsx'
import { reliabilityFigure } from '../charts/reliability-figure.ts'
import { visibleText } from '../ui/format.ts'
import { PageHeading, Section, ShortDigest } from '../ui/layout.tsx'
import { ArmEffects } from './arm-effects.tsx'
import { ComparedTasks, type ComparedTasksProps, DIFFERS } from './compared-tasks.tsx'
import { CitationNote, ComparedRows, VerdictList } from './comparison.tsx'
import { PairsTable } from './pairs-table.tsx'

type ComparedPageProps = {
  view: ComparisonView
  board: Board | null
  /** The pair whose tasks are shown; null = there is none. */
  shown: ShownPair | null
  /** Actions that need a server. */
  toolbar?: ReactNode
}

/** A pair of a comparison, by its index, with the episodes of its differing tasks. */
export type ShownPair = {
  index: number
  a: ComparedRow
  b: ComparedRow
  episodes: ComparedTasksProps['episodes']
}

/** The two rows of a pair; null = the comparison has no such pair. */
export function rowsOfPair(
  { pairs, rows }: ComparisonView,
  index: number,
): Pick<ShownPair, 'index' | 'a' | 'b'> | null {
  const pair = pairs[index]
  const [a, b] = [pair?.a, pair?.b].map((id) => rows.find(({ rowId }) => rowId === id))
  return a && b ? { index, a, b } : null
}

/** Entries of one suite version, compared with each other. */
export function ComparedPage({ view, board, shown, toolbar }: ComparedPageProps) {
  const { rows, pairs, suite, multiplicity, notes } = view
  const styles = entryStyles(board?.rows ?? [])
  return (
    <>
      <PageHeading title={compareTitle(view)}>
        <span className="untrusted">
          {visibleText(suite.title)} {suite.version} <ShortDigest digest={suite.digest} />,{' '}
          {countOf(suite.tasks, 'task')}
        </span>
      </PageHeading>
      <VerdictList pairs={pairs} />
      <div className="mt-4 max-w-4xl space-y-2">
        <CitationNote
          claims={pairs.filter(({ isClaim }) => isClaim).length}
          standing={view.standing}
        />
        <p className="untrusted text-muted" id="multiplicity">
          {[multiplicity.text, ...notes].map(visibleText).join(' ')}
        </p>
      </div>
      {view.arms ? (
        <Section id="arms" title="Arms against the baseline">
          <ArmEffects arms={view.arms} />
        </Section>
      ) : null}
      {toolbar}
      <Section aside={countOf(rows.length, 'entry')} id="rows" title="Entries">
        <ComparedRows rows={rows} styles={styles} />
      </Section>
      <Section
        aside={`${countOf(pairs.length, 'pair')}; filled markers are safe to cite`}
        id="pairs"
        title="Pairs"
      >
        <PairsTable chosen={shown?.index ?? 0} comparison={view} />
      </Section>
      {shown ? <TaskSection shown={shown} view={view} /> : null}
      {board ? <ComparedCharts board={board} rows={rows} styles={styles} /> : null}
    </>
  )
}

type TaskSectionProps = { view: ComparisonView; shown: ShownPair }

function TaskSection({ view, shown: { index, a, b, episodes } }: TaskSectionProps) {
  const { pairs, rows, tasks } = view
  const flipped = pairs[index]?.flipped ?? []
  const here = comparePath(
    rows.map(({ rowId }) => rowId),
    index,
  )
  return (
    <Section aside="Solved of scored episodes" id="tasks" title="Tasks">
      <p className="untrusted mb-2 text-muted" id="flipped">
        The majority outcome of {visibleText(a.name)} and {visibleText(b.name)} differs on{' '}
        {flipped.length} of {countOf(tasks.length, 'task')}.{' '}
        {flipped.length > 0 ? (
          <span className="whitespace-nowrap" data-needs-server>
            <a className="link" href={`${here}&f=outcome:${DIFFERS}#tasks`}>
              Only differing
            </a>{' '}
            ·{' '}
            <a className="link" href={`${here}#tasks`}>
              All tasks
            </a>
          </span>
        ) : null}
        {pairs.length > 1 ? ' Select another pair above.' : ''}
      </p>
      <ComparedTasks episodes={episodes} pair={{ a, b, flipped }} rows={rows} tasks={tasks} />
    </Section>
  )
}

/** Heading of a comparison. */
export function compareTitle({ rows }: ComparisonView): string {
  const [a, b, ...more] = rows.map(({ name }) => visibleText(name))
  return more.length === 0 ? `${a} vs. ${b}` : `Comparison of ${countOf(rows.length, 'entry')}`
}

type ComparedChartsProps = {
  board: Board
  rows: readonly ComparedRow[]
  styles: ReadonlyMap<string, EntryStyle>
}

/** The compared entries side by side: cost, time, consistency, failures. */
function ComparedCharts({ board, rows, styles }: ComparedChartsProps) {
  const compared = rows.flatMap(({ rowId }) => board.rows.find((row) => row.rowId === rowId) ?? [])
  const entries = toChartEntries(compared, rankPoolOf, styles)
  const curves = chooseCurves(entries)
  const figures = [
    { chart: 'cost', figure: costFigure(entries, 'log') },
    { chart: 'time-distribution', figure: distributionFigure('time-distribution', curves, 'log') },
    { chart: 'reliability', figure: reliabilityFigure(curves) },
    { chart: 'failures', figure: failureFigure(entries) },
  ]
  if (figures.every(({ figure }) => figure === null)) return null
  const { suiteId: suite, digest: version } = board.suite
  return (
    <Section id="charts" title="Charts">
      <FigureList
        entries={entries}
        figures={figures}
        query={{ suite, version }}
        source={{ suite: board.suite, updated: latestOf(compared) }}
      />
    </Section>
  )
}
