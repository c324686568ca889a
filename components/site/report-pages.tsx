import { AXES, axisTable, buildAxisReport } from '#lib/domain/reports/index.ts'
import { toCsv, toMarkdown } from '#lib/domain/text/index.ts'
import type { ListedSuite } from '../board/board-page.tsx'
import { ReportPage, ReportsPage } from '../report/report-page.tsx'
import type { SitePage } from './more-pages.tsx'
import { newestBoards, type SiteData, type SiteInput } from './site-input.ts'

/** The reports of the current version of each suite; those of the first suite are the index. */
export function listReportPages(input: SiteInput, suites: readonly ListedSuite[]): SitePage[] {
  return newestBoards(input).flatMap((board, place) => {
    const { suiteId } = board.suite
    const query = `?suite=${encodeURIComponent(suiteId)}`
    const shown = { suites, suiteId, board, facts: factsOf(input, suiteId) }
    const draw = () => <ReportsPage {...shown} />
    return [
      ...(place === 0 ? [{ address: '/reports', title: 'Reports', draw }] : []),
      { address: `/reports${query}`, title: 'Reports', draw },
      ...AXES.map((axis) => ({
        address: `/reports/${axis.slug}${query}`,
        title: axis.title,
        draw: () => <ReportPage {...shown} axis={axis} scale="log" />,
      })),
    ]
  })
}

/** Lists the reports in the format of the API. */
export function listReportData(input: SiteInput): SiteData[] {
  return newestBoards(input).flatMap((board) =>
    AXES.flatMap((axis) => {
      const { suiteId } = board.suite
      const address = `/api/v1/reports/${axis.slug}?suite=${encodeURIComponent(suiteId)}`
      const report = () => buildAxisReport(axis, board, factsOf(input, suiteId))
      return [
        { address, type: 'application/json', write: () => JSON.stringify(report()) },
        {
          address: `${address}&format=csv`,
          type: 'text/csv; charset=utf-8',
          write: () => toCsv(axisTable(report())),
        },
        {
          address: `${address}&format=markdown`,
          type: 'text/markdown; charset=utf-8',
          write: () => toMarkdown(axisTable(report())),
        },
      ]
    }),
  )
}

function factsOf({ libraryFactsOf }: SiteInput, suiteId: string) {
  return libraryFactsOf?.(suiteId) ?? null
}
