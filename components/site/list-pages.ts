import type { ListedSuite } from '../board/board-page.tsx'
import { listBoardData } from './board-data.ts'
import { listComparePages } from './compare-pages.tsx'
import { listHistoryPages } from './history-pages.tsx'
import { listMethodologyPages, listNamedPages, type SitePage } from './more-pages.tsx'
import { listReportData, listReportPages } from './report-pages.tsx'
import type { SiteData, SiteInput } from './site-input.ts'

/** Pages that are derived from the boards. */
export function listSitePages(input: SiteInput, suites: readonly ListedSuite[]): SitePage[] {
  return [
    ...listNamedPages('agent', input),
    ...listNamedPages('model', input),
    ...listReportPages(input, suites),
    ...listHistoryPages(input),
    ...listComparePages(input),
    ...listMethodologyPages(input),
  ]
}

/** Lists the responses of the API that belong to the site. */
export function listSiteData(input: SiteInput): SiteData[] {
  return [...listBoardData(input), ...listReportData(input)]
}
