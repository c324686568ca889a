import type { Metadata } from 'next'
import Link from 'next/link'
import { Notice } from '#components/ui/layout.tsx'

export const metadata: Metadata = { title: 'Not found' }

/** For addresses that name nothing we keep. */
export default function NotFound() {
  return (
    <Notice heading="h1" title="There is nothing at this address">
      <p>
        The run, episode or suite it names is not kept here. The link may be cut, or it points to
        another server’s data.
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
