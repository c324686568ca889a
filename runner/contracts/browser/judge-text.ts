import { fitsWords, showWords } from './fit-words.ts'
import { decide, type Judged, type SpecOf, undecided } from './judged.ts'
import type { PageReader } from './page-reader.ts'
import { showAmount, showValues } from './show-value.ts'

/** At least one element that can be seen says these words. */
export async function judgeText({ css, words }: SpecOf<'text'>, page: PageReader): Promise<Judged> {
  const expected = `${css} ${showWords(words)}`
  const texts = await page.texts(css)
  if (texts === null) return undecided(expected, 'the page could not be read')
  if (texts.length === 0) return decide(expected, `no ${css} can be seen`, false)
  const fitting = texts.filter((text) => fitsWords(words, text))
  if (fitting.length > 0) return decide(expected, showValues(fitting), true)
  return decide(expected, `${showAmount(texts.length, 'element')}: ${showValues(texts)}`, false)
}
