import { reportEndpoint } from '#lib/domain/api/index.ts'
import { AXES, AXIS_SLUGS, axisTable } from '#lib/domain/reports/index.ts'
import { toCsv, toMarkdown, unknownName } from '#lib/domain/text/index.ts'
import { AppError } from '#lib/errors.ts'
import { chooseReport } from '#lib/server/board/board.ts'
import { readRoute } from '#lib/server/http/read-route.ts'
import { respondFile, respondJson } from '#lib/server/http/respond.ts'

export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = readRoute(
  reportEndpoint,
  async ({ request, params, query: { suite, format } }) => {
    const axis = AXES.find((one) => one.slug === params.axis)
    if (!axis) throw new AppError('not-found', unknownName('report', params.axis, AXIS_SLUGS))
    const report = await chooseReport(axis, suite)
    const name = `${report.suite.suiteId}-${axis.slug}`
    if (format === 'csv') {
      const body = toCsv(axisTable(report))
      return respondFile(request, { name: `${name}.csv`, type: 'text/csv', body })
    }
    if (format === 'markdown') {
      const body = toMarkdown(axisTable(report))
      return respondFile(request, { name: `${name}.md`, type: 'text/markdown', body })
    }
    return respondJson(request, report)
  },
)
