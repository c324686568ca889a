import Link from 'next/link'
import type {
  AxisColumn,
  AxisReport,
  AxisRow,
  AxisValue,
  ColumnRole,
} from '#lib/domain/reports/axis-report.ts'
import { reportSections } from '#lib/domain/reports/build-axis-report.ts'
import { formatWay } from '#lib/domain/tasks/browser-labels.ts'
import { EVIDENCE_WORDS, EvidenceGlyph } from '../board/evidence.tsx'
import { Whisker } from '../charts/whisker.tsx'
import { classNames } from '../ui/class-names.ts'
import { plural, visibleText } from '../ui/format.ts'
import { Section } from '../ui/layout.tsx'
import { figureWords, headOf } from './figure-words.ts'

/** A report's rows in sections of comparable rows, ranked ones first. */
export function ReportSections({ report }: { report: AxisReport }) {
  return reportSections(report).map(({ id, title, isClaim, rows }) => (
    <Section
      aside={isClaim ? plural(rows.length, 'row') : 'Shown with their labels, never ranked'}
      id={id}
      key={id}
      title={title}
    >
      <ReportTable
        caption={isClaim ? title : title.replace('Unranked', 'Unranked entries')}
        columns={report.columns}
        rows={rows}
        suiteId={report.suite.suiteId}
      />
    </Section>
  ))
}

type ReportTableProps = {
  caption: string
  suiteId: string
  columns: readonly AxisColumn[]
  rows: readonly AxisRow[]
}

/** Figures of some rows: a line a row on a wide screen, a card a row on a narrow one. */
function ReportTable({ caption, suiteId, columns, rows }: ReportTableProps) {
  return (
    <table className="block w-full border-line border-b lg:table lg:table-fixed">
      <caption className="sr-only">{caption}</caption>
      <thead className="sr-only lg:not-sr-only lg:sticky lg:top-0 lg:z-10 lg:table-header-group">
        <tr className="text-left align-bottom text-muted text-xs">
          <th
            className="w-[13rem] border-line-strong border-b bg-bg px-2.5 py-2 font-normal"
            scope="col"
          >
            Entry
          </th>
          <th
            className="w-[7rem] border-line-strong border-b bg-bg px-2.5 py-2 font-normal"
            scope="col"
          >
            Evidence
          </th>
          {columns.map((column) => (
            <th
              className={classNames(
                'border-line-strong border-b bg-bg px-2.5 py-2 font-normal',
                !isDrawn(column) && 'text-right',
                column.unit === 'place' && 'w-[5.5rem]',
                column.unit === 'per-hour' && columns.length > 5 && 'w-[9.5rem]',
                isDrawn(column) && columns.length > 5 && 'w-[10.5rem]',
              )}
              key={column.id}
              scope="col"
              title={column.meaning}
            >
              <span className="block">{headOf(column)}</span>
              <RoleMark role={column.role} />
            </th>
          ))}
        </tr>
      </thead>
      <tbody className="block lg:table-row-group">
        {rows.map((row) => (
          <ReportRow columns={columns} key={row.rowId} row={row} suiteId={suiteId} />
        ))}
      </tbody>
    </table>
  )
}

type ReportRowProps = { row: AxisRow; columns: readonly AxisColumn[]; suiteId: string }

function ReportRow({ row, columns, suiteId }: ReportRowProps) {
  return (
    <tr
      className="grid grid-cols-2 gap-x-4 gap-y-2 border-line border-t px-3 py-3 lg:table-row"
      data-label={row.label}
      data-row={row.rowId}
    >
      <th
        className="col-span-2 block min-w-0 text-left font-normal lg:table-cell lg:px-2.5 lg:py-1"
        scope="row"
      >
        <SubjectLink row={row} suiteId={suiteId} />
      </th>
      <td className="col-span-2 block lg:table-cell lg:px-2.5">
        <span
          className="inline-flex items-center gap-1.5"
          title={
            row.refusals.map(({ reason }) => reason).join('\n') || EVIDENCE_WORDS[row.label].meaning
          }
        >
          <EvidenceGlyph label={row.label} />
          {EVIDENCE_WORDS[row.label].word}
        </span>
      </td>
      {columns.map((column) => (
        <td
          className={classNames(
            'block min-w-0 lg:table-cell lg:px-2.5 lg:py-1',
            isDrawn(column) ? 'max-lg:col-span-2' : 'lg:text-right',
            column.role === 'diagnostic' && 'text-muted',
          )}
          key={column.id}
        >
          <span
            aria-hidden="true"
            className="flex flex-wrap items-baseline gap-x-1.5 text-muted text-xs lg:hidden"
          >
            {headOf(column)}
            {column.role === 'diagnostic' ? <RoleMark role={column.role} /> : null}
          </span>
          <Figure
            column={column}
            figure={row.values[column.id]}
            solid={row.label === 'primary' || row.label === 'stress'}
          />
        </td>
      ))}
    </tr>
  )
}

function SubjectLink({ row, suiteId }: Omit<ReportRowProps, 'columns'>) {
  const { rowId, subject, driven, browser, fault } = row
  const way = formatWay(row) ?? (driven === 'llm' ? null : 'scripted')
  const cold = browser === 'cold' ? 'cold browser' : null
  const rest = [subject.version, subject.modelRequested, way, cold, fault ? `fault ${fault}` : null]
  const detail = rest
    .filter((part) => part !== null)
    .map(visibleText)
    .join(' · ')
  return (
    <>
      <Link
        className="link block truncate font-medium"
        href={`/?suite=${encodeURIComponent(suiteId)}&open=${encodeURIComponent(rowId)}`}
        prefetch={false}
        title="Open this entry on the board"
      >
        {visibleText(subject.name)}
      </Link>
      <span className="untrusted line-clamp-2 text-muted text-xs" title={detail}>
        {detail}
      </span>
    </>
  )
}

type FigureProps = { column: AxisColumn; figure: AxisValue | undefined; solid: boolean }

function Figure({ column, figure, solid }: FigureProps) {
  const { text, interval, size, title } = figureWords(column, figure)
  if (!figure || figure.value === null) {
    return (
      <span className="block text-muted" title={title}>
        {text}
      </span>
    )
  }
  const { low, high, value } = figure
  const weight = column.role === 'diagnostic' ? undefined : 'font-medium'
  if (!isDrawn(column)) {
    return (
      <span className="block" title={title}>
        <span className="flex items-baseline gap-1.5 lg:flex-row-reverse">
          <span className={weight}>{text}</span>
          {interval ? (
            <span className="whitespace-nowrap text-muted text-xs">{interval}</span>
          ) : null}
        </span>
        <span className="block text-muted text-xs">{size}</span>
      </span>
    )
  }
  return (
    <span className="block" title={title}>
      <span className="grid grid-cols-[2.75rem_minmax(5rem,1fr)] items-center gap-2">
        <span className={weight}>{text}</span>
        <Whisker high={high} low={low} rate={value} solid={solid} />
      </span>
      <span className="block text-muted text-xs">
        {[interval, size].filter(Boolean).join(' · ')}
      </span>
    </span>
  )
}

/** Success rates are drawn with confidence intervals; other numbers are shown as text. */
function isDrawn({ unit, role }: AxisColumn): boolean {
  return unit === 'share' && role === 'primary'
}

const MEANINGS: Record<ColumnRole, string> = {
  primary: 'Safe to cite for ranked entries',
  supporting: 'Success-weighted; explains a result but is not ranked',
  diagnostic: 'Raw, failures included; not conclusive by itself',
}

/** What a column can be used for, as a badge. */
export function RoleMark({ role }: { role: ColumnRole }) {
  return (
    <span
      className={classNames(
        'inline-block whitespace-nowrap rounded border px-1 text-xs',
        role === 'primary' && 'border-accent text-ink',
        role === 'supporting' && 'border-line-strong text-ink',
        role === 'diagnostic' && 'border-line-strong border-dashed text-muted',
      )}
      title={MEANINGS[role]}
    >
      {role}
    </span>
  )
}
