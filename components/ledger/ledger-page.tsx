import { createLoader, parseAsInteger, parseAsString, parseAsStringLiteral } from 'nuqs/server'
import type { LedgerFilter, LedgerView } from '#lib/domain/api/index.ts'
import {
  describeAction,
  LEDGER_KINDS,
  LEDGER_WORDS,
  type LedgerAction,
  type LedgerEntry,
  targetKind,
} from '#lib/domain/ledger/index.ts'
import { Table } from '../table/table.tsx'
import { Button } from '../ui/button.tsx'
import { textColumn } from '../ui/columns.tsx'
import type { DataColumn } from '../ui/data-column.ts'
import { formatInstant, visibleText } from '../ui/format.ts'
import { FactList } from '../ui/layout.tsx'

type ShownEntry = { entry: LedgerEntry; rows: LedgerView['rows'] }

const LEDGER_COLUMNS: readonly DataColumn<ShownEntry>[] = [
  {
    head: 'Entry',
    sort: ({ entry }) => entry.sequence,
    descends: true,
    cell: ({ entry: { sequence } }) => (
      <a className="hover:underline" href={`#entry-${sequence}`}>
        {sequence}
      </a>
    ),
    numeric: true,
  },
  {
    head: 'Time',
    sort: ({ entry }) => entry.at,
    descends: true,
    cell: ({ entry: { at } }) => (
      <time className="lg:whitespace-nowrap" dateTime={at}>
        {formatInstant(at)}
      </time>
    ),
  },
  {
    head: 'Action',
    sort: ({ entry: { action } }) => LEDGER_WORDS[action.kind].word,
    facet: ({ entry: { action } }) => LEDGER_WORDS[action.kind].word,
    cell: ({ entry: { action } }) => <EntryKind action={action} />,
    cellClass: 'col-span-2 lg:min-w-56',
  },
  {
    head: 'Target',
    sort: ({ entry: { action } }) => action.target,
    cell: ({ entry: { action }, rows }) => <EntryTarget action={action} rows={rows} />,
    cellClass: 'col-span-2',
  },
  {
    head: 'Reason',
    sort: ({ entry }) => entry.reason,
    cell: ({ entry }) => visibleText(entry.reason),
    cellClass: 'col-span-2',
  },
  textColumn('Author', ({ entry }) => entry.author, { cellClass: 'lg:min-w-20' }),
  {
    head: 'Hash',
    csv: ({ entry }) => entry.hash,
    cell: ({ entry }) => <WholeHash hash={entry.hash} />,
  },
]

const UNTRUSTED_COLUMNS = LEDGER_COLUMNS.map((column) => ({
  ...column,
  cell: (shown: ShownEntry, isOpen: boolean) => (
    <span className="untrusted">{column.cell(shown, isOpen)}</span>
  ),
}))

/** Entries, newest first: lines on a wide screen, cards on a narrow one. Each can be linked to as `#entry-12`. */
export function LedgerTable({ entries, rows }: Pick<LedgerView, 'entries' | 'rows'>) {
  return (
    <Table
      name="ledger"
      what="entry"
      caption="Ledger entries, newest first"
      cards="lg"
      cellClass="lg:h-9 lg:px-2.5 lg:py-1.5 lg:align-top"
      columns={UNTRUSTED_COLUMNS}
      detailOf={({ entry }) => <EntryDetails entry={entry} />}
      headClass="h-9 border-line-strong border-b bg-bg px-2.5 text-muted text-xs"
      keyOf={({ entry }) => entry.sequence}
      rowProps={({ entry: { sequence } }) => ({
        className: 'grid-cols-2 gap-x-3 gap-y-1.5 border-line border-t py-3 target:bg-accent-soft',
        'data-row': sequence,
        id: `entry-${sequence}`,
      })}
      rows={entries.map((entry) => ({ entry, rows }))}
      stickyHead
    />
  )
}

/** Full values of an entry, which the table truncates. */
function EntryDetails({ entry: { action, at, hash, previousHash } }: Pick<ShownEntry, 'entry'>) {
  return (
    <FactList
      facts={[
        { name: 'Target', value: visibleText(action.target) },
        { name: 'Time', value: at },
        { name: 'Hash', value: <code className="text-xs">{hash}</code> },
        { name: 'Previous hash', value: <code className="text-xs">{previousHash ?? 'none'}</code> },
      ]}
    />
  )
}

function EntryKind({ action }: Pick<LedgerEntry, 'action'>) {
  const { word, meaning } = LEDGER_WORDS[action.kind]
  const more = describeAction(action)
  return (
    <span title={meaning}>
      {word}
      {more ? <span className="text-muted">: {more}</span> : null}
    </span>
  )
}

/** A shortened hash; the tooltip and copying give all of it. */
function WholeHash({ hash }: { hash: string }) {
  return (
    <code
      className="block max-w-[12ch] select-all leading-5 overflow-hidden text-ellipsis whitespace-nowrap text-xs"
      title={hash}
    >
      {hash.replace(/^sha256:/, '')}
    </code>
  )
}

type EntryTargetProps = { action: LedgerAction; rows: LedgerView['rows'] }

/** The target of an entry as a link. */
function EntryTarget({ action, rows }: EntryTargetProps) {
  const href = targetHref(action, rows)
  const row = rows.get(action.target)
  const name = (
    <>
      <code className="text-xs lg:whitespace-nowrap">{visibleText(shorten(action.target))}</code>
      {row ? ` (${visibleText(row.subject)})` : null}
    </>
  )
  if (href === null) return <span title={visibleText(action.target)}>{name}</span>
  return (
    <a className="hover:underline" href={href} title={visibleText(action.target)}>
      {name}
    </a>
  )
}

function targetHref({ kind, target }: LedgerAction, rows: LedgerView['rows']): string | null {
  if (kind === 'task-version') return `/suites/${encodeURIComponent(target)}`
  const id = encodeURIComponent(target)
  switch (targetKind(target)) {
    case 'run':
      return `/runs/${id}`
    case 'episode':
      return `/episodes/${id}`
    case 'row':
      return rowHref(rows.get(target))
    case null:
      return null
  }
}

function shorten(target: string): string {
  return target.length > 20 ? `${target.slice(0, 14)}…` : target
}

function rowHref(row: ReturnType<LedgerView['rows']['get']>): string | null {
  if (!row) return null
  const query = new URLSearchParams({ suite: row.suiteId, q: row.subject })
  if (row.version !== null) query.set('version', row.version)
  return `/?${query}`
}

const PILL =
  'inline-flex h-8 items-center rounded border border-line bg-surface px-2.5 hover:border-line-strong aria-[current=true]:border-accent aria-[current=true]:bg-accent-soft'

/** Filters by kind and target, stored in the URL. */
export function LedgerFilters({ kind, target }: Pick<LedgerFilter, 'kind' | 'target'>) {
  return (
    <div className="mt-6 mb-3 flex flex-wrap items-start gap-x-4 gap-y-2">
      <nav aria-label="Entry type" className="flex flex-wrap gap-1">
        <a
          aria-current={kind === null ? 'true' : undefined}
          className={PILL}
          href={ledgerHref({ target })}
        >
          All
        </a>
        {LEDGER_KINDS.map((one) => (
          <a
            aria-current={kind === one ? 'true' : undefined}
            className={PILL}
            href={ledgerHref({ kind: one, target })}
            key={one}
            title={LEDGER_WORDS[one].meaning}
          >
            {LEDGER_WORDS[one].word}
          </a>
        ))}
      </nav>
      <form action="/ledger" className="flex min-w-0 flex-1 basis-72 gap-1 lg:max-w-96">
        {kind ? <input name="kind" type="hidden" value={kind} /> : null}
        <label className="min-w-0 flex-1">
          <span className="sr-only">Target: run, row, episode or suite</span>
          <input
            className="h-8 w-full rounded border border-line-strong bg-surface px-2"
            data-search
            defaultValue={target}
            key={target}
            name="target"
            placeholder="run_…, row_…, ep_… or a suite"
            type="search"
          />
        </label>
        <Button type="submit">Filter</Button>
      </form>
    </div>
  )
}

/** The ledger's view state in the URL; invalid values are ignored. */
export const loadLedgerFilter = createLoader({
  kind: parseAsStringLiteral(LEDGER_KINDS),
  target: parseAsString.withDefault(''),
  page: parseAsInteger.withDefault(1),
})

/** The URL of a filtered page of the ledger. */
export function ledgerHref({ kind, target, page }: Partial<LedgerFilter>): string {
  const query = new URLSearchParams()
  if (kind) query.set('kind', kind)
  if (target) query.set('target', target)
  if (page && page > 1) query.set('page', String(page))
  const text = query.toString()
  return text ? `/ledger?${text}` : '/ledger'
}
