import type { FormAction, OidcView, TokenView } from '#lib/domain/api/index.ts'
import { ActionForm } from '../ui/form.tsx'
import { formatInstant, UNKNOWN, visibleText } from '../ui/format.ts'
import { PlainTable } from '../ui/plain-table.tsx'

type TokenTableProps = {
  tokens: readonly TokenView[]
  /** Null = the user is a viewer. */
  revoke: FormAction | null
}

const TOKEN_HEAD = [
  'Name',
  'Prefix',
  'Permissions',
  'Created',
  'Last used',
  'Expires',
  'State',
] as const

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
    <PlainTable<(typeof TOKEN_HEAD)[number] | ''>
      caption="API tokens, newest first"
      head={revoke ? [...TOKEN_HEAD, ''] : TOKEN_HEAD}
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

type OidcRulesTableProps = {
  rules: OidcView['rules']
  /** Null = the user is a viewer. */
  remove: FormAction | null
}

const RULE_HEAD = [
  'Repository',
  'Owner',
  'Ref',
  'Workflow',
  'Environment',
  'Events',
  'Created',
] as const

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
      '': remove ? <Remove id={id} remove={remove} rule={rule} /> : null,
    },
  }))
  return (
    <PlainTable<(typeof RULE_HEAD)[number] | ''>
      caption="Allowed workflows, oldest first"
      head={remove ? [...RULE_HEAD, ''] : RULE_HEAD}
      rows={rows}
      wide={['Workflow', 'Created', '']}
    />
  )
}

type RemoveProps = Pick<OidcRulesTableProps['rules'][number], 'id' | 'rule'> & {
  remove: FormAction
}

function Remove({ id, rule, remove }: RemoveProps) {
  return (
    <ActionForm
      action={remove}
      className="flex flex-wrap items-center gap-2"
      label={`Remove repository ${rule.repositoryId}, ${visibleText(rule.ref)}`}
      submit="Remove"
    >
      <input name="id" type="hidden" value={id} />
    </ActionForm>
  )
}
