import type { IncomingHttpHeaders } from 'node:http'
import type { NotedReads } from '../evidence/noted-reads.ts'
import { isCachedAnswer, takesAnswer } from './cached-answers.ts'
import { isPlainPath } from './plain-path.ts'

/** How a body is compressed, in the words of HTTP. */
export type Encoding = 'br' | 'gzip'

/** A rendered page as it is sent; `stamp` is the state of the public data before its rendering began. */
export type CachedPage = {
  status: number
  headers: Readonly<Record<string, string | string[]>>
  policy: string | null
  body: Buffer
  encoded: Record<Encoding, Buffer>
  etag: string
  stamp: string
  /** The files that it was rendered from. */
  reads: NotedReads
  renderedAt: number
}

/** Pages that show stored data and nothing of their reader. What they read from files is noted (`noteRead`). */
const CACHEABLE =
  /^\/(?:$|(?:agents|api-reference|audit|compare|history|ledger|models|plan|runs)$|(?:methodology|reports|suites)(?:\/|$)|(?:agents|episodes|models|rows)\/|runs\/[^/]+$)/

const LONGEST_URL = 2000
const OWN_COOKIE = /(?:^|;\s*)(?:__Secure-)?proofboard\./
/** Requests of Next's own router, and those for parts: they are no whole pages. */
const PARTIAL = ['rsc', 'next-router-state-tree', 'next-router-prefetch', 'next-action', 'range']

type PageRequest = { method?: string | undefined; url?: string | undefined } & {
  headers: IncomingHttpHeaders
}

/**
 * The cache key of a request's page; null = it is rendered for this reader alone: a browser that ever
 * signed in here, a credential, a write, a page that is not public.
 */
export function cacheName({ method, url = '', headers }: PageRequest): string | null {
  if (method !== 'GET' && method !== 'HEAD') return null
  if (headers.authorization !== undefined || OWN_COOKIE.test(headers.cookie ?? '')) return null
  if (PARTIAL.some((name) => headers[name] !== undefined)) return null
  if (url.length > LONGEST_URL || !isPlainPath(url)) return null
  const isAnswer = isCachedAnswer(url) && takesAnswer(headers)
  if (!isAnswer && !CACHEABLE.test(url.split('?')[0] ?? '')) return null
  // A page may name its own address.
  const { host, 'x-forwarded-host': asked, 'x-forwarded-proto': scheme } = headers
  return JSON.stringify([host, asked, scheme, url])
}

/** A page of unchanged data is rendered again after this time all the same: it may say how long ago something was. */
const MOST_MS = 60_000
const MOST_BYTES = 64 * 1024 * 1024

/** Rendered pages in memory; the least recently used are removed first. */
export class CachedPages {
  readonly #pages = new Map<string, CachedPage>()
  #bytes = 0

  /** The page as long as public data and files are what it was rendered from; null = it has to be rendered. */
  find(name: string, stamp: string, now: number): CachedPage | null {
    const page = this.#pages.get(name)
    if (!page) return null
    this.#remove(name, page)
    if (page.stamp !== stamp || now - page.renderedAt > MOST_MS) return null
    if (!page.reads.areUnchanged()) return null
    this.#add(name, page)
    return page
  }

  keep(name: string, page: CachedPage): void {
    const before = this.#pages.get(name)
    if (before) this.#remove(name, before)
    this.#add(name, page)
    for (const [oldest, old] of this.#pages) {
      if (this.#bytes <= MOST_BYTES) break
      this.#remove(oldest, old)
    }
  }

  get size(): number {
    return this.#pages.size
  }

  #add(name: string, page: CachedPage): void {
    this.#pages.set(name, page)
    this.#bytes += sizeOf(name, page)
  }

  #remove(name: string, page: CachedPage): void {
    if (this.#pages.delete(name)) this.#bytes -= sizeOf(name, page)
  }
}

/** What a page takes beside its bytes: objects, headers, its place in the list. */
const OVERHEAD_BYTES = 4096

const sizeOf = (name: string, { body, encoded, policy }: CachedPage) =>
  OVERHEAD_BYTES +
  2 * (name.length + (policy?.length ?? 0)) +
  body.length +
  encoded.br.length +
  encoded.gzip.length
