import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  type MethodologyInput,
  type MethodologyPage,
  type MethodologySlug,
  openMethodology,
  openMethodologyIndex,
  parsePage,
} from '#lib/domain/reports/index.ts'
import { env } from '#lib/env.ts'
import { listSuiteThresholds } from './suites.ts'

/** Reads the pages of the methodology by slug, in the order of the index, with this server's suites filled in. */
export async function readMethodology(
  words: MethodologyInput['words'],
): Promise<Map<MethodologySlug, MethodologyPage>> {
  return openMethodology(methodologyText, { words, suites: await listSuiteThresholds() })
}

/** Reads the introduction to the methodology. `row` = placeholders of the example. */
export async function readMethodologyIndex(
  words: MethodologyInput['words'],
  row: Record<string, string>,
): Promise<MethodologyPage> {
  return openMethodologyIndex(methodologyText, words, row)
}

/** Returns the Markdown of a page of the methodology. */
export function methodologyText(name: MethodologySlug | 'index'): string {
  return readText(`lib/domain/reports/methodology/pages/${name}.md`)
}

/** Reads the texts of the API page. `limit` = how often a client may read. */
export function readApiPage(limit: string): MethodologyPage {
  return parsePage(readText('lib/domain/api/api-page.md'), { texts: { limit }, blocks: {} })
}

function readText(path: string): string {
  return readFileSync(join(/* turbopackIgnore: true */ env().root, path), 'utf8')
}
