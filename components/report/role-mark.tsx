import { classNames } from '#components/ui/class-names.ts'
import type { ColumnRole } from '#lib/domain/axes/axis-report.ts'

const MEANINGS: Record<ColumnRole, string> = {
  primary: 'May be quoted for a row that is a claim',
  supporting: 'Success-weighted: explains a claim, is none itself',
  diagnostic: 'Raw, failures included: proves nothing by itself',
}

/** What a column may be used for, as a word in a frame. */
export function RoleMark({ role }: { role: ColumnRole }) {
  return (
    <span
      className={classNames(
        'inline-block whitespace-nowrap rounded border px-1 text-xs',
        role === 'primary' && 'border-accent text-ink',
        role === 'supporting' && 'border-line-strong text-ink',
        role === 'diagnostic' && 'border-line-strong border-dashed text-muted',
      )}
      title={MEANINGS[role]}
    >
      {role}
    </span>
  )
}
