import type { Metadata } from 'next'
import { SetupForm } from '#components/admin/admin-forms.tsx'
import { visibleText } from '#components/ui/format.ts'
import { PageHeading } from '#components/ui/layout.tsx'
import { Notice } from '#components/ui/notice.tsx'
import { openLink } from '#lib/server/accounts/setup-links.ts'
import { setUpFirst, setUpPassword } from './actions.ts'

export const dynamic = 'force-dynamic'
export const metadata: Metadata = { title: 'Set up', robots: { index: false } }

type SetupPageProps = { searchParams: Promise<Record<string, string | string[] | undefined>> }

/** The target of a one-time link: creates the first administrator, or sets a user's password. */
export default async function SetupPage({ searchParams }: SetupPageProps) {
  const token = [(await searchParams).token].flat()[0] ?? ''
  const link = await openLink(token)
  if (!link) {
    return (
      <Notice heading="h1" title="This link does not work">
        <p>
          It was already used, has expired, or was replaced by a newer link. Ask an administrator
          for a new one. If there are no accounts yet, restart the server or run{' '}
          <code>npx proofboard server accounts setup-link</code> on its machine. If you have a
          password,{' '}
          <a className="link" href="/sign-in">
            sign in
          </a>
          .
        </p>
      </Notice>
    )
  }
  const isFirst = link.kind === 'first-admin'
  return (
    <div className="mx-auto max-w-sm">
      <PageHeading title={isFirst ? 'Create the first account' : 'Choose your password'}>
        {isFirst
          ? 'This account is an administrator: it can launch runs, correct results and add users.'
          : `For ${visibleText(link.name)} (${visibleText(link.email)}).`}
      </PageHeading>
      <SetupForm
        action={isFirst ? setUpFirst : setUpPassword}
        email={isFirst ? null : link.email}
        token={token}
      />
    </div>
  )
}
