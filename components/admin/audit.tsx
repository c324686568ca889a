import { createLoader, parseAsInteger, parseAsString } from 'nuqs/server'
import type { AuditFilter, AuditLine, AuditView } from '#lib/domain/api/index.ts'
import { Table } from '../table/table.tsx'
import { Button } from '../ui/button.tsx'
import { instantColumn, textColumn } from '../ui/columns.tsx'
import type { DataColumn } from '../ui/data-column.ts'
import { SelectField, TextField } from '../ui/fields.tsx'
import { UNKNOWN, visibleText } from '../ui/format.ts'
import { FactList } from '../ui/layout.tsx'
import { LINES } from '../ui/plain-table.tsx'

const AUDIT_COLUMNS: readonly DataColumn<AuditLine>[] = [
  instantColumn('Time', ({ at }) => at),
  {
    head: 'Actor',
    sort: ({ actor }) => actor,
    facet: ({ actor }) => actor,
    cell: (line) => <Who {...line} />,
    cellClass: 'md:min-w-28',
  },
  textColumn('Action', ({ action }) => action, { cellClass: 'whitespace-nowrap' }),
  {
    head: 'Target',
    sort: ({ target }) => target,
    cell: ({ target }) => <Target target={target} />,
    cellTitle: ({ target }) => target ?? undefined,
  },
  {
    head: 'Details',
    csv: ({ detail }) => detail.map(({ name, value }) => `${name} ${value}`).join('; ') || null,
    cell: (line) => <Detail {...line} />,
    cellClass: 'col-span-2 break-words [overflow-wrap:anywhere] md:min-w-64',
  },
]

/** Entries of the audit log. Names and reasons in it are untrusted text. */
export function AuditTable({ lines }: { lines: readonly AuditLine[] }) {
  return (
    <Table
      caption="Audit log, newest first"
      columns={AUDIT_COLUMNS}
      detailOf={(line) => <WholeLine line={line} />}
      keyOf={({ id }) => id}
      name="audit"
      rows={lines}
      what="entry"
      {...LINES}
    />
  )
}

/** Truncates an id; its tooltip has the full one. */
function Target({ target }: Pick<AuditLine, 'target'>) {
  if (target === null) return UNKNOWN
  return <span className="block max-w-[14rem] truncate">{visibleText(target)}</span>
}

/** Full values of a line, which the table truncates. */
function WholeLine({ line: { at, target, detail, requestId } }: { line: AuditLine }) {
  return (
    <FactList
      facts={[
        { name: 'Time', value: at },
        { name: 'Target', value: visibleText(target ?? UNKNOWN) },
        ...detail.map(({ name, value }) => ({
          name: visibleText(name),
          value: visibleText(value),
        })),
        { name: 'Request', value: visibleText(requestId ?? UNKNOWN) },
      ]}
    />
  )
}

function Who({ actor, actorKind }: AuditLine) {
  return (
    <>
      {visibleText(actor)}
      {actorKind === 'token' ? <span className="text-muted"> (token)</span> : null}
    </>
  )
}

function Detail({ detail, requestId }: AuditLine) {
  if (detail.length === 0 && requestId === null) return UNKNOWN
  return (
    <>
      {detail.map(({ name, value }) => (
        <span className="mr-3" key={name}>
          <span className="text-muted">{visibleText(name)}</span> {visibleText(value)}
        </span>
      ))}
      {requestId ? (
        <span className="text-muted" title="Request id, as in the server log">
          request <code className="text-xs">{visibleText(requestId.slice(0, 8))}</code>
        </span>
      ) : null}
    </>
  )
}

/** Filters of the audit log; a plain GET form, so that the filters are in the URL. */
export function AuditFilters({
  filter,
  actions,
}: {
  filter: AuditFilter
  actions: AuditView['actions']
}) {
  const offered = [...new Set([...actions, filter.action])].filter((name) => name !== '')
  return (
    <form
      action="/admin/audit"
      className="mb-3 grid grid-cols-2 items-end gap-x-3 gap-y-2 sm:grid-cols-[1fr_1fr_1fr_auto]"
    >
      <TextField
        dense
        defaultValue={filter.actor}
        key={`actor ${filter.actor}`}
        label="Actor"
        name="actor"
      />
      <SelectField
        dense
        defaultValue={filter.action}
        key={`action ${filter.action}`}
        label="Action"
        name="action"
        options={[
          { value: '', text: 'All actions' },
          ...offered.map((action) => ({ value: action, text: visibleText(action) })),
        ]}
      />
      <TextField
        dense
        defaultValue={filter.target}
        key={`target ${filter.target}`}
        label="Target"
        name="target"
      />
      <Button type="submit">Filter</Button>
    </form>
  )
}

/** The audit log's view state, all of it in the URL. */
export const loadAuditFilter = createLoader({
  actor: parseAsString.withDefault(''),
  action: parseAsString.withDefault(''),
  target: parseAsString.withDefault(''),
  page: parseAsInteger.withDefault(1),
})

/** The address of a filtered page of the audit log. */
export function auditHref({ page, ...filter }: AuditFilter): string {
  const query = new URLSearchParams(Object.entries(filter).filter(([, word]) => word !== ''))
  if (page > 1) query.set('page', String(page))
  const text = query.toString()
  return text ? `/admin/audit?${text}` : '/admin/audit'
}
