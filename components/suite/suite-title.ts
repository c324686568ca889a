import { visibleText } from '../ui/format.ts'

/** Titles of all suites by id. */
export type SuiteTitles = ReadonlyMap<string, string>

/** The title of a suite; an unknown suite is named by its id. */
export function suiteTitle(titles: SuiteTitles, suiteId: string): string {
  return visibleText(titles.get(suiteId) ?? suiteId)
}
