import { createLoader, parseAsString, parseAsStringLiteral } from 'nuqs/server'
import {
  AXIS_ROLES,
  type AxisReport,
  countMeasured,
  countMeasuredRows,
  type InducedError,
  type LibraryRow,
  type LibraryTableReport as Table,
} from '#lib/domain/reports/index.ts'
import { countOf } from '#lib/domain/text/index.ts'
import type { DataColumn } from '../ui/data-column.ts'
import { formatInstant, formatRowCounts, visibleText } from '../ui/format.ts'
import { DataTable } from '../ui/table.tsx'
import { columnHeading, formatMetric } from './format-metric.ts'
import { describeFinding } from './report-finding.ts'
import { RoleMark } from './report-table.tsx'

/** One row per axis: letters, title, the main finding or the role, and number of entries with data. */
export function AxisList({ reports }: { reports: readonly AxisReport[] }) {
  return (
    <ul className="border-line border-b">
      {reports.map((report) => {
        const { axis, suite } = report
        return (
          <li
            className="grid grid-cols-[2.5rem_minmax(0,1fr)] gap-x-3 gap-y-0.5 border-line border-t py-2 sm:min-h-9 lg:grid-cols-[2.5rem_minmax(0,24rem)_minmax(0,1fr)_8rem] lg:items-baseline"
            key={axis.slug}
          >
            <span className="font-mono text-muted text-xs leading-5">
              {axis.letters.join('/') || <span aria-hidden="true">·</span>}
            </span>
            <a
              className="justify-self-start font-semibold text-base hover:underline"
              href={`/reports/${axis.slug}?suite=${encodeURIComponent(suite.suiteId)}`}
            >
              {axis.title}
            </a>
            <span className="max-lg:col-start-2">
              {describeFinding(report) ?? (
                <span className="text-muted">{AXIS_ROLES[axis.role]}</span>
              )}
            </span>
            <span className="max-lg:col-start-2 lg:text-right">
              {formatMetrics(report) ?? <span className="text-muted">no data</span>}
            </span>
          </li>
        )
      })}
    </ul>
  )
}

function formatMetrics(report: AxisReport): string | null {
  const rows = countMeasuredRows(report)
  const controls = countMeasuredRows(onlyControls(report))
  if (rows > 0)
    return rows === controls ? countOf(rows, 'control') : formatRowCounts({ rows, controls })
  const libraries = report.libraries ? countMeasured(report.libraries) : 0
  return libraries > 0 ? countOf(libraries, 'library') : null
}

/** Controls only: they check the instrument and are not counted as entries. */
function onlyControls(report: AxisReport): AxisReport {
  const others = report.others.filter(({ subject }) => subject.kind === 'control')
  return { ...report, claims: [], others }
}

/** Library measurements, one row per version. */
export function LibraryTable({ table: { columns, rows } }: { table: Table }) {
  return (
    <>
      <DataTable
        caption="Library measurements by version"
        columns={[
          {
            head: 'Library',
            cell: ({ name, version }) => (
              <>
                {visibleText(name)}{' '}
                <span className="font-normal text-muted">{visibleText(version)}</span>
              </>
            ),
            rowHeader: 'font-medium',
            className: 'pr-4',
            cellClass: 'untrusted h-9 min-w-44',
          },
          ...columns.map(figureColumn),
          {
            head: 'Measured',
            cell: ({ measuredAt }) =>
              measuredAt === null ? 'not measured' : formatInstant(measuredAt),
            numeric: true,
            cellClass: 'whitespace-nowrap text-muted text-xs',
          },
        ]}
        headClass="border-line-strong border-b py-2 align-bottom text-muted text-xs"
        keyOf={({ name, version }) => `${name} ${version}`}
        rows={rows}
        scroll={{ name: 'Figures of the libraries' }}
      />
      {rows.map(({ name, version, errors }) =>
        errors && errors.length > 0 ? (
          <InducedErrors errors={errors} key={`${name} ${version}`} name={`${name} ${version}`} />
        ) : null,
      )}
    </>
  )
}

function figureColumn(column: Table['columns'][number]): DataColumn<LibraryRow> {
  const wordsOf = ({ values }: LibraryRow) => formatMetric(column, values[column.id])
  return {
    id: column.id,
    head: (
      <>
        <span className="block">{columnHeading(column)}</span>
        <RoleMark role={column.role} />
      </>
    ),
    title: column.meaning,
    numeric: true,
    className: 'pr-4',
    headClass: 'min-w-28',
    cell: (row) => wordsOf(row).text,
    cellTitle: (row) => wordsOf(row).title,
    cellClass: 'whitespace-nowrap text-muted',
  }
}

/** Error messages of a library for induced errors. */
function InducedErrors({ name, errors }: { name: string; errors: readonly InducedError[] }) {
  return (
    <details className="border-line border-b">
      <summary className="py-2 hover:bg-sunken">Induced errors of {visibleText(name)}</summary>
      <dl className="pb-3">
        {errors.map(({ induced, message, actionable }) => (
          <div
            className="grid gap-x-5 gap-y-1 py-1.5 md:grid-cols-[16rem_minmax(0,1fr)]"
            key={induced}
          >
            <dt className="untrusted">
              {visibleText(induced)}{' '}
              <span className={actionable ? 'text-good' : 'text-bad'}>
                {actionable ? '· actionable' : '· not actionable'}
              </span>
            </dt>
            <dd>
              <pre className="untrusted whitespace-pre-wrap rounded bg-sunken p-2 text-xs">
                {message === null ? 'No error message.' : visibleText(message)}
              </pre>
            </dd>
          </div>
        ))}
      </dl>
    </details>
  )
}

/** The reports' view state in the URL. */
export const loadReportView = createLoader({
  suite: parseAsString,
  /** Scale of the cost axis in a chart. */
  scale: parseAsStringLiteral(['log', 'linear'] as const).withDefault('log'),
})
