import type { Metadata } from 'next'
import type { ReactNode } from 'react'
import { Button } from '#components/ui/button.tsx'
import { visibleText } from '#components/ui/format.ts'
import { AdminNav } from '#components/ui/site.tsx'
import { guardPage } from '#lib/server/http/guard.ts'
import { signOutAction } from '../sign-in/actions.ts'

export const metadata: Metadata = { robots: { index: false } }

/** The layout of the administrator's pages. A layout does not render again on every navigation, so each page checks access too. */
export default async function AdminLayout({ children }: { children: ReactNode }) {
  const { name, role } = await guardPage()
  return (
    <>
      <div className="mb-6 flex flex-wrap items-center justify-between gap-x-6 gap-y-2 border-line border-b pb-3">
        <AdminNav />
        <form action={signOutAction} className="flex min-w-0 items-center gap-2">
          <span className="untrusted min-w-0 text-muted">
            {visibleText(name)}, {role}
          </span>
          <Button type="submit">Sign out</Button>
        </form>
      </div>
      {children}
    </>
  )
}
