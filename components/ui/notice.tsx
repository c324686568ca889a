import type { ReactNode } from 'react'

type NoticeProps = { title: string; children?: ReactNode; heading?: 'h1' | 'h2' }

/** Message for missing data or errors: what happened and what to do. */
export function Notice({ title, children, heading: Heading = 'h2' }: NoticeProps) {
  return (
    <div className="rounded border border-line bg-surface px-5 py-6">
      <Heading className="untrusted font-semibold text-base">{title}</Heading>
      {children ? (
        <div className="mt-1 max-w-2xl space-y-3 text-base text-muted">{children}</div>
      ) : null}
    </div>
  )
}
