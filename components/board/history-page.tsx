import type { HistoryQuery, HistoryRow, RowChange } from '#lib/domain/board/index.ts'
import { changeItem } from '#lib/domain/formats/index.ts'
import { countOf } from '#lib/domain/text/index.ts'
import { latestOf } from '../charts/build-figure.ts'
import { type ChartSource, FigureView } from '../charts/figure-view.tsx'
import { historyFigure } from '../charts/history-figure.ts'
import { formatDay, visibleText } from '../ui/format.ts'
import { PageHeading, Section } from '../ui/layout.tsx'
import { HistoryTable } from './history-table.tsx'

type History = { suiteId: string; suiteTitle: string; rows: readonly HistoryRow[] }

type HistoryPageProps = {
  history: History
  /** The entries of the history. */
  subject: HistoryQuery
  /** Significant changes, of it and others. */
  changes: readonly RowChange[]
}

/** Results of one agent over time, on every version of a suite. */
export function HistoryPage({ history, subject: { name, model }, changes: all }: HistoryPageProps) {
  const { suiteId, suiteTitle, rows } = history
  const changes = all.filter(
    ({ after }) =>
      after.suiteId === suiteId &&
      after.subject.name === name &&
      after.subject.modelRequested === model,
  )
  const figure = historyFigure('agent', rows)
  // The files contain exactly these entries; without its model, an agent has more.
  const entries = rows.map(({ rowId }) => rowId).join()
  const query = new URLSearchParams({ suite: suiteId, agent: name })
  return (
    <>
      <PageHeading
        title={[name, model]
          .filter(Boolean)
          .map((part) => visibleText(part ?? ''))
          .join(' · ')}
        trail={
          <a className="link" href={`/?suite=${encodeURIComponent(suiteId)}`}>
            {suiteTitle}
          </a>
        }
      >
        How the success rate changed over {countOf(rows.length, 'entry')}. Where a version or
        setting changed, entries are separate measurements and their difference can have several
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
        <ChangeList changes={changes} />
      </Section>
      {figure ? (
        <Section id="chart" title="Chart">
          <FigureView
            figure={figure}
            query={{ suite: suiteId, chart: 'history', agent: name, entries }}
            source={sourceOf(history)}
          />
        </Section>
      ) : null}
      <Section id="entries" title="Entries, oldest first">
        <HistoryTable rows={rows} suiteId={suiteId} />
      </Section>
    </>
  )
}

function sourceOf({ suiteId, suiteTitle: title, rows }: History): ChartSource {
  const digest = rows.at(-1)?.suiteDigest ?? ''
  return { suite: { suiteId, title, digest }, updated: latestOf(rows) }
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
