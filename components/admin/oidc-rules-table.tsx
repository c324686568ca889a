import { ActionForm } from '#components/form/action-form.tsx'
import { UNKNOWN } from '#components/format/number.ts'
import { formatInstant } from '#components/format/time.ts'
import { visibleText } from '#components/format/visible-text.ts'
import { PlainTable } from '#components/ui/plain-table.tsx'
import type { FormAction } from '#lib/domain/action-result.ts'
import type { OidcView } from '#lib/domain/views/oidc-view.ts'

type OidcRulesTableProps = {
  rules: OidcView['rules']
  /** Null = the user is a viewer. */
  remove: FormAction | null
}

const HEAD = ['Repository', 'Owner', 'Ref', 'Workflow', 'Environment', 'Events', 'Created'] as const

/** All allowed workflows. Repositories are identified by number, because a name can change its owner. */
export function OidcRulesTable({ rules, remove }: OidcRulesTableProps) {
  const rows = rules.map(({ id, rule, createdBy, createdAt }) => ({
    key: id,
    cells: {
      Repository: rule.repositoryId,
      Owner: rule.repositoryOwnerId,
      Ref: <code>{visibleText(rule.ref)}</code>,
      Workflow: visibleText(rule.workflow ?? 'any'),
      Environment: visibleText(rule.environment ?? UNKNOWN),
      Events: rule.events?.join(', ') ?? 'all except pull requests',
      Created: `${formatInstant(createdAt)} by ${visibleText(createdBy)}`,
      '': remove ? <Remove id={id} remove={remove} /> : null,
    },
  }))
  return (
    <PlainTable<(typeof HEAD)[number] | ''>
      caption="Allowed workflows, oldest first"
      head={remove ? [...HEAD, ''] : HEAD}
      rows={rows}
      wide={['Workflow', 'Created', '']}
    />
  )
}

function Remove({ id, remove }: { id: string; remove: FormAction }) {
  return (
    <ActionForm
      action={remove}
      className="flex flex-wrap items-center gap-2"
      label={`Remove ${id}`}
      submit="Remove"
    >
      <input name="id" type="hidden" value={id} />
    </ActionForm>
  )
}
