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

const FOLDER = 'lib/domain/reports/methodology/pages'

/** Pages of the methodology by slug, in the order of the index, filled in with constants and this server's suites. */
export async function readMethodology(
  words: MethodologyInput['words'],
): Promise<Map<MethodologySlug, MethodologyPage>> {
  const input = { constants: METHODOLOGY_CONSTANTS, words, suites: await listSuiteThresholds() }
  const placeholders = { texts: pageTexts(input), blocks: pageBlocks(input) }
  return new Map(METHODOLOGY_SLUGS.map((slug) => [slug, parsePage(readText(slug), placeholders)]))
}

/** The introduction to the methodology. `row` = placeholders of the example. */
export async function readMethodologyIndex(
  words: MethodologyInput['words'],
  row: Record<string, string>,
): Promise<MethodologyPage> {
  const texts = pageTexts({ constants: METHODOLOGY_CONSTANTS, words, suites: [] })
  return parsePage(readText('index'), { texts: { ...texts, ...row }, blocks: {} })
}

function readText(name: MethodologySlug | 'index'): string {
  const { root } = env()
  return readFileSync(join(/* turbopackIgnore: true */ root, FOLDER, `${name}.md`), 'utf8')
}
