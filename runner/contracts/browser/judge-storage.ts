import { fitsWords, showWords } from './fit-words.ts'
import { decide, type Judged, type SpecOf, undecided } from './judged.ts'
import type { PageReader } from './page-reader.ts'
import { showValue } from './show-value.ts'

const AREA = { local: 'local storage', session: 'session storage', cookie: 'the cookies' } as const

/** What the browser keeps for the app under a key; without words it only has to be there. */
export async function judgeStorage(
  { in: area, key, words, absent }: SpecOf<'storage'>,
  page: PageReader,
): Promise<Judged> {
  const place = `${key} in ${AREA[area]}`
  const expected = absent ? `no ${place}` : `${place} ${words ? showWords(words) : 'is there'}`
  const kept = await page.storage(area, key)
  if (kept === null) return undecided(expected, `${AREA[area]} could not be read`)
  const { value } = kept
  if (value === null) return decide(expected, `no ${place}`, absent === true)
  const holds = !absent && (words === undefined || fitsWords(words, value))
  return decide(expected, showValue(value), holds)
}
