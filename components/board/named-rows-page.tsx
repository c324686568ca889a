import type { NamedKind, NamedRow, NamedRows } from '#lib/domain/api/index.ts'
import {
  EVIDENCE_WORDS,
  formatConditions,
  formatRank,
  formatShape,
  rankPoolOf,
} from '#lib/domain/board/index.ts'
import { countOf } from '#lib/domain/text/index.ts'
import { Whisker } from '../charts/whisker.tsx'
import { OUTCOME_LABELS } from '../run/outcome.tsx'
import { FeedLink } from '../ui/feed-links.tsx'
import {
  formatCount,
  formatDay,
  formatDuration,
  formatFailure,
  formatPercent,
  formatRate,
  percentOf,
  visibleText,
} from '../ui/format.ts'
import { PageHeading, ProgressBar, Section } from '../ui/layout.tsx'
import { NamedCharts } from './named-charts.tsx'
import { EntryTable, type EntryTableProps } from './named-entry-table.tsx'
import { costCell } from './row-figures.ts'

type NamedRowsPageProps = { kind: NamedKind; found: NamedRows }

/** All results of one agent or library, or with one model: entries, categories, failures, history, runs. */
export function NamedRowsPage({ kind, found: { name, rows, outcomes } }: NamedRowsPageProps) {
  const current = rows.filter(({ isCurrent }) => isCurrent)
  const suites = [...new Set(rows.map(({ row }) => row.suiteId))]
  return (
    <>
      <PageHeading
        title={visibleText(name)}
        trail={
          <a className="link" href={kind === 'model' ? '/models' : '/agents'}>
            {kind === 'model' ? 'Models' : 'Agents and libraries'}
          </a>
        }
      >
        {kindWord(kind, rows)} · {formatEntries(current.length, rows.length - current.length)} on{' '}
        {countOf(suites.length, 'suite')} ·{' '}
        {countOf(
          rows.reduce((sum, { row }) => sum + row.success.attempts, 0),
          'scored episode',
        )}
        {kind === 'agent' ? <FeedLink agent={name} /> : null}
      </PageHeading>
      <Headline kind={kind} rows={current} />
      <Section id="entries" title="Entries">
        <EntryTable kind={kind} rows={rows} />
      </Section>
      <NamedCharts kind={kind} rows={rows} />
      <div className="grid gap-x-10 lg:grid-cols-2">
        <Categories kind={kind} rows={current} />
        <Outcomes outcomes={outcomes} />
      </div>
      <Runs kind={kind} rows={rows} />
    </>
  )
}

/** `3 entries, 2 of earlier versions`; the number of episodes covers all of them. */
function formatEntries(current: number, earlier: number): string {
  const entries = countOf(current, 'current entry')
  return earlier === 0 ? entries : `${entries} and ${earlier} of earlier versions`
}

function kindWord(kind: NamedKind, rows: readonly NamedRow[]): string {
  if (kind === 'model') return 'Model'
  const first = rows[0]?.row.subject.kind
  return first === 'library' ? 'Browser library' : first === 'control' ? 'Control' : 'Agent'
}

/** The success rate of its best-ranked entry on each suite. */
function Headline({ kind, rows }: EntryTableProps) {
  const firsts = rows
    .filter(
      ({ row }, index) => rows.findIndex((other) => other.row.suiteId === row.suiteId) === index,
    )
    .slice(0, MAX_HEADLINES)
  return (
    <ul className="space-y-3">
      {firsts.map((named) => {
        const { row, style } = named
        const { rate, spread } = formatRate(row.success.rate, row.success.low, row.success.high)
        const facts = [
          ['Rank', formatRank(row.rank) ?? EVIDENCE_WORDS[row.label].word],
          ['Cost / success', costCell(row).text],
          ['Time p50', formatDuration(row.solvedMs.p50)],
          ['Tasks × runs', formatShape(row)],
        ] as const
        return (
          <li
            className="grid items-center gap-x-8 gap-y-2 rounded-lg border border-line bg-surface px-4 py-3 lg:grid-cols-[15rem_minmax(0,1fr)_26rem]"
            key={row.rowId}
          >
            <div title={row.success.method}>
              <p className="untrusted text-muted">{entryName(kind, named)}</p>
              <p>
                <span className="font-semibold text-3xl tracking-tight">{rate}</span>
                {row.success.rate === null ? null : <span className="text-muted">&nbsp;% </span>}
                <span className="text-muted text-xs">{spread}</span>
              </p>
            </div>
            <Whisker bar colour={style?.colour} {...row.success} solid={rankPoolOf(row) !== null} />
            <dl className="grid grid-cols-2 gap-x-4 gap-y-1 sm:grid-cols-4">
              {facts.map(([name, value]) => (
                <div key={name}>
                  <dt className="text-muted text-xs">{name}</dt>
                  <dd className="font-medium">{value}</dd>
                </div>
              ))}
            </dl>
          </li>
        )
      })}
    </ul>
  )
}

const MAX_HEADLINES = 3

/**
 * The suite of an entry, and what distinguishes it from the others on this page: a model's agent, a fault, a cold
 * browser.
 */
function entryName(kind: NamedKind, { row, suiteTitle }: NamedRow): string {
  const parts = [suiteTitle, kind === 'model' ? row.subject.name : null, formatConditions(row)]
  return parts.filter(isKnown).map(visibleText).join(' · ')
}

/** Success by task category, for the first current entry of each suite. */
function Categories({ kind, rows }: EntryTableProps) {
  const firsts = rows.filter(
    (named, index) =>
      named.categories.length > 1 &&
      rows.findIndex(({ row }) => row.suiteId === named.row.suiteId) === index,
  )
  if (firsts.length === 0) return null
  return (
    <Section aside="Diagnostic: few tasks each" id="categories" title="By category">
      <div className="space-y-6">
        {firsts.map((named) => (
          <div key={named.row.rowId}>
            <h3 className="untrusted mb-1.5 font-medium">{entryName(kind, named)}</h3>
            <ul className="border-line border-b">
              {named.categories.map(({ category, rate, low, high, shape }) => (
                <li
                  className="flex flex-wrap items-center gap-3 border-line border-t py-1.5 sm:grid sm:grid-cols-[minmax(0,1fr)_minmax(5rem,9rem)_4.5rem_4.5rem] [&>progress]:flex-1 [&>progress]:basis-12"
                  key={category}
                >
                  <span className="untrusted min-w-0 flex-1 basis-24">{visibleText(category)}</span>
                  <ProgressBar done={rate} label={`Success in ${category}`} total={1} />
                  <span className="w-18 whitespace-nowrap text-right leading-tight">
                    {percentOf(rate)}
                    <span
                      className="block text-muted text-xs"
                      title="95&nbsp;% confidence interval"
                    >
                      {formatPercent(low)}–{formatPercent(high)}
                    </span>
                  </span>
                  <span
                    className="w-14 whitespace-nowrap text-right text-muted text-xs sm:w-auto"
                    title="Tasks × runs"
                  >
                    {shape}
                  </span>
                </li>
              ))}
            </ul>
          </div>
        ))}
      </div>
    </Section>
  )
}

function Outcomes({ outcomes }: Pick<NamedRows, 'outcomes'>) {
  const total = outcomes.reduce((sum, { episodes }) => sum + episodes, 0)
  if (total === 0) return null
  return (
    <Section aside={countOf(total, 'attempt')} id="outcomes" title="How attempts ended">
      <ul className="border-line border-b">
        {outcomes.map(({ status, failureCategory, episodes }) => (
          <li
            className="flex flex-wrap items-center gap-3 border-line border-t py-1.5 sm:grid sm:grid-cols-[minmax(7rem,1fr)_minmax(3rem,12rem)_3rem] [&>progress]:flex-1 [&>progress]:basis-12"
            key={`${status} ${failureCategory}`}
          >
            <span className="min-w-0 flex-1 basis-28">
              {OUTCOME_LABELS[status].word}
              {failureCategory ? (
                <span className="text-muted"> · {formatFailure(failureCategory)}</span>
              ) : null}
            </span>
            <ProgressBar
              done={episodes}
              label={`Attempts: ${OUTCOME_LABELS[status].word}`}
              total={total}
            />
            <span className="w-12 text-right">{formatCount(episodes)}</span>
          </li>
        ))}
      </ul>
    </Section>
  )
}

const MAX_RUNS = 12

/** Each run once: the entries of its arms share it. */
function Runs({ kind, rows }: EntryTableProps) {
  const listed = rows.flatMap((named) =>
    named.row.runIds.map((runId, index, { length }) => ({
      runId,
      name: [...runParts(kind, named), ...(length > 1 ? [`run ${index + 1} of ${length}`] : [])],
    })),
  )
  const runs = [...new Map(listed.map((run) => [run.runId, run])).values()]
  return (
    <Section aside={countOf(runs.length, 'run')} id="runs" title="Runs">
      <ul className="grid gap-x-10 gap-y-1 md:grid-cols-2">
        {runs.slice(0, MAX_RUNS).map(({ runId, name }) => (
          <li key={runId}>
            <a className="link untrusted" href={`/runs/${runId}`} title={runId}>
              {name.map(visibleText).join(' · ')}
            </a>
          </li>
        ))}
      </ul>
      {runs.length > MAX_RUNS ? (
        <p className="mt-2 text-muted">
          The first {MAX_RUNS} of {runs.length}; each entry lists its own.
        </p>
      ) : null}
    </Section>
  )
}

/** The subject and date of a run. */
function runParts(kind: NamedKind, { row, suiteTitle, isCurrent }: NamedRow): string[] {
  const { name, modelRequested, version } = row.subject
  return [
    isCurrent ? suiteTitle : `${suiteTitle} (earlier version)`,
    kind === 'model' ? name : modelRequested,
    version,
    formatConditions(row),
    formatDay(row.lastStartedAt),
  ].filter(isKnown)
}

const isKnown = (part: string | null) => part !== null
