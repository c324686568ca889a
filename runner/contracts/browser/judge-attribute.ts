import { fitsWords, showWords } from './fit-words.ts'
import { decide, type Judged, type SpecOf, undecided } from './judged.ts'
import type { PageReader } from './page-reader.ts'
import { showAmount, showValues } from './show-value.ts'

/** At least one such element has an attribute with these words. */
export async function judgeAttribute(
  { css, name, words }: SpecOf<'attribute'>,
  page: PageReader,
): Promise<Judged> {
  const expected = `${name} of ${css} ${showWords(words)}`
  const values = await page.attributes(css, name)
  if (values === null) return undecided(expected, 'the page could not be read')
  const there = values.filter((value) => value !== null)
  if (values.length === 0) return decide(expected, `there is no ${css}`, false)
  if (there.length === 0)
    return decide(expected, `${showAmount(values.length, 'element')}, none with ${name}`, false)
  const fitting = there.filter((value) => fitsWords(words, value))
  return decide(expected, showValues(fitting.length > 0 ? fitting : there), fitting.length > 0)
}
