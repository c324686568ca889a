import type { AccountView, FormAction, SessionView } from '#lib/domain/api/index.ts'
import { countOf } from '#lib/domain/text/index.ts'
import { ActionForm } from '../ui/form.tsx'
import { formatInstant, visibleText } from '../ui/format.ts'
import { PlainTable } from '../ui/plain-table.tsx'

type AccountActions = Record<'setRole' | 'disable' | 'enable' | 'invite', FormAction>

type AccountTableProps = {
  accounts: readonly AccountView[]
  /** Null = the user is a viewer, who sees no addresses. */
  actions: AccountActions | null
}

const HEAD = ['E-mail', 'Name', 'Role', 'State', 'Last sign-in'] as const

/** All accounts, with actions for an administrator. */
export function AccountTable({ accounts, actions }: AccountTableProps) {
  const rows = accounts.map((account) => ({
    key: account.id,
    cells: {
      'E-mail': visibleText(account.email),
      Name: visibleText(account.name),
      Role: account.role,
      State: stateOf(account),
      'Last sign-in': formatInstant(account.lastSignInAt),
      Actions: actions ? <Controls account={account} actions={actions} /> : null,
    },
  }))
  const head = actions ? ([...HEAD, 'Actions'] as const) : HEAD.slice(1)
  return (
    <PlainTable<(typeof HEAD)[number] | 'Actions'>
      caption="Accounts"
      head={head}
      rows={rows}
      wide={actions ? ['E-mail', 'Actions'] : ['Name']}
    />
  )
}

function stateOf({ disabledAt, hasPassword, sessions }: AccountView): string {
  if (disabledAt) return `disabled since ${formatInstant(disabledAt)}`
  if (!hasPassword) return 'invited, no password yet'
  return sessions === 0 ? 'no active session' : `signed in, ${countOf(sessions, 'session')}`
}

const ROW = 'flex flex-wrap items-center gap-2'

function Controls({ account, actions }: { account: AccountView; actions: AccountActions }) {
  const { id, email, role, disabledAt } = account
  const name = visibleText(email)
  const other = role === 'admin' ? 'viewer' : 'admin'
  const idField = <input name="id" type="hidden" value={id} />
  if (disabledAt) {
    return (
      <ActionForm action={actions.enable} className={ROW} label={`Enable ${name}`} submit="Enable">
        {idField}
      </ActionForm>
    )
  }
  return (
    <div className="flex flex-wrap items-start gap-2">
      <ActionForm
        action={actions.setRole}
        className={ROW}
        label={`Make ${other}: ${name}`}
        submit={`Make ${other}`}
      >
        {idField}
        <input name="role" type="hidden" value={other} />
      </ActionForm>
      <ActionForm
        action={actions.invite}
        className={ROW}
        label={`New password link for ${name}`}
        submit="New password link"
      >
        {idField}
      </ActionForm>
      <ActionForm
        action={actions.disable}
        className={ROW}
        label={`Disable ${name}`}
        submit="Disable"
      >
        {idField}
      </ActionForm>
    </div>
  )
}

type SessionListProps = { sessions: readonly SessionView[]; end: FormAction }

/** The user's sessions, each with a button that ends it. */
export function SessionList({ sessions, end }: SessionListProps) {
  const rows = sessions.map(({ id, userAgent, ipAddress, createdAt, expiresAt, isHere }) => ({
    key: id,
    cells: {
      Browser: [userAgent ?? 'unknown', ipAddress]
        .filter(Boolean)
        .map(String)
        .map(visibleText)
        .join(', '),
      'Signed in': formatInstant(createdAt),
      Expires: formatInstant(expiresAt),
      State: isHere ? (
        'current session'
      ) : (
        <ActionForm
          action={end}
          className="flex flex-wrap items-center gap-2"
          label={`End session of ${formatInstant(createdAt)}`}
          submit="End session"
        >
          <input name="id" type="hidden" value={id} />
        </ActionForm>
      ),
    },
  }))
  return (
    <PlainTable
      caption="Your sessions"
      head={['Browser', 'Signed in', 'Expires', 'State'] as const}
      rows={rows}
      wide={['Browser', 'State']}
    />
  )
}
