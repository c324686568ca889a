import { createLoader, parseAsInteger, parseAsString } from 'nuqs/server'
import type { AuditFilter, AuditLine, AuditView } from '#lib/domain/api/index.ts'
import { Button } from '../ui/button.tsx'
import { SelectField, TextField } from '../ui/fields.tsx'
import { formatInstant, UNKNOWN, visibleText } from '../ui/format.ts'
import { PlainTable } from '../ui/table.tsx'

const HEAD = ['Time', 'Actor', 'Action', 'Target', 'Details'] as const

/** Entries of the audit log. Names and reasons in it are untrusted text. */
export function AuditTable({ lines }: { lines: readonly AuditLine[] }) {
  const rows = lines.map((line) => ({
    key: String(line.id),
    cells: {
      Time: (
        <time className="whitespace-nowrap" dateTime={line.at} title={line.at}>
          {formatInstant(line.at)}
        </time>
      ),
      Actor: <Who {...line} />,
      Action: visibleText(line.action),
      Target: line.target === null ? UNKNOWN : visibleText(line.target),
      Details: <Detail {...line} />,
    },
  }))
  return <PlainTable caption="Audit log, newest first" head={HEAD} rows={rows} wide={['Details']} />
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
