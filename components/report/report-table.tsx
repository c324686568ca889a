import { type EntryStyle, EVIDENCE_WORDS } from '#lib/domain/board/index.ts'
import { modelLabel } from '#lib/domain/record/index.ts'
import {
  type AxisColumn,
  type AxisReport,
  type AxisRow,
  type AxisValue,
  type ColumnRole,
  reportSections,
} from '#lib/domain/reports/index.ts'
import { formatWay } from '#lib/domain/tasks/index.ts'
import { countOf } from '#lib/domain/text/index.ts'
import { EvidenceGlyph } from '../board/evidence.tsx'
import { Whisker } from '../charts/whisker.tsx'
import { Table } from '../table/table.tsx'
import { classNames } from '../ui/class-names.ts'
import type { DataColumn } from '../ui/data-column.ts'
import { visibleText } from '../ui/format.ts'
import { Section } from '../ui/layout.tsx'
import { columnHeading, formatMetric } from './format-metric.ts'

type ReportSectionsProps = {
  report: AxisReport
  /** Styles of the entries, keyed by row id. */
  styles: ReadonlyMap<string, EntryStyle>
}

/** A report's rows in sections of comparable rows, ranked ones first. */
export function ReportSections({ report, styles }: ReportSectionsProps) {
  return reportSections(report).map(({ id, title, isClaim, rows }) => (
    <Section
      aside={isClaim ? countOf(rows.length, 'entry') : 'Shown with their labels, never ranked'}
      id={id}
      key={id}
      title={title}
    >
      <ReportTable
        caption={isClaim ? title : title.replace('Unranked', 'Unranked entries')}
        columns={report.columns}
        id={id}
        rows={rows}
        styles={styles}
        suiteId={report.suite.suiteId}
      />
    </Section>
  ))
}

type ReportTableProps = Pick<ReportSectionsProps, 'styles'> & {
  id: string
  caption: string
  suiteId: string
  columns: readonly AxisColumn[]
  rows: readonly AxisRow[]
}

/** Figures of some rows: lines on a wide screen, cards on a narrow one. */
function ReportTable({ id, caption, suiteId, columns, rows, styles }: ReportTableProps) {
  const isCrowded = columns.length > 5
  return (
    <Table
      name={`report-${suiteId}`}
      prefix={id}
      what="entry"
      caption={caption}
      cards="lg"
      cellClass="lg:px-2.5"
      className="w-full border-line border-b lg:table-fixed"
      columns={[
        {
          head: 'Entry',
          sort: ({ subject, browser, fault }) =>
            [subject.name, subject.version, modelLabel(subject), browser, fault]
              .filter(Boolean)
              .join(' · '),
          facet: ({ subject }) => subject.name,
          cell: (row) => <SubjectLink row={row} suiteId={suiteId} />,
          rowHeader: 'font-normal',
          headClass: 'w-[13rem]',
          cellClass: 'col-span-2 lg:py-1',
          label: null,
        },
        {
          head: 'Evidence',
          sort: ({ label }) => EVIDENCE_WORDS[label].word,
          facet: ({ label }) => EVIDENCE_WORDS[label].word,
          cell: (row) => <EvidenceWord row={row} />,
          headClass: 'w-[7rem]',
          cellClass: 'col-span-2',
          label: null,
        },
        ...columns.map((column) => figureColumn(column, isCrowded, styles)),
      ]}
      headClass="border-line-strong border-b bg-bg px-2.5 py-2 align-bottom text-muted text-xs"
      keyOf={({ rowId }) => rowId}
      rowProps={({ label, rowId }) => ({
        className: 'grid-cols-2 gap-x-4 gap-y-2 border-line border-t px-3 py-3',
        'data-label': label,
        'data-row': rowId,
      })}
      rows={rows}
      stickyHead
    />
  )
}

function figureColumn(
  column: AxisColumn,
  isCrowded: boolean,
  styles: ReportSectionsProps['styles'],
): DataColumn<AxisRow> {
  const isWide = isDrawn(column)
  return {
    id: column.id,
    head: (
      <>
        <span className="block">{columnHeading(column)}</span>
        <RoleMark role={column.role} />
      </>
    ),
    name: columnHeading(column),
    sort: (row) => row.values[column.id]?.value ?? null,
    title: column.meaning,
    headClass: classNames(
      column.unit === 'place' && 'w-[5.5rem]',
      column.unit === 'per-hour' && isCrowded && 'w-[9.5rem]',
      isWide && isCrowded && 'w-[10.5rem]',
    ),
    numeric: !isWide,
    label: (
      <span className="flex flex-wrap items-baseline gap-x-1.5">
        {columnHeading(column)}
        {column.role === 'diagnostic' ? <RoleMark role={column.role} /> : null}
      </span>
    ),
    cell: (row) => (
      <Figure
        colour={styles.get(row.rowId)?.colour}
        column={column}
        figure={row.values[column.id]}
        solid={row.label === 'primary' || row.label === 'stress'}
      />
    ),
    cellClass: classNames(
      'lg:py-1',
      isWide && 'max-lg:col-span-2',
      column.role === 'diagnostic' && 'text-muted',
    ),
  }
}

function EvidenceWord({ row: { label, refusals } }: { row: AxisRow }) {
  return (
    <span
      className="inline-flex items-center gap-1.5"
      title={refusals.map(({ reason }) => reason).join('\n') || EVIDENCE_WORDS[label].meaning}
    >
      <EvidenceGlyph label={label} />
      {EVIDENCE_WORDS[label].word}
    </span>
  )
}

function SubjectLink({ row, suiteId }: { row: AxisRow; suiteId: string }) {
  const { rowId, subject, driven, browser, fault } = row
  const way = formatWay(row) ?? (driven === 'llm' ? null : 'scripted')
  const cold = browser === 'cold' ? 'cold browser' : null
  const rest = [subject.version, modelLabel(subject), way, cold, fault ? `fault ${fault}` : null]
  const detail = rest
    .filter((part) => part !== null)
    .map(visibleText)
    .join(' · ')
  return (
    <>
      <a
        className="untrusted block font-medium hover:underline"
        href={`/?suite=${encodeURIComponent(suiteId)}&open=${encodeURIComponent(rowId)}`}
        title="Open this entry on the board"
      >
        {visibleText(subject.name)}
      </a>
      <span className="untrusted block text-muted text-xs">{detail}</span>
    </>
  )
}

type FigureProps = {
  column: AxisColumn
  figure: AxisValue | undefined
  solid: boolean
  colour: number | undefined
}

function Figure({ column, figure, solid, colour }: FigureProps) {
  const { text, interval, size, title } = formatMetric(column, figure)
  if (!figure || figure.value === null) {
    return (
      <span className="block text-muted" title={title}>
        {text}
      </span>
    )
  }
  const { low, high, value } = figure
  const weight = column.role === 'diagnostic' ? undefined : 'font-medium'
  return (
    <span className="block" title={title}>
      {isDrawn(column) ? (
        <span className="grid grid-cols-[2.75rem_minmax(5rem,1fr)] items-center gap-2">
          <span className={weight}>{text}</span>
          <Whisker colour={colour} high={high} low={low} rate={value} solid={solid} />
        </span>
      ) : (
        <span className={classNames('block', weight)}>{text}</span>
      )}
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

/** The permitted use of a column, as a badge. */
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
