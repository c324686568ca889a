import type { Metadata } from 'next'
import Link from 'next/link'
import { Notice } from '#components/ui/layout.tsx'

export const metadata: Metadata = { title: 'Not found' }

/** Shown for addresses that match nothing stored here. */
export default function NotFound() {
  return (
    <Notice heading="h1" title="Page not found">
      <p>
        This server has no run, episode or suite at this address. The link may be incomplete or
        belong to another server.
      </p>
      <p>
        Go to the{' '}
        <Link className="link" href="/">
          board
        </Link>{' '}
        or to the{' '}
        <Link className="link" href="/runs">
          list of runs
        </Link>
        .
      </p>
    </Notice>
  )
}
