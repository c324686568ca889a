import { METHODOLOGY_CONSTANTS, type MethodologyInput } from './methodology-constants.ts'
import { pageBlocks } from './page-blocks.ts'
import { pageTexts } from './page-texts.ts'
import {
  METHODOLOGY_SLUGS,
  type MethodologyPage,
  type MethodologySlug,
  parsePage,
} from './parse-page.ts'

/** Reads the Markdown of a page. */
export type ReadMethodologyText = (name: MethodologySlug | 'index') => string

/** Returns the pages of the methodology by slug, in the order of the index, with constants and suites filled in. */
export function openMethodology(
  read: ReadMethodologyText,
  given: Pick<MethodologyInput, 'words' | 'suites'>,
): Map<MethodologySlug, MethodologyPage> {
  const input = { ...given, constants: METHODOLOGY_CONSTANTS }
  const placeholders = { texts: pageTexts(input), blocks: pageBlocks(input) }
  return new Map(METHODOLOGY_SLUGS.map((slug) => [slug, parsePage(read(slug), placeholders)]))
}

/** Returns the introduction to the methodology. `row` = placeholders of the example. */
export function openMethodologyIndex(
  read: ReadMethodologyText,
  words: MethodologyInput['words'],
  row: Record<string, string>,
): MethodologyPage {
  const texts = pageTexts({ constants: METHODOLOGY_CONSTANTS, words, suites: [] })
  return parsePage(read('index'), { texts: { ...texts, ...row }, blocks: {} })
}
