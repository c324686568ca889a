import { decide, type Judged, type SpecOf, undecided } from './judged.ts'
import type { PageReader } from './page-reader.ts'
import { showValue } from './show-value.ts'

const SHOWN = 5

/** A whole file with these bytes was downloaded, under this name where one is given. */
export async function judgeDownload(
  { name, digest }: SpecOf<'download'>,
  page: PageReader,
): Promise<Judged> {
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
