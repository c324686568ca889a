import { createHash, randomUUID } from 'node:crypto'
import { publicStamp } from '../../db/change-store.ts'
import { processWide } from '../../process-wide.ts'

/** Pages that show stored data and nothing of their reader. */
const PUBLIC =
  /^\/(?:$|(?:agents|api-reference|audit|compare|history|ledger|models|plan|runs)$|(?:methodology|reports|suites)(?:\/|$)|(?:agents|episodes|models|rows|runs)\/[^/]+$)/
/** Pages that also show files or the progress of a run, which no stamp of the public data covers. */
const UNSTAMPED = /^\/(?:ledger$|(?:episodes|runs)\/)/
const OWN_COOKIE = /(?:^|;\s*)(?:__Secure-)?proofboard\./

/** A cache before this server may store the page for 5 seconds, and send it for a minute more while it fetches a new one. */
const SHARED_CACHE = 'public, s-maxage=5, stale-while-revalidate=60'
const PRIVATE_CACHE = 'private, no-store'

type PageRequest = { method: string; pathname: string; headers: Headers }

/** Returns whether a page is the same for all readers: not for a browser that ever signed in here, nor for a credential or a write. */
export function isShared({ method, pathname, headers }: PageRequest): boolean {
  if (method !== 'GET' && method !== 'HEAD') return false
  if (headers.has('authorization') || OWN_COOKIE.test(headers.get('cookie') ?? '')) return false
  return PUBLIC.test(pathname)
}

/** Cache headers of a page; `tag` null = it cannot be revalidated. */
export function cacheHeaders(isPublic: boolean, tag: string | null): Record<string, string> {
  if (!isPublic) return { 'cache-control': PRIVATE_CACHE }
  return { 'cache-control': SHARED_CACHE, ...(tag !== null && { etag: tag }) }
}

/** Pages show relative times, so a copy is valid for a minute at most. */
const VALID_MS = 60_000

/** The same in all servers of one build, so that a cache before them revalidates with any; a build by hand has no id. */
// biome-ignore lint/style/noProcessEnv: replaced by the id when the site is built
const build = process.env.SITE_BUILD ?? processWide('page build', () => randomUUID())

/** The state of all that a public page shows; null = it is not known, or the page shows more than the public data. */
export async function readPageState(pathname: string, nowMs = Date.now()): Promise<string | null> {
  if (UNSTAMPED.test(pathname)) return null
  const stamp = await publicStamp()
  if (stamp === null) return null
  const minute = Math.floor(nowMs / VALID_MS)
  return createHash('sha256').update(`${build} ${minute} ${stamp}`).digest('base64url').slice(0, 22)
}

/** A copy of a page runs its scripts by the nonce it was rendered with, so a tag names both. */
export function pageTag(state: string, nonce: string): string {
  return `W/"${state}.${nonce}"`
}

/** Returns the tag of a copy that still is what the page shows; null = there is none. */
export function findValidTag(known: string | null, state: string): string | null {
  const tags = known?.split(',').map((tag) => tag.trim()) ?? []
  return tags.find((tag) => tag.startsWith(`W/"${state}.`)) ?? null
}
