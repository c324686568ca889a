import { visibleText } from '../ui/format.ts'

/** The titles of all suites, by their ids. */
export type SuiteTitles = ReadonlyMap<string, string>

/** What a page calls a suite; one that is not installed here is known by its id only. */
export function suiteTitle(titles: SuiteTitles, suiteId: string): string {
  return visibleText(titles.get(suiteId) ?? suiteId)
}
