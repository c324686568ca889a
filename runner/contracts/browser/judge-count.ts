import { fitsCount, showHowMany } from './how-many.ts'
import { decide, type Judged, type SpecOf, undecided } from './judged.ts'
import type { PageReader } from './page-reader.ts'
import { showAmount, showValues } from './show-value.ts'

/** How many such elements can be seen. */
export async function judgeCount(
  { css, count }: SpecOf<'count'>,
  page: PageReader,
): Promise<Judged> {
  const expected = `${showHowMany(count)} of ${css}`
  const texts = await page.texts(css)
  if (texts === null) return undecided(expected, 'the page could not be read')
  const shown = texts.length === 0 ? '' : `: ${showValues(texts)}`
  const observed = `${showAmount(texts.length, 'element')}${shown}`
  return decide(expected, observed, fitsCount(count, texts.length))
}
