import type { NamedKind } from '#lib/domain/api/index.ts'
import { formatCount, visibleText } from '../ui/format.ts'
import { Notice } from '../ui/layout.tsx'
import { type DataColumn, DataTable } from '../ui/table.tsx'

type NameCount = { name: string; entries: number; suites: number; episodes: number }

const COUNTS: readonly DataColumn<NameCount>[] = [
  { head: 'Entries', cell: ({ entries }) => formatCount(entries), numeric: true },
  { head: 'Suites', cell: ({ suites }) => formatCount(suites), numeric: true },
  { head: 'Scored episodes', cell: ({ episodes }) => formatCount(episodes), numeric: true },
]

type NameIndexProps = { kind: NamedKind; names: readonly NameCount[] }

/** All agents or models, each with its page; without any, how to measure one. */
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
    <DataTable
      cellClass="px-2.5 py-2"
      className="w-full border-line border-b"
      columns={[
        {
          head: kind === 'model' ? 'Model' : 'Agent or library',
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
      rowProps={() => ({ className: 'border-line border-t' })}
      rows={names}
    />
  )
}
