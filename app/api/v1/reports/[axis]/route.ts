import { z } from 'zod'
import { getBoard } from '#lib/board/get-board.ts'
import { getLibraryFacts } from '#lib/board/get-library-facts.ts'
import { listSuites } from '#lib/board/list-suites.ts'
import { AXES, AXIS_SLUGS } from '#lib/domain/axes/axes.ts'
import { axisTable } from '#lib/domain/axes/axis-table.ts'
import { buildAxisReport } from '#lib/domain/axes/build-axis-report.ts'
import type { Board } from '#lib/domain/board/board-row.ts'
import { toCsv, toMarkdown } from '#lib/domain/export/table-text.ts'
import { unknownName } from '#lib/domain/nearest-names.ts'
import { AppError } from '#lib/errors.ts'
import { parseQuery } from '#lib/http/parse-query.ts'
import { readRoute } from '#lib/http/read-route.ts'
import { respondJson } from '#lib/http/respond.ts'
import { respondFile } from '#lib/http/respond-file.ts'

const querySchema = z.object({
  suite: z.string().min(1).max(80).optional(),
  format: z.enum(['json', 'csv', 'markdown']).default('json'),
})

/** `?suite=…&format=json|csv|markdown`: one axis of one suite; without a suite, of the first one. */
export const GET = readRoute<{ axis: string }>(async (request, { axis: slug }) => {
  const { suite, format } = parseQuery(request, querySchema)
  const axis = AXES.find((one) => one.slug === slug)
  if (!axis) throw new AppError('not-found', unknownName('report', slug, AXIS_SLUGS))
  const board = await boardOf(suite)
  const report = buildAxisReport(axis, board, await getLibraryFacts(board.suite.suiteId))
  const name = `${report.suite.suiteId}-${axis.slug}`
  if (format === 'csv')
    return respondFile({ name: `${name}.csv`, type: 'text/csv', body: toCsv(axisTable(report)) })
  if (format === 'markdown') {
    const body = toMarkdown(axisTable(report))
    return respondFile({ name: `${name}.md`, type: 'text/markdown', body })
  }
  return respondJson(request, report)
})

async function boardOf(suite: string | undefined): Promise<Board> {
  const suiteIds = (await listSuites()).map(({ suiteId }) => suiteId)
  const wanted = suite ?? suiteIds[0]
  if (wanted === undefined)
    throw new AppError('not-found', 'no suite is known yet: the worker has not started')
  const board = await getBoard(wanted)
  if (!board) throw new AppError('not-found', unknownName('suite', wanted, suiteIds))
  return board
}
