import Link from 'next/link'
import { visibleText } from '#components/format/visible-text.ts'
import type { LedgerAction } from '#lib/domain/ledger/ledger-action.ts'
import { targetKind } from '#lib/domain/ledger/target-kind.ts'
import type { LedgerView } from '#lib/domain/views/ledger-view.ts'

type EntryTargetProps = { action: LedgerAction; rows: LedgerView['rows'] }

/** What an entry is about, as a link to where it can be seen. */
export function EntryTarget({ action, rows }: EntryTargetProps) {
  const href = targetHref(action, rows)
  const row = rows.get(action.target)
  const name = (
    <>
      <code className="text-xs">{visibleText(shorten(action.target))}</code>
      {row ? ` (${visibleText(row.subject)})` : null}
    </>
  )
  if (href === null) return <span title={visibleText(action.target)}>{name}</span>
  return (
    <Link className="link" href={href} prefetch={false} title={visibleText(action.target)}>
      {name}
    </Link>
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
