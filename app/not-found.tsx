import type { Metadata } from 'next'
import { headers } from 'next/headers'
import Link from 'next/link'
import { visibleText } from '#components/ui/format.ts'
import { Notice } from '#components/ui/layout.tsx'
import { nearestPages } from '#lib/server/board/nearest-pages.ts'

export const metadata: Metadata = { title: 'Not found' }

/** Shown for addresses that match nothing stored here, with the nearest names that do. */
export default async function NotFound() {
  const near = await nearestPages((await headers()).get('x-page-path') ?? '')
  return (
    <Notice heading="h1" title="Page not found">
      <p>
        This server has nothing at this address. The link may be incomplete or belong to another
        server.
      </p>
      {near.length > 0 ? (
        <p>
          Did you mean{' '}
          {near.map(({ name, path }, index) => (
            <span key={path}>
              {index > 0 ? ', ' : ''}
              <Link className="link untrusted" href={path} prefetch={false}>
                {visibleText(name)}
              </Link>
            </span>
          ))}
          ?
        </p>
      ) : null}
      <p>
        Go to the{' '}
        <Link className="link" href="/">
          leaderboard
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
