import type { NamedKind } from '#lib/domain/api/index.ts'
import { Table } from '../table/table.tsx'
import { countColumn } from '../ui/columns.tsx'
import type { DataColumn } from '../ui/data-column.ts'
import { visibleText } from '../ui/format.ts'
import { Notice } from '../ui/notice.tsx'

type NameCount = { name: string; entries: number; suites: number; episodes: number }

const COUNTS: readonly DataColumn<NameCount>[] = [
  countColumn('Entries', ({ entries }) => entries),
  countColumn('Suites', ({ suites }) => suites),
  countColumn('Scored episodes', ({ episodes }) => episodes),
]

type NameIndexProps = { kind: NamedKind; names: readonly NameCount[] }

/** All agents or models with links to their pages; without any, how to measure one. */
export function NameIndex({ kind, names }: NameIndexProps) {
  if (names.length === 0)
    return (
      <Notice title={`No ${kind} was measured yet`}>
        <p>
          <a className="link" href="/plan">
            Plan a run
          </a>{' '}
          to measure one.
        </p>
      </Notice>
    )
  return (
    <Table
      cellClass="px-2.5 py-2"
      className="w-full border-line border-b"
      columns={[
        {
          head: kind === 'model' ? 'Model' : 'Agent or library',
          sort: ({ name }: NameCount) => name,
          cell: ({ name }: NameCount) => (
            <a
              className="untrusted font-semibold hover:underline"
              href={`/${kind}s/${encodeURIComponent(name)}`}
            >
              {visibleText(name)}
            </a>
          ),
        },
        ...COUNTS,
      ]}
      headClass="border-line-strong border-b px-2.5 py-2 text-muted text-xs"
      keyOf={({ name }) => name}
      name={`${kind}s`}
      rows={names}
      what={kind}
    />
  )
}
