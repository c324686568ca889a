import { Button } from '#components/ui/button.tsx'
import type { AuditFilter, AuditView } from '#lib/domain/views/audit-view.ts'
import { visibleText } from '../format/visible-text.ts'

const CONTROL = 'h-8 w-full min-w-0 rounded border border-line-strong bg-surface px-2'

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
      <label className="min-w-0">
        <span className="mb-1 block text-muted text-xs">Actor</span>
        <input className={CONTROL} defaultValue={filter.actor} key={filter.actor} name="actor" />
      </label>
      <label className="min-w-0">
        <span className="mb-1 block text-muted text-xs">Action</span>
        <select className={CONTROL} defaultValue={filter.action} key={filter.action} name="action">
          <option value="">All actions</option>
          {offered.map((action) => (
            <option key={action} value={action}>
              {visibleText(action)}
            </option>
          ))}
        </select>
      </label>
      <label className="min-w-0">
        <span className="mb-1 block text-muted text-xs">Target</span>
        <input className={CONTROL} defaultValue={filter.target} key={filter.target} name="target" />
      </label>
      <Button type="submit">Filter</Button>
    </form>
  )
}
