import type { ReactNode } from 'react'
import { countOf, shortNumber, type TableCell } from '#lib/domain/record/index.ts'
import { classNames } from '../ui/class-names.ts'
import { DataTable, ScrollBox } from '../ui/table.tsx'
import { type ChartQuery, chartFile } from './chart-address.ts'
import { FULL, NARROW, WIDE } from './drawing.ts'
import { DrawingView } from './drawing-view.tsx'
import type { Figure } from './figure.ts'

type FigureViewProps = {
  figure: Figure
  query: ChartQuery
  /** Instead of the drawing: what says the same with links. */
  children?: ReactNode
  /** The values are in no other table of the page. */
  hasTable?: boolean
  /** On a wide screen; absent = the whole page's, with the words beside the drawing. */
  width?: number
}

/** A chart with its title, unit, sample size and method, its values, and its files. */
export function FigureView({ figure, query, children, hasTable = false, width }: FigureViewProps) {
  const isBeside = width === undefined && children === undefined
  const { title, unit, sample, method, notes, draw } = figure
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
        {children ?? (
          <DrawingView
            draw={draw}
            full={isBeside ? FULL : undefined}
            widths={[width ?? WIDE, NARROW]}
          />
        )}
        {notes.map((note) => (
          <p className="mt-2 text-muted" key={note}>
            {note}
          </p>
        ))}
        {hasTable ? <FigureTable figure={figure} /> : null}
        <FigureFiles query={query} />
      </div>
    </figure>
  )
}

/** Links to the drawing and to its values. */
function FigureFiles({ query }: { query: ChartQuery }) {
  const name = `${query.suite}-${query.chart}`.replace(/[^\w.-]/g, '_')
  const svg = chartFile(query, 'svg')
  return (
    <p className="on-screen mt-2 flex flex-wrap gap-x-4 text-muted">
      Download:
      <SavePng href={svg} name={`${name}.png`} />
      <a className="link" download={`${name}.svg`} href={svg}>
        SVG
      </a>
      <a className="link" download={`${name}.csv`} href={chartFile(query, 'csv')}>
        CSV
      </a>
      <a className="link" href={chartFile(query, 'json')}>
        JSON
      </a>
    </p>
  )
}

type SavePngProps = { href: string; name: string }

/** Saves a chart's file as an image of twice its size (../ui/behaviour/save-png.ts). */
function SavePng({ href, name }: SavePngProps) {
  return (
    <button className="link" data-name={name} data-png={href} type="button">
      <span aria-live="polite" data-label>
        PNG
      </span>
    </button>
  )
}

/** Exact values are in the files. */
function readable(cell: TableCell): string | number {
  return typeof cell === 'number' ? shortNumber(cell) : (cell ?? '–')
}

/** A longer table is read in its file. */
const MOST_LINES = 120

function FigureTable({ figure: { title, table } }: { figure: Figure }) {
  const [head = [], ...rows] = table
  const shown = rows.slice(0, MOST_LINES).map((cells, index) => ({ index, cells }))
  return (
    <details className="mt-2">
      <summary className="cursor-pointer text-muted">Values as a table</summary>
      <ScrollBox aria-label={`${title}: values`} className="mt-1 max-h-80 overflow-auto">
        <DataTable
          caption={`${title}: values`}
          cellClass="py-0.5 pr-4"
          className="text-xs"
          columns={head.map((name, column) => ({
            id: `${column} ${name}`,
            head: name,
            cell: ({ cells }: (typeof shown)[number]) => readable(cells[column] ?? null),
            cellClass: 'untrusted',
          }))}
          headClass="pr-4 pb-1 text-muted"
          keyOf={({ index }) => index}
          rows={shown}
        />
        {rows.length > MOST_LINES ? (
          <p className="py-1 text-muted">
            The first {MOST_LINES} of {countOf(rows.length, 'line')}. CSV and JSON have all of them.
          </p>
        ) : null}
      </ScrollBox>
    </details>
  )
}
