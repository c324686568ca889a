import type { Metadata } from 'next'
import { headers } from 'next/headers'
import { redirect } from 'next/navigation'
import { TextField } from '#components/ui/fields.tsx'
import { ActionForm } from '#components/ui/form.tsx'
import { PageHeading } from '#components/ui/layout.tsx'
import { Notice } from '#components/ui/notice.tsx'
import { MAX_PASSWORD_LENGTH, safeNext } from '#lib/domain/accounts/index.ts'
import { hasAccounts } from '#lib/server/accounts/accounts.ts'
import { findActor } from '#lib/server/accounts/auth.ts'
import { signInAction } from './actions.ts'

export const dynamic = 'force-dynamic'
export const metadata: Metadata = { title: 'Sign in', robots: { index: false } }

type SignInPageProps = { searchParams: Promise<Record<string, string | string[] | undefined>> }

/** The sign-in page for administrators and viewers. */
export default async function SignInPage({ searchParams }: SignInPageProps) {
  const next = safeNext([(await searchParams).next].flat()[0])
  if (await findActor(await headers())) redirect(next)
  return (
    <div className="mx-auto max-w-sm">
      <PageHeading title="Sign in">
        To launch runs and manage this board. You do not need an account to read it.
      </PageHeading>
      {(await hasAccounts()) ? (
        <ActionForm action={signInAction} submit="Sign in" tone="primary">
          <input name="next" type="hidden" value={next} />
          <TextField autoComplete="username" label="E-mail" name="email" required type="email" />
          <TextField
            autoComplete="current-password"
            label="Password"
            maxLength={MAX_PASSWORD_LENGTH}
            name="password"
            required
            type="password"
          />
        </ActionForm>
      ) : (
        <Notice title="No accounts yet">
          <p>
            Open the one-time link that the server printed when it started. To get a new one, run{' '}
            <code>npx proofboard server accounts setup-link</code> on its machine.
          </p>
        </Notice>
      )}
    </div>
  )
}
