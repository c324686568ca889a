import { headers } from 'next/headers'
import { visibleText } from '#components/ui/format.ts'
import { Notice } from '#components/ui/layout.tsx'
import { type NearestPage, nearestPages, requestedSuite } from '#lib/server/board/nearest-pages.ts'

/** Notice of a page whose address matches nothing stored here; proxy.ts sets the status 404. */
export async function MissingPage() {
  const path = (await headers()).get('x-page-path') ?? ''
  return <MissingNotice near={await nearestPages(path)} suite={requestedSuite(path)} />
}

type MissingNoticeProps = {
  near: readonly NearestPage[]
  /** The one that was asked for; null = something else was. */
  suite: string | null
}

/** Says that there is nothing, and names the nearest that there is. */
export function MissingNotice({ near, suite }: MissingNoticeProps) {
  return (
    <Notice
      heading="h1"
      title={suite === null ? 'Page not found' : `Suite not found: “${visibleText(suite)}”`}
    >
      <p>
        {suite === null
          ? 'This server has nothing at this address. The link may be incomplete or belong to another server.'
          : 'The link may be outdated, or the suite is not installed on this server.'}
      </p>
      {near.length > 0 ? (
        <p>
          Did you mean{' '}
          {near.map(({ name, path }, index) => (
            <span key={path}>
              {index > 0 ? ', ' : ''}
              <a className="link untrusted" href={path}>
                {visibleText(name)}
              </a>
            </span>
          ))}
          ?
        </p>
      ) : null}
      <p>
        Go to the{' '}
        <a className="link" href="/">
          leaderboard
        </a>
        , the{' '}
        <a className="link" href="/suites">
          list of suites
        </a>{' '}
        or the{' '}
        <a className="link" href="/runs">
          list of runs
        </a>
        .
      </p>
    </Notice>
  )
}
