import { countOf } from '#lib/domain/text/index.ts'
import type { SeenRequest } from '../../apps/app-pool.ts'
import {
  decide,
  fitsCount,
  type JudgedAssertion,
  type SpecOf,
  showHowMany,
  showValue,
  showValues,
  undecided,
} from './judged.ts'
import type { PageReader } from './page-reader.ts'

/**
 * Checks the browser's location: in the app, at this path (`*` matches one segment; the fragment counts only if the
 * pattern has one) and with at least these parameters.
 */
export async function judgeUrl(
  spec: SpecOf<'url'>,
  { page, origin }: { page: PageReader; origin: string },
): Promise<JudgedAssertion> {
  const expected = showWanted(spec)
  const address = await page.url()
  if (address === null) return undecided(expected, 'the page could not be asked for its address')
  if (address === '') return decide(expected, 'no page of the app is open', false)
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

/** Checks that at least one visible element contains these words. */
export async function judgeText(
  { css, words }: SpecOf<'text'>,
  page: PageReader,
): Promise<JudgedAssertion> {
  const expected = `${css} ${showWords(words)}`
  const texts = await page.texts(css)
  if (texts === null) return undecided(expected, 'the page could not be read')
  if (texts.length === 0) return decide(expected, `no ${css} can be seen`, false)
  const fitting = texts.filter((text) => fitsWords(words, text))
  if (fitting.length > 0) return decide(expected, showValues(fitting), true)
  return decide(expected, `${countOf(texts.length, 'element')}: ${showValues(texts)}`, false)
}

/** Checks that at least one such element has an attribute with these words. */
export async function judgeAttribute(
  { css, name, words }: SpecOf<'attribute'>,
  page: PageReader,
): Promise<JudgedAssertion> {
  const expected = `${name} of ${css} ${showWords(words)}`
  const values = await page.attributes(css, name)
  if (values === null) return undecided(expected, 'the page could not be read')
  const there = values.filter((value) => value !== null)
  if (values.length === 0) return decide(expected, `there is no ${css}`, false)
  if (there.length === 0)
    return decide(expected, `${countOf(values.length, 'element')}, none with ${name}`, false)
  const fitting = there.filter((value) => fitsWords(words, value))
  return decide(expected, showValues(fitting.length > 0 ? fitting : there), fitting.length > 0)
}

/** Counts the visible elements. */
export async function judgeCount(
  { css, count }: SpecOf<'count'>,
  page: PageReader,
): Promise<JudgedAssertion> {
  const expected = `${showHowMany(count)} of ${css}`
  const texts = await page.texts(css)
  if (texts === null) return undecided(expected, 'the page could not be read')
  const shown = texts.length === 0 ? '' : `: ${showValues(texts)}`
  const observed = `${countOf(texts.length, 'element')}${shown}`
  return decide(expected, observed, fitsCount(count, texts.length))
}

/** Checks that no alert, question or prompt of the page is open. */
export async function judgeNoDialog(page: PageReader): Promise<JudgedAssertion> {
  const isOpen = await page.hasDialog()
  const expected = 'no dialog is open'
  if (isOpen === null) return undecided(expected, 'the page could not be asked for dialogs')
  return decide(expected, isOpen ? 'a dialog is open' : expected, !isOpen)
}

const SHOWN = 5

/** Checks that a complete file with these contents was downloaded, under this name if one is given. */
export async function judgeDownload(
  { name, digest }: SpecOf<'download'>,
  page: PageReader,
): Promise<JudgedAssertion> {
  const expected = `${name === undefined ? 'a file' : showValue(name)} with ${digest}`
  const files = await page.downloads()
  if (files === null) return undecided(expected, 'the downloads could not be read')
  if (files.length === 0) return decide(expected, 'nothing was downloaded', false)
  const isThere = files.some(
    (file) => file.digest === digest && (name === undefined || file.name === name),
  )
  const shown = files.slice(0, SHOWN).map((file) => `${showValue(file.name)} with ${file.digest}`)
  const more = files.length > SHOWN ? ` and ${files.length - SHOWN} more` : ''
  return decide(expected, `${shown.join(', ')}${more}`, isThere)
}

/** Counts the requests that the app's server received; with `status`, only those with that response. */
export function judgeNetwork(
  { request, count, status }: SpecOf<'network'>,
  requests: readonly SeenRequest[] | null,
): JudgedAssertion {
  const answered = status === undefined ? '' : ` answered with ${status}`
  const expected = `${showHowMany(count)} of ${request}${answered}`
  if (requests === null) return undecided(expected, "the app's requests could not be read")
  const requested = requests.filter(({ method, path }) => fitsRequest(request, method, path))
  const fitting = requested.filter((one) => status === undefined || one.status === status)
  const answers = requested.map((one) => one.status ?? 'no answer').slice(0, 20)
  const shown = answers.length === 0 ? '' : `, answered ${answers.join(', ')}`
  const observed = `${countOf(requested.length, 'such request')} of ${requests.length}${shown}`
  return decide(expected, observed, fitsCount(count, fitting.length))
}

const AREA = { local: 'local storage', session: 'session storage', cookie: 'the cookies' } as const

/** Checks the value that the browser stores for the app under a key; without words it only has to exist. */
export async function judgeStorage(
  { in: area, key, words, absent }: SpecOf<'storage'>,
  page: PageReader,
): Promise<JudgedAssertion> {
  const place = `${key} in ${AREA[area]}`
  const expected = absent ? `no ${place}` : `${place} ${words ? showWords(words) : 'is there'}`
  const kept = await page.storage(area, key)
  if (kept === null) return undecided(expected, `${AREA[area]} could not be read`)
  const { value } = kept
  if (value === null) return decide(expected, `no ${place}`, absent === true)
  const holds = !absent && (words === undefined || fitsWords(words, value))
  return decide(expected, showValue(value), holds)
}

type Words = SpecOf<'text'>['words']

/** Normalises white space as a reader sees it: one space between words, none around them. */
function collapse(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}

function fitsWords(words: Words, text: string): boolean {
  const seen = collapse(text)
  return 'is' in words ? seen === collapse(words.is) : seen.includes(collapse(words.contains))
}

function showWords(words: Words): string {
  return 'is' in words ? `is ${showValue(words.is)}` : `contains ${showValue(words.contains)}`
}

/** Returns whether a path matches a pattern in which `*` matches one segment: `/orders/*`. */
function fitsPath(pattern: string, path: string): boolean {
  const wanted = pattern.split('/')
  const parts = path.split('/')
  return (
    wanted.length === parts.length &&
    wanted.every((part, index) => (part === '*' ? parts[index] !== '' : part === parts[index]))
  )
}

/** Returns whether a request matches `METHOD /path`; its query counts only if the pattern has one. */
export function fitsRequest(pattern: string, method: string, path: string): boolean {
  const gap = pattern.indexOf(' ')
  const wanted = pattern.slice(gap + 1)
  if (gap < 0 || pattern.slice(0, gap) !== method) return false
  return fitsPath(wanted, wanted.includes('?') ? path : (path.split('?')[0] ?? ''))
}
