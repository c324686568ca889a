import { ImageResponse } from 'next/og'
import { buildFigure, latestOf } from '#components/charts/build-figure.ts'
import type { ChartQuery } from '#components/charts/chart-address.ts'
import { chartPreview } from '#components/charts/chart-preview.ts'
import { type Figure, toChartEntries } from '#components/charts/figure.ts'
import { historyFigure, toHistoryEntry } from '#components/charts/history-figure.ts'
import { renderChartImage } from '#components/charts/og-image.tsx'
import { reportFigure } from '#components/charts/report-figure.ts'
import { BOARD_CHARTS, type ChartScale, chartEndpoint } from '#lib/domain/api/index.ts'
import { type Board, entryStyles, rankPoolOf } from '#lib/domain/board/index.ts'
import { AXES, buildAxisReport } from '#lib/domain/reports/index.ts'
import { toCsv } from '#lib/domain/text/index.ts'
import { AppError } from '#lib/errors.ts'
import { getBoard, getLibraryFacts } from '#lib/server/board/board.ts'
import { findNamedRows } from '#lib/server/board/named-rows.ts'
import { PREVIEW_SIZE, respondDrawing } from '#lib/server/http/preview-image.ts'
import { readRoute } from '#lib/server/http/read-route.ts'
import { respondFile, respondJson } from '#lib/server/http/respond.ts'

export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = readRoute(
  chartEndpoint,
  async ({ request, query }) => {
    const { suite, version = null, chart, format } = query
    const board = await getBoard(suite, version)
    if (!board) throw new AppError('not-found', `no board of suite ${suite} is stored here`)
    const figure = await drawFigure(board, query)
    if (!figure)
      throw new AppError(
        'not-found',
        `no entry of suite ${suite} has what the chart ${chart} shows`,
      )
    const { title, unit, sample, method, table } = figure
    const [columns = [], ...rows] = table
    if (format === 'json')
      return respondJson(request, {
        title,
        unit,
        sample,
        method,
        columns: columns.map(String),
        rows,
      })
    const name = `${suite}-${chart}.csv`
    if (format === 'csv')
      return respondFile(request, { name, type: 'text/csv', body: toCsv(table) })
    const words = chartPreview(figure, { suite: board.suite, updated: latestOf(board.rows) })
    const draw = () => new ImageResponse(renderChartImage(words), PREVIEW_SIZE).arrayBuffer()
    return respondDrawing(request, words, draw, format)
  },
)

type ChartRequest = Omit<ChartQuery, 'scale' | 'entries'> & { scale: ChartScale; entries: string }

async function drawFigure(
  board: Board,
  { chart, band = null, scale, entries, agent, model }: ChartRequest,
): Promise<Figure | null> {
  const chosen = entries.split(',').filter(Boolean)
  if (chart === 'history') return drawHistory(board.suite.suiteId, { agent, model, chosen })
  const axis = AXES.find(({ slug }) => slug === chart)
  if (axis) {
    const facts = await getLibraryFacts(board.suite.suiteId)
    return reportFigure(buildAxisReport(axis, board, facts), {
      scale,
      styles: entryStyles(board.rows),
    })
  }
  const name = BOARD_CHARTS.find((one) => one === chart)
  if (!name) return null
  const all = toChartEntries(board.rows, rankPoolOf)
  const shown = chosen.length > 0 ? all.filter(({ id }) => chosen.includes(id)) : all
  return buildFigure(name, board, shown, { band, scale, chosen })
}

type WhoseHistory = Pick<ChartRequest, 'agent' | 'model'> & { chosen: readonly string[] }

async function drawHistory(
  suiteId: string,
  { agent, model, chosen }: WhoseHistory,
): Promise<Figure | null> {
  const kind = agent ? 'agent' : 'model'
  const name = agent ?? model
  const found = name ? await findNamedRows(kind, name) : []
  const rows = found.filter(({ row }) => row.suiteId === suiteId)
  const shown = chosen.length > 0 ? rows.filter(({ row }) => chosen.includes(row.rowId)) : rows
  return historyFigure(kind, shown.map(toHistoryEntry))
}
