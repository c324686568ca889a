import type { SuiteVersion } from '#lib/domain/api/index.ts'
import { type ModelledRow, rowPath } from '#lib/domain/board/index.ts'
import { countOf } from '#lib/domain/text/index.ts'
import { Table } from '../table/table.tsx'
import { textColumn } from '../ui/columns.tsx'
import type { DataColumn } from '../ui/data-column.ts'
import { formatCount, formatInterval, percentOf, visibleText } from '../ui/format.ts'
import { Section } from '../ui/layout.tsx'
import { LINES } from '../ui/plain-table.tsx'

type Line = ModelledRow & { version: string | null }

const MODELLED: readonly DataColumn<Line>[] = [
  {
    head: 'Entry',
    sort: ({ subject }) => subject.name,
    cell: ({ subject, suiteId, rowId }) => (
      <a className="link untrusted" href={rowPath(suiteId, rowId)}>
        {visibleText(subject.name)}
      </a>
    ),
    rowHeader: 'font-medium',
  },
  textColumn('Model', ({ subject }) => subject.modelRequested),
  textColumn('Suite version', ({ version }) => version),
  {
    head: 'Tasks run',
    sort: ({ measured }) => measured,
    cell: ({ measured, predicted }) =>
      `${formatCount(measured)} of ${formatCount(measured + predicted)}`,
    numeric: true,
  },
  {
    head: 'Rate on all tasks',
    name: 'Modelled rate on all tasks, %',
    sort: ({ rate }) => rate * 100,
    descends: true,
    cell: ({ rate, low, high }) => (
      <>
        {percentOf(rate)} <span className="text-muted text-xs">{formatInterval(low, high)}</span>
      </>
    ),
    cellTitle: ({ predicted }) =>
      predicted === 0
        ? 'It ran every task'
        : `${countOf(predicted, 'task')} predicted by the model`,
    numeric: true,
    cellClass: 'whitespace-nowrap',
  },
]

type ModelledRowsProps = { rows: readonly ModelledRow[]; versions: readonly SuiteVersion[] }

/** Entries of other versions and subsets beside each other; renders nothing if every entry ran all tasks. */
export function ModelledRows({ rows, versions }: ModelledRowsProps) {
  if (rows.length === 0) return null
  const names = new Map(versions.map(({ digest, version }) => [String(digest), version]))
  return (
    <Section id="modelled" title="Other versions and subsets">
      <p className="mb-2 max-w-3xl text-muted">
        Model-based and never ranked: tasks that an entry has not run are predicted from the
        difficulty that other entries found in them. The intervals are for these tasks alone, and
        contain this uncertainty.{' '}
        <a className="link" href="/methodology/statistics#modelled">
          Method
        </a>
      </p>
      <Table
        {...LINES}
        caption="Modelled rates"
        columns={MODELLED}
        keyOf={({ rowId }) => rowId}
        name="modelled"
        prefix="modelled"
        rows={rows.map((row) => ({ ...row, version: names.get(row.suiteDigest) ?? null }))}
        what="entry"
      />
    </Section>
  )
}
