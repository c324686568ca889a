import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  METHODOLOGY_CONSTANTS,
  METHODOLOGY_SLUGS,
  type MethodologyInput,
  type MethodologyPage,
  type MethodologySlug,
  pageBlocks,
  pageTexts,
  parsePage,
} from '#lib/domain/reports/index.ts'
import { env } from '#lib/env.ts'
import { listSuiteThresholds } from './suites.ts'

const PAGES = 'lib/domain/reports/methodology/pages'

/**
 * Reads the pages of the methodology by slug, in the order of the index, with constants and this server's suites filled
 * in.
 */
export async function readMethodology(
  words: MethodologyInput['words'],
): Promise<Map<MethodologySlug, MethodologyPage>> {
  const input = { constants: METHODOLOGY_CONSTANTS, words, suites: await listSuiteThresholds() }
  const placeholders = { texts: pageTexts(input), blocks: pageBlocks(input) }
  return new Map(
    METHODOLOGY_SLUGS.map((slug) => [
      slug,
      parsePage(readText(`${PAGES}/${slug}.md`), placeholders),
    ]),
  )
}

/** Reads the introduction to the methodology. `row` = placeholders of the example. */
export async function readMethodologyIndex(
  words: MethodologyInput['words'],
  row: Record<string, string>,
): Promise<MethodologyPage> {
  const texts = pageTexts({ constants: METHODOLOGY_CONSTANTS, words, suites: [] })
  return parsePage(readText(`${PAGES}/index.md`), { texts: { ...texts, ...row }, blocks: {} })
}

/** Reads the texts of the API page. `limit` = how often a client may read. */
export function readApiPage(limit: string): MethodologyPage {
  return parsePage(readText('lib/domain/api/api-page.md'), { texts: { limit }, blocks: {} })
}

function readText(path: string): string {
  return readFileSync(join(/* turbopackIgnore: true */ env().root, path), 'utf8')
}
