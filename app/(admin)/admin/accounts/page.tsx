import type { Metadata } from 'next'
import { headers } from 'next/headers'
import { AccountTable, SessionList } from '#components/admin/accounts.tsx'
import { SelectField, TextField } from '#components/ui/fields.tsx'
import { ActionForm, NewPasswordField } from '#components/ui/form.tsx'
import { PageHeading, Section } from '#components/ui/layout.tsx'
import { MAX_PASSWORD_LENGTH } from '#lib/domain/accounts/index.ts'
import { listAccountViews, listOwnSessions } from '#lib/server/accounts/accounts.ts'
import { showTo } from '#lib/server/accounts/show-to.ts'
import { guardPage } from '#lib/server/http/guard.ts'
import {
  addAccountAction,
  changePasswordAction,
  disableAction,
  enableAction,
  endSessionAction,
  inviteAction,
  setRoleAction,
} from './actions.ts'

export const dynamic = 'force-dynamic'
export const metadata: Metadata = { title: 'Accounts' }

const ACTIONS = {
  setRole: setRoleAction,
  disable: disableAction,
  enable: enableAction,
  invite: inviteAction,
}
const ROLE_OPTIONS = [
  { value: 'viewer', text: 'Viewer (read-only)' },
  { value: 'admin', text: 'Administrator (full access)' },
]

/** All accounts, and the user's own password and sessions. */
export default async function AccountsPage() {
  const actor = await guardPage()
  const isAdmin = actor.role === 'admin'
  const [accounts, sessions] = await Promise.all([
    showTo(actor, await listAccountViews()),
    listOwnSessions(actor, await headers()),
  ])
  return (
    <>
      <PageHeading title="Accounts">
        People who can sign in. Accounts can be disabled but not deleted, because the audit log
        refers to them.
      </PageHeading>
      <AccountTable accounts={accounts} actions={isAdmin ? ACTIONS : null} />
      {isAdmin ? (
        <Section id="add" title="Add account">
          <ActionForm action={addAccountAction} submit="Add account">
            <div className="grid gap-x-4 gap-y-3 sm:grid-cols-2 lg:grid-cols-4">
              <TextField label="E-mail" name="email" required type="email" />
              <TextField label="Name" maxLength={80} name="name" required />
              <SelectField label="Role" name="role" options={ROLE_OPTIONS} />
              <NewPasswordField
                label="Password (leave empty for a one-time link)"
                name="password"
                required={false}
              />
            </div>
          </ActionForm>
        </Section>
      ) : null}
      <Section id="password" title="Your password">
        <ActionForm
          action={changePasswordAction}
          className="max-w-sm space-y-3"
          submit="Change password"
        >
          <TextField
            autoComplete="current-password"
            label="Current password"
            maxLength={MAX_PASSWORD_LENGTH}
            name="current"
            required
            type="password"
          />
          <NewPasswordField email={actor.name} id="own-password" label="New password" />
        </ActionForm>
      </Section>
      <Section id="sessions" title="Your sessions">
        <SessionList end={endSessionAction} sessions={sessions} />
      </Section>
    </>
  )
}
