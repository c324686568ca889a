/** Shown in the page, so that with other parameters the page is another: each such state would be a copy of the whole. */
const ROW_OPEN = 'open'

/**
 * An address of the site in one spelling: path and query, without what is empty, in one order. Null = it leads
 * elsewhere. `origins` are addresses under which the site is known.
 */
export function canonicalAddress(
  href: string,
  from: string,
  origins: readonly string[] = [],
): string | null {
  const base = `${PLACEHOLDER}${from}`
  if (!URL.canParse(href, base)) return null
  const url = new URL(href, base)
  if (url.origin !== PLACEHOLDER && !origins.includes(url.origin)) return null
  const path = url.pathname.length > 1 ? url.pathname.replace(/\/+$/, '') || '/' : '/'
  const query = stateOf(path, url.searchParams)
  return query.size > 0 ? `${path}?${query}` : path
}

/** What of a query another page is made for. */
function stateOf(path: string, given: URLSearchParams): URLSearchParams {
  const query = new URLSearchParams([...given].filter(([name, value]) => value && name !== '_rsc'))
  query.sort()
  // A line of a log is a place in its page.
  if (path.startsWith('/episodes/')) query.delete('line')
  const others = [...query.keys()].filter((name) => !['suite', 'version', ROW_OPEN].includes(name))
  if (path === '/' && others.length > 0) query.delete(ROW_OPEN)
  return query
}

const PLACEHOLDER = 'http://site.invalid'

/** The place in a page that a link names. */
export function fragmentOf(href: string): string {
  const place = href.indexOf('#')
  if (place >= 0) return href.slice(place)
  const line = /[?&]line=(\d+)/.exec(href)?.[1]
  return line !== undefined && href.includes('/episodes/') ? `#L${line}` : ''
}
