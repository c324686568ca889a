import { decide, type Judged, undecided } from './judged.ts'
import type { PageReader } from './page-reader.ts'

/** No alert, question or prompt of the page is left open. */
export async function judgeNoDialog(page: PageReader): Promise<Judged> {
  const isOpen = await page.hasDialog()
  const expected = 'no dialog is open'
  if (isOpen === null) return undecided(expected, 'the page could not be asked for dialogs')
  return decide(expected, isOpen ? 'a dialog is open' : expected, !isOpen)
}
