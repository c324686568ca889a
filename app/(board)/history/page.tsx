import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { createLoader, parseAsString, type SearchParams } from 'nuqs/server'
import { HistoryIndex } from '#components/board/history-index.tsx'
import { HistoryTable } from '#components/board/history-table.tsx'
import { NoEntries } from '#components/board/no-entries.tsx'
import { latestOf } from '#components/charts/build-figure.ts'
import { type ChartSource, FigureView } from '#components/charts/figure-view.tsx'
import { historyFigure } from '#components/charts/history-figure.ts'
import { FeedLinks } from '#components/ui/feed-links.tsx'
import { formatDay, visibleText } from '#components/ui/format.ts'
import { PageHeading, Section } from '#components/ui/layout.tsx'
import type { RowChange } from '#lib/domain/board/index.ts'
import { changeItem } from '#lib/domain/formats/index.ts'
import { countOf } from '#lib/domain/text/index.ts'
import { getHistory, type History, listHistories } from '#lib/server/board/board.ts'
import { listRowChanges } from '#lib/server/board/row-changes.ts'

export const dynamic = 'force-dynamic'
export const metadata: Metadata = { title: 'History' }

type HistoryPageProps = { searchParams: Promise<SearchParams> }

const loadQuery = createLoader({
  suite: parseAsString.withDefault(''),
  subject: parseAsString.withDefault(''),
  model: parseAsString,
})

/** Results of one agent over time, on every version of a suite. */
export default async function HistoryPage({ searchParams }: HistoryPageProps) {
  const { suite, subject, model } = await loadQuery(searchParams)
  if (subject === '') return <Histories suite={suite} />
  const history = await getHistory(suite, { name: subject, model })
  if (!history || history.rows.length === 0) return notFound()
  const changes = await listRowChanges()
  const own = changes.filter(
    ({ after }) =>
      after.suiteId === history.suiteId &&
      after.subject.name === subject &&
      after.subject.modelRequested === model,
  )
  const figure = historyFigure('agent', history.rows)
  // The files contain exactly these entries; without its model, an agent has more.
  const entries = history.rows.map(({ rowId }) => rowId).join()
  const query = new URLSearchParams({ suite: history.suiteId, agent: subject })
  return (
    <>
      <FeedLinks about={`${subject} on ${history.suiteTitle}`} query={String(query)} />
      <PageHeading
        title={[subject, model]
          .filter(Boolean)
          .map((part) => visibleText(part ?? ''))
          .join(' · ')}
        trail={
          <a className="link" href={`/?suite=${encodeURIComponent(suite)}`}>
            {history.suiteTitle}
          </a>
        }
      >
        How the success rate changed over {countOf(history.rows.length, 'entry')}. Where a version
        or setting changed, entries are separate measurements and their difference can have several
        causes.
      </PageHeading>
      <Section
        aside={
          <a className="link" href={`/feed.xml?${query}`}>
            Feed
          </a>
        }
        id="changes"
        title="Significant changes"
      >
        <ChangeList changes={own} />
      </Section>
      {figure ? (
        <Section id="chart" title="Chart">
          <FigureView
            figure={figure}
            query={{ suite: history.suiteId, chart: 'history', agent: subject, entries }}
            source={sourceOf(history)}
          />
        </Section>
      ) : null}
      <Section id="entries" title="Entries, oldest first">
        <HistoryTable rows={history.rows} suiteId={suite} />
      </Section>
    </>
  )
}

function sourceOf({ suiteId, suiteTitle: title, rows }: History): ChartSource {
  const digest = rows.at(-1)?.suiteDigest ?? ''
  return { suite: { suiteId, title, digest }, updated: latestOf(rows) }
}

/** Histories of one suite if it is known, otherwise of all. */
async function Histories({ suite }: { suite: string }) {
  const own = suite === '' ? [] : await listHistories(suite)
  const suites = own.length > 0 ? own : await listHistories(null)
  return (
    <>
      <PageHeading title="History">
        {suites.length > 0
          ? 'How the success rate of an agent or library changed over versions and dates. Choose one.'
          : 'How the success rate of an agent or library changes over versions and dates.'}
      </PageHeading>
      {suites.length === 0 ? <NoEntries /> : null}
      <HistoryIndex suites={suites} />
    </>
  )
}

/** Lists changes that a test finds significant, not apparent differences of two points. */
function ChangeList({ changes }: { changes: readonly RowChange[] }) {
  if (changes.length === 0) {
    return (
      <p className="max-w-3xl text-muted">
        None. Consecutive ranked entries of the same model, settings and sender are tested, and all
        tests of this server are corrected together.{' '}
        <a className="link" href="/methodology/costs#changes">
          How changes are tested
        </a>
      </p>
    )
  }
  return (
    <ul className="max-w-4xl border-line border-b">
      {changes.map((change) => {
        const { title, text, path, at } = changeItem(change)
        return (
          <li className="border-line border-t py-2" key={path}>
            <a className="untrusted font-medium hover:underline" href={path}>
              {visibleText(title)}
            </a>
            <p className="untrusted text-muted">
              <time dateTime={at}>{formatDay(at)}</time>. {visibleText(text)}
            </p>
          </li>
        )
      })}
    </ul>
  )
}
