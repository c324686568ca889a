import { publicStamp } from '../../db/change-store.ts'
import { type Feed, writeAtom, writeJsonFeed } from '../../domain/formats/index.ts'
import { currentVersion, env } from '../../env.ts'
import { type FeedQuery, getFeedPage } from '../board/feed.ts'
import { nextPage, readCursor } from './read-route.ts'
import { etagOf, isKnown } from './respond.ts'

type RequestedFeed = Omit<FeedQuery, 'after'> & { cursor?: string | undefined }

/** Responds with a page of the feed as Atom. */
export function answerAtom(request: Request, requested: RequestedFeed): Promise<Response> {
  return answerFeed(request, requested, 'application/atom+xml', writeAtom)
}

/** Responds with a page of the feed as JSON Feed. */
export function answerJsonFeed(request: Request, requested: RequestedFeed): Promise<Response> {
  return answerFeed(request, requested, 'application/feed+json', (feed) =>
    JSON.stringify(writeJsonFeed(feed)),
  )
}

/**
 * Responds with a page of the feed. Readers poll every few minutes: the tag is that of the public data, so an unchanged
 * feed is never built.
 */
async function answerFeed(
  request: Request,
  { cursor, ...query }: RequestedFeed,
  type: string,
  write: (feed: Feed) => string,
): Promise<Response> {
  const { pathname, search } = new URL(request.url)
  const { publicUrl } = env()
  const stamp = await publicStamp()
  const etag = etagOf(JSON.stringify([currentVersion(), publicUrl, pathname, search, stamp]))
  const headers = { 'Cache-Control': 'no-cache', ...(stamp !== null && { ETag: etag }) }
  if (stamp !== null && isKnown(request, etag)) return new Response(null, { status: 304, headers })
  const { items, last } = await getFeedPage({ ...query, after: readCursor(cursor) })
  const next = nextPage(request, last)
  const body = write({ ...describeFeed(query, { pathname, search, next }), items })
  return new Response(body, {
    headers: {
      ...headers,
      'Content-Type': `${type}; charset=utf-8`,
      ...(next && { Link: `<${next}>; rel="next"` }),
    },
  })
}

const TITLES = { changes: 'significant changes', ledger: 'ledger' }

type Addresses = { pathname: string; search: string; next: string | null }

function describeFeed(
  { kind, suite, agent }: Pick<FeedQuery, 'kind' | 'suite' | 'agent'>,
  { pathname, search, next }: Addresses,
): Omit<Feed, 'items'> {
  const origin = env().publicUrl.replace(/\/$/, '')
  const addressOf = (format: string) =>
    `${origin}${pathname.replace(/\.(?:xml|json)$/, `.${format}`)}${search}`
  const scope = new URLSearchParams()
  for (const [name, value] of Object.entries({ kind, suite, agent }))
    if (value !== undefined) scope.set(name, value)
  const about = [agent, suite].filter((part) => part !== undefined).join(' on ')
  const what = kind ? TITLES[kind] : 'ledger and significant changes'
  const board = suite === undefined ? '/' : `/?${new URLSearchParams({ suite })}`
  const page = agent === undefined ? board : `/agents/${encodeURIComponent(agent)}`
  return {
    id: `${origin}/feed.xml${scope.size > 0 ? `?${scope}` : ''}`,
    title: `Proofboard${about && ` · ${about}`}: ${what}`,
    description:
      'Changes of ranked entries between versions or dates, tested together (Holm, 5 %), and entries of the public ledger.',
    pageUrl: `${origin}${page}`,
    atomUrl: addressOf('xml'),
    jsonUrl: addressOf('json'),
    nextUrl: next && `${origin}${next}`,
    origin,
  }
}
