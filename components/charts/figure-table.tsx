'use client'

import { countOf } from '#lib/domain/text/index.ts'
import { DataTable, ScrollBox } from '../ui/table.tsx'

export type FigureTableProps = {
  title: string
  head: readonly string[]
  /** The first lines of the table. */
  lines: readonly (readonly (string | number)[])[]
  /** Number of all lines. */
  total: number
}

/**
 * The values of a chart. Paper and browsers without scripts show them in place of the drawing. A client component, since
 * its lines are a tenth of their elements.
 */
export function FigureTable({ title, head, lines, total }: FigureTableProps) {
  return (
    <details className="mt-2" data-values>
      <summary className="cursor-pointer text-muted">Values as a table</summary>
      <ScrollBox aria-label={`${title}: values`} className="mt-1 max-h-80 overflow-auto">
        <DataTable
          caption={`${title}: values`}
          cellClass="py-0.5 pr-4"
          className="text-xs"
          columns={head.map((name, column) => ({
            id: `${column} ${name}`,
            head: name,
            cell: (cells: (typeof lines)[number]) => cells[column],
            cellClass: 'untrusted',
          }))}
          headClass="pr-4 pb-1 text-muted"
          keyOf={(_, index) => index}
          rows={lines}
        />
        {total > lines.length ? (
          <p className="py-1 text-muted">
            The first {lines.length} of {countOf(total, 'line')}. CSV and JSON have all of them.
          </p>
        ) : null}
      </ScrollBox>
    </details>
  )
}
