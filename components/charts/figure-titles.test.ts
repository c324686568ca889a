import { describe, expect, it } from 'vitest'
import { type BoardRow, rankPoolOf } from '#lib/domain/board/index.ts'
import { sampleBoardRow } from '../board/sample-board-row.ts'
import { costFigure } from './cost-figure.ts'
import { WIDE } from './drawing.ts'
import { distributionFigure } from './ecdf-figure.ts'
import { type Figure, toChartEntries } from './figure.ts'
import { historyFigure, toHistoryEntry } from './history-figure.ts'
import { successFigure, timeFigure } from './range-figure.ts'

const sample = sampleBoardRow()
const entriesOf = (rows: BoardRow[]) => toChartEntries(rows, rankPoolOf)

describe('what a chart says of a point', () => {
  const titlesOf = (figure: Figure | null) => JSON.stringify(figure?.draw(WIDE).nodes)
  const odd = { ...sample.success, rate: 0.558333333, low: 0.314665765, high: 0.777941512 }

  it('is rounded as in tables, with its interval', () => {
    const [entry] = entriesOf([sampleBoardRow({ rowId: 'a', success: odd })])
    const one = entry ? [entry] : []
    expect(titlesOf(successFigure(one))).toContain('55.8 %, 31.5–77.8 %')
    expect(titlesOf(timeFigure(one))).toContain('median 1 min 24 s, 95th percentile 3 min 32 s')
    expect(titlesOf(costFigure(one, 'log'))).toContain('55.8 % solved (31.5–77.8 %)')
  })

  it('is the median of the row, also of an even number of episodes', () => {
    const solvedMs = { episodes: 4, values: [1000, 9448, 9632, 30_000] }
    const solvedTokens = { episodes: 4, values: [10, 20, 40, 80] }
    const row = { solvedMs: { p50: 9540, p95: 30_000 }, distributions: { solvedMs, solvedTokens } }
    const even = entriesOf([sampleBoardRow(row)])
    expect(titlesOf(distributionFigure('time-distribution', even, 'log'))).toContain(
      'median 9.54 s',
    )
    expect(titlesOf(distributionFigure('token-distribution', even, 'log'))).toContain('median 30')
  })

  it('has its interval in a history, too', () => {
    const row = sampleBoardRow({ rowId: 'a', success: odd })
    const rows = [row, { ...row, rowId: 'b', lastStartedAt: '2026-11-23T00:00:00.000Z' }]
    const entries = rows.map((one) =>
      toHistoryEntry({ row: one, suiteTitle: 'Suite', isCurrent: true, categories: [] }),
    )
    expect(titlesOf(historyFigure('agent', entries))).toContain(
      ', 2026-11-23: 55.8 % (31.5–77.8 %)',
    )
  })
})
