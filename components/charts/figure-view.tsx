import type { ReactNode } from 'react'
import { safeFileName, shortNumber, type TableCell } from '#lib/domain/text/index.ts'
import { classNames } from '../ui/class-names.ts'
import { formatInstant, formatPercent, shortDigest, UNKNOWN } from '../ui/format.ts'
import { type ChartQuery, chartFile, chartPage } from './chart-address.ts'
import type { Figure, FigureColumn } from './figure.ts'
import { FigureChart } from './figure-chart.tsx'
import { FigureTable, type FigureTableProps } from './figure-table.tsx'
import type { Card } from './save-chart.ts'

/** The suite of a chart, its version, and the time of the latest measurement (null = never). */
export type ChartSource = {
  suite: { suiteId: string; title: string; digest: string }
  updated: string | null
}

type FigureViewProps = {
  figure: Figure
  query: ChartQuery
  source: ChartSource
  /** Replaces the drawing with equivalent content that has links. */
  children?: ReactNode
  /** True = the text is always above the drawing. */
  isStacked?: boolean
}

/** A chart with its title, unit, sample size and method, its values, and its files. */
export function FigureView({ figure, query, source, children, isStacked }: FigureViewProps) {
  const isBeside = !isStacked && children === undefined
  const { title, unit, sample, method, notes, chart } = figure
  return (
    <figure
      className={classNames(
        'mt-4 min-w-0',
        isBeside && 'xl:grid xl:grid-cols-[18rem_minmax(0,1fr)] xl:gap-x-9',
      )}
      data-figure={query.chart}
    >
      <figcaption className="mb-3 max-w-4xl">
        <h3 className="font-medium text-base">{title}</h3>
        <p className="text-muted">
          Unit: {unit} · n: {sample}
        </p>
        <p className="text-muted">{method}</p>
      </figcaption>
      <div className="min-w-0">
        {children}
        {children === undefined && chart ? (
          <FigureChart
            chart={chart}
            key={chart.label}
            picture={{
              card: describeCard(figure, source, chartPage(query)),
              name: safeFileName(`${query.suite}-${query.chart}`),
            }}
          >
            <DataLinks query={query} />
          </FigureChart>
        ) : (
          <p className="on-screen mt-2 flex flex-wrap gap-x-4 text-muted">
            <DataLinks query={query} />
          </p>
        )}
        {notes.map((note) => (
          <p className="mt-2 text-muted" key={note}>
            {note}
          </p>
        ))}
        {children === undefined ? <FigureTable {...linesOf(figure)} /> : null}
      </div>
    </figure>
  )
}

/** A longer table is read in its file. */
const MAX_LINES = 50

/** Returns the values of a chart as pages show them; exact values are in its files. */
export function linesOf({
  title,
  table: [head = [], ...rows],
  columns = {},
}: Figure): FigureTableProps {
  const lines = rows
    .slice(0, MAX_LINES)
    .map((cells) => cells.map((cell, index) => readable(cell, columns[index])))
  const names = head.map((name, index) =>
    columns[index] === 'share' ? `${name},\u00a0%` : String(name),
  )
  return { title, head: names, lines, total: rows.length }
}

function readable(cell: TableCell, column: FigureColumn | undefined): string | number {
  if (typeof cell === 'number') return column === 'share' ? formatPercent(cell) : shortNumber(cell)
  return column === 'instant' ? formatInstant(cell) : (cell ?? UNKNOWN)
}

/** Returns the texts around the drawing of a saved picture. */
export function describeCard(
  figure: Pick<Figure, 'title' | 'unit' | 'sample' | 'method' | 'notes'>,
  { suite, updated }: ChartSource,
  path: string,
): Card {
  const date = updated === null ? [] : [`measured until ${updated.slice(0, 10)}`]
  const version = `Suite ${suite.suiteId}, version ${shortDigest(suite.digest)}`
  return {
    title: `${figure.title} · ${suite.title}`,
    lines: [`Unit: ${figure.unit}. ${figure.method}`, ...figure.notes],
    footer: [[version, `n: ${figure.sample}`, ...date].join(' · ')],
    path,
  }
}

/** Links to the values of a chart as files. */
function DataLinks({ query }: { query: ChartQuery }) {
  const name = safeFileName(`${query.suite}-${query.chart}`)
  return (
    <>
      <a className="link" download={`${name}.csv`} href={chartFile(query, 'csv')}>
        CSV
      </a>
      <a className="link" href={chartFile(query, 'json')}>
        JSON
      </a>
    </>
  )
}
