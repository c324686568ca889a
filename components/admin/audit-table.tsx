import { UNKNOWN } from '#components/format/number.ts'
import { formatInstant } from '#components/format/time.ts'
import { visibleText } from '#components/format/visible-text.ts'
import { PlainTable } from '#components/ui/plain-table.tsx'
import type { AuditLine } from '#lib/domain/views/audit-view.ts'

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
