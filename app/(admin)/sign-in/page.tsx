import type { Metadata } from 'next'
import { headers } from 'next/headers'
import { redirect } from 'next/navigation'
import { ActionForm } from '#components/form/action-form.tsx'
import { InputField } from '#components/form/form-fields.tsx'
import { Notice } from '#components/ui/notice.tsx'
import { PageHeading } from '#components/ui/page-heading.tsx'
import { findActor } from '#lib/auth/find-actor.ts'
import { hasAccounts } from '#lib/auth/list-accounts.ts'
import { LONGEST_PASSWORD } from '#lib/domain/password.ts'
import { safeNext } from '#lib/domain/safe-next.ts'
import { signInHere } from './actions.ts'

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
        For administrators of this board. You do not need an account to read it.
      </PageHeading>
      {(await hasAccounts()) ? (
        <ActionForm action={signInHere} submit="Sign in">
          <input name="next" type="hidden" value={next} />
          <InputField autoComplete="username" label="E-mail" name="email" required type="email" />
          <InputField
            autoComplete="current-password"
            label="Password"
            maxLength={LONGEST_PASSWORD}
            name="password"
            required
            type="password"
          />
        </ActionForm>
      ) : (
        <Notice title="No accounts yet">
          <p>
            Open the one-time link that the server printed when it started. To get a new one, run{' '}
            <code>npx proofboard accounts setup-link</code> on its machine.
          </p>
        </Notice>
      )}
    </div>
  )
}
