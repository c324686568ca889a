import { fitsPath } from './fit-request.ts'
import { decide, type Judged, type SpecOf, undecided } from './judged.ts'
import type { PageReader } from './page-reader.ts'
import { showValue } from './show-value.ts'

/**
 * Where the browser stands: in the app, at this path (`*` stands for one part; the fragment counts only where the
 * pattern has one) and with at least these parameters.
 */
export async function judgeUrl(
  spec: SpecOf<'url'>,
  { page, origin }: { page: PageReader; origin: string },
): Promise<Judged> {
  const expected = showWanted(spec)
  const address = await page.url()
  if (address === null) return undecided(expected, 'the page could not be asked for its address')
  if (!URL.canParse(address)) return decide(expected, showValue(address), false)
  const url = new URL(address)
  if (url.origin !== new URL(origin).origin)
    return decide(expected, `outside of the app: ${showValue(address)}`, false)
  const fits =
    (spec.path === undefined || fitsAddress(spec.path, url)) &&
    Object.entries(spec.query ?? {}).every(([key, value]) => url.searchParams.get(key) === value)
  return decide(expected, showValue(`${url.pathname}${url.search}${url.hash}`), fits)
}

function showWanted({ path, query }: SpecOf<'url'>): string {
  const parts = [
    ...(path === undefined ? [] : [`at ${path}`]),
    ...(query === undefined ? [] : [`with ${showValue(query)}`]),
  ]
  return parts.length === 0 ? 'the browser is in the app' : `the browser is ${parts.join(' ')}`
}

function fitsAddress(pattern: string, { pathname, hash }: URL): boolean {
  const mark = pattern.indexOf('#')
  if (mark < 0) return fitsPath(pattern, pathname)
  return fitsPath(pattern.slice(0, mark), pathname) && fitsPath(pattern.slice(mark), hash)
}
