import { ActionForm } from '#components/form/action-form.tsx'
import { UNKNOWN } from '#components/format/number.ts'
import { formatInstant } from '#components/format/time.ts'
import { visibleText } from '#components/format/visible-text.ts'
import { PlainTable } from '#components/ui/plain-table.tsx'
import type { FormAction } from '#lib/domain/action-result.ts'
import type { TokenView } from '#lib/domain/views/token-view.ts'

type TokenTableProps = {
  tokens: readonly TokenView[]
  /** Null = the user is a viewer. */
  revoke: FormAction | null
}

const HEAD = ['Name', 'Prefix', 'Permissions', 'Created', 'Last used', 'Expires', 'State'] as const

/** All tokens, newest first, without their secrets. */
export function TokenTable({ tokens, revoke }: TokenTableProps) {
  const rows = tokens.map((token) => ({
    key: token.id,
    cells: {
      Name: visibleText(token.name),
      Prefix: <code>{token.prefix}…</code>,
      Permissions: token.scopes.join(', '),
      Created: `${formatInstant(token.createdAt)} by ${visibleText(token.createdBy)}`,
      'Last used': token.lastUsedAt ? formatInstant(token.lastUsedAt) : UNKNOWN,
      Expires: token.expiresAt ? formatInstant(token.expiresAt) : 'never',
      State: token.state,
      '': revoke && token.state === 'works' ? <Revoke revoke={revoke} token={token} /> : null,
    },
  }))
  return (
    <PlainTable<(typeof HEAD)[number] | ''>
      caption="API tokens, newest first"
      head={revoke ? [...HEAD, ''] : HEAD}
      rows={rows}
      wide={['Name', 'Created', '']}
    />
  )
}

function Revoke({ token, revoke }: { token: TokenView; revoke: FormAction }) {
  return (
    <ActionForm
      action={revoke}
      className="flex flex-wrap items-center gap-2"
      label={`Revoke ${visibleText(token.name)}`}
      submit="Revoke"
    >
      <input name="id" type="hidden" value={token.id} />
    </ActionForm>
  )
}
