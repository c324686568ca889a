import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { PAGE_WORDS } from '#components/docs/page-words.ts'
import {
  METHODOLOGY_CONSTANTS,
  type MethodologyConstants,
} from '../../domain/reports/methodology/methodology-constants.ts'
import { pageBlocks } from '../../domain/reports/methodology/open-methodology.ts'
import { pageTexts } from '../../domain/reports/methodology/page-texts.ts'
import { type MethodologyPage, parsePage } from '../../domain/reports/methodology/parse-page.ts'
import type { SuiteThresholds } from '../../domain/tasks/index.ts'

const FOLDER = join(import.meta.dirname, '../../domain/reports/methodology/pages')
/** The example on the index page. */
export const EXAMPLE = {
  rowRank: 'a rank',
  rowEntry: 'an entry',
  rowRate: 'a rate',
  rowSize: 'a size',
}

/** Markdown of all pages by slug, with the index. */
export const MARKDOWN: ReadonlyMap<string, string> = new Map(
  readdirSync(FOLDER).map((name) => [
    name.replace('.md', ''),
    readFileSync(join(FOLDER, name), 'utf8'),
  ]),
)

/** Values of all placeholders, with some constants replaced. */
export function placeholdersOf(
  changes: Partial<MethodologyConstants> = {},
  suites: SuiteThresholds[] = [],
) {
  const input = { constants: { ...METHODOLOGY_CONSTANTS, ...changes }, words: PAGE_WORDS, suites }
  return { texts: { ...pageTexts(input), ...EXAMPLE }, blocks: pageBlocks(input) }
}

/** All pages by slug, with the index. */
export function openPages(
  changes: Partial<MethodologyConstants> = {},
  suites: SuiteThresholds[] = [],
): Map<string, MethodologyPage> {
  const placeholders = placeholdersOf(changes, suites)
  return new Map([...MARKDOWN].map(([slug, text]) => [slug, parsePage(text, placeholders)]))
}
