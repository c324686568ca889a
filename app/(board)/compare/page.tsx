import type { Metadata } from 'next'
import { cache } from 'react'
import { NoEntries } from '#components/board/no-entries.tsx'
import { ArmEffects } from '#components/compare/arm-effects.tsx'
import { RowChooser } from '#components/compare/compare-controls.tsx'
import { ComparedCharts } from '#components/compare/compared-charts.tsx'
import { ComparedTasks, DIFFERS } from '#components/compare/compared-tasks.tsx'
import {
  CitationNote,
  ComparedRows,
  CompareToolbar,
  VerdictList,
} from '#components/compare/comparison.tsx'
import { ComparisonRefused } from '#components/compare/comparison-refused.tsx'
import { PairsTable } from '#components/compare/pairs-table.tsx'
import { toChooserGroups } from '#components/compare/to-chooser-groups.ts'
import { visibleText } from '#components/ui/format.ts'
import { PageHeading, Section, ShortDigest } from '#components/ui/layout.tsx'
import {
  type ComparisonView,
  comparePath,
  MAX_COMPARED_ROWS,
  nameRows,
  parseRowIds,
} from '#lib/domain/compare/index.ts'
import { countOf } from '#lib/domain/text/index.ts'
import { getBoard } from '#lib/server/board/board.ts'
import { getComparison, listComparableRows, listFlipEpisodes } from '#lib/server/board/compare.ts'
import { linkPreview } from '#lib/server/http/preview-image.ts'

export const dynamic = 'force-dynamic'

type ComparePageProps = { searchParams: Promise<Record<string, string | string[] | undefined>> }

const readComparison = cache((rows: string) => getComparison(parseRowIds(rows)))

export async function generateMetadata({ searchParams }: ComparePageProps): Promise<Metadata> {
  const rowIds = parseRowIds((await searchParams).rows)
  const comparison = rowIds.length > 0 ? await readComparison(rowIds.join()) : null
  if (!comparison?.ok) return { title: 'Compare' }
  const sentences = comparison.pairs.slice(0, 3).map(({ sentence }) => visibleText(sentence))
  return linkPreview({
    title: titleOf(comparison),
    description: `${sentences.join(' ')} ${comparison.standing.kind === 'claim' ? 'Safe to cite.' : 'Diagnostic only.'}`,
    path: comparePath(rowIds),
    picture: `/api/v1/compare/preview.png?rows=${rowIds.map(encodeURIComponent).join()}`,
  })
}

/** A comparison of rows, or a list of rows to select from. */
export default async function ComparePage({ searchParams }: ComparePageProps) {
  const { rows, pair, q } = await searchParams
  const rowIds = parseRowIds(rows)
  const query = typeof q === 'string' ? q : ''
  if (rowIds.length === 0) return <Choice chosen={[]} query={query} />
  const comparison = await readComparison(rowIds.join())
  if (comparison.ok) return <Compared pair={Number(pair) - 1} view={comparison} />
  return (
    <Choice chosen={rowIds} query={query}>
      {comparison.code === 'too-few-rows' ? (
        <p className="text-base">Select at least one more entry.</p>
      ) : (
        <ComparisonRefused refusal={comparison} />
      )}
    </Choice>
  )
}

type ChoiceProps = { chosen: readonly string[]; query: string; children?: React.ReactNode }

async function Choice({ chosen, query, children }: ChoiceProps) {
  const groups = toChooserGroups(await listComparableRows(), chosen)
  return (
    <>
      <PageHeading title="Compare">
        Compare entries of the same suite version task by task, with tests for significant
        differences.
      </PageHeading>
      {children ? <div className="mb-4">{children}</div> : null}
      {groups.length > 0 ? (
        <RowChooser chosen={chosen} groups={groups} key={chosen.join()} query={query} />
      ) : (
        <NoEntries />
      )}
    </>
  )
}

async function Compared({ view, pair }: { view: ComparisonView; pair: number }) {
  const { rows, pairs, suite, multiplicity, notes } = view
  const rowIds = rows.map(({ rowId }) => rowId)
  const chosen = pairs[pair] ? pair : 0
  const board = await getBoard(suite.suiteId, suite.digest)
  const addable = rows.length < MAX_COMPARED_ROWS ? await listAddable(view) : []
  return (
    <>
      <PageHeading title={titleOf(view)}>
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
      <CompareToolbar addable={addable} pair={chosen} rowIds={rowIds} />
      <Section aside={countOf(rows.length, 'entry')} id="rows" title="Entries">
        <ComparedRows rows={rows} />
      </Section>
      <Section
        aside={`${countOf(pairs.length, 'pair')}; filled markers are safe to cite`}
        id="pairs"
        title="Pairs"
      >
        <PairsTable chosen={chosen} comparison={view} />
      </Section>
      <TaskSection chosen={chosen} view={view} />
      {board ? <ComparedCharts board={board} rows={rows} /> : null}
    </>
  )
}

async function TaskSection({ view, chosen }: { view: ComparisonView; chosen: number }) {
  const { pairs, rows, tasks } = view
  const pair = pairs[chosen]
  const [a, b] = [pair?.a, pair?.b].map((id) => rows.find(({ rowId }) => rowId === id))
  if (!pair || !a || !b) return null
  const here = comparePath(
    rows.map(({ rowId }) => rowId),
    chosen,
  )
  return (
    <Section aside="Solved of scored episodes" id="tasks" title="Tasks">
      <p className="untrusted mb-2 text-muted" id="flipped">
        The majority outcome of {visibleText(a.name)} and {visibleText(b.name)} differs on{' '}
        {pair.flipped.length} of {countOf(tasks.length, 'task')}.{' '}
        {pair.flipped.length > 0 ? (
          <>
            <a className="link" href={`${here}&f=outcome:${DIFFERS}#tasks`}>
              Only differing
            </a>{' '}
            ·{' '}
            <a className="link" href={`${here}#tasks`}>
              All tasks
            </a>
          </>
        ) : null}
        {pairs.length > 1 ? ' Select another pair above.' : ''}
      </p>
      <ComparedTasks
        episodes={await listFlipEpisodes(pair, [a, b])}
        pair={{ a, b, flipped: pair.flipped }}
        rows={rows}
        tasks={tasks}
      />
    </Section>
  )
}

/** The other rows of the same version with unique names. */
async function listAddable({ suite, rows }: ComparisonView) {
  const compared = new Set(rows.map(({ rowId }) => rowId))
  const version = (await listComparableRows()).find(({ digest }) => digest === suite.digest)
  const names = nameRows(version?.rows ?? [])
  return [...names].flatMap(([rowId, name]) => (compared.has(rowId) ? [] : [{ rowId, name }]))
}

function titleOf({ rows }: ComparisonView): string {
  const [a, b, ...more] = rows.map(({ name }) => visibleText(name))
  return more.length === 0 ? `${a} vs. ${b}` : `Comparison of ${countOf(rows.length, 'entry')}`
}
