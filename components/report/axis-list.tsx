import { createLoader, parseAsString, parseAsStringLiteral } from 'nuqs/server'
import { formatConditions, formatRowCounts } from '#lib/domain/board/index.ts'
import { subjectLabel } from '#lib/domain/record/index.ts'
import {
  AXIS_ROLES,
  type AxisColumn,
  type AxisReport,
  type AxisRow,
  countMeasured,
  countMeasuredRows,
  type InducedError,
  type LibraryRow,
  type LibraryTableReport as Table,
} from '#lib/domain/reports/index.ts'
import { countOf } from '#lib/domain/text/index.ts'
import type { DataColumn } from '../ui/data-column.ts'
import { formatInstant, visibleText } from '../ui/format.ts'
import { DataTable } from '../ui/table.tsx'
import { columnHeading, formatMetric, withUnit } from './format-metric.ts'
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

type ShownRow = Pick<AxisRow, 'subject' | 'driven' | 'values' | 'browser' | 'fault'>
type Measured = Pick<AxisReport, 'columns'> & { claims: readonly ShownRow[] }

/**
 * Describes the main finding of a report: the range of its most citable number in one pool, because pools are never in
 * one order. The pool is the largest, as on the board, or of equal ones that of the model-driven entries. Null = no
 * ranked entry has the number.
 */
export function describeFinding({ columns, claims }: Measured): string | null {
  const column = columns.find(isFinding)
  if (!column) return null
  const measured = claims.filter(({ values }) => values[column.id]?.value != null)
  const [byModel, byScript] = (['llm', 'scripted'] as const).map((by) =>
    measured.filter(({ driven }) => driven === by),
  ) as [ShownRow[], ShownRow[]]
  const [known, pool] =
    byModel.length >= byScript.length ? [byModel, 'model-driven'] : [byScript, 'scripted']
  const sorted = [...known].sort((a, b) => figureOf(b, column) - figureOf(a, column))
  const [first, last] = [sorted[0], sorted.at(-1)]
  if (!first || !last) return null
  if (first === last)
    return `${column.title}: ${entryText(first, column)}, the only ranked ${pool} entry.`
  return `${column.title}: from ${entryText(last, column)} to ${entryText(first, column)}, among ${countOf(sorted.length, `ranked ${pool} entry`)}.`
}

function isFinding({ role, context, unit }: AxisColumn): boolean {
  return role !== 'diagnostic' && context === undefined && unit !== 'place'
}

function figureOf({ values }: ShownRow, { id }: AxisColumn): number {
  return values[id]?.value ?? 0
}

function entryText(row: ShownRow, column: AxisColumn): string {
  const { text, interval } = formatMetric(column, row.values[column.id])
  return `${withUnit(column, text)}${interval ? ` (${interval})` : ''} for ${visibleText(nameOf(row))}`
}

function nameOf({ subject, browser, fault }: ShownRow): string {
  const conditions = formatConditions({ subject, settings: { browser, fault } })
  return [subjectLabel(subject), conditions].filter(Boolean).join(' · ')
}
