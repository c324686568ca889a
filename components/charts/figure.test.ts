import { expect, it } from 'vitest'
import { rankPoolOf } from '#lib/domain/board/index.ts'
import { sampleBoardRow } from '#lib/testing/factories/sample-board-row.ts'
import { costFigure } from './cost-figure.ts'
import { distributionFigure } from './ecdf-figure.ts'
import { type Figure, toChartEntries } from './figure.ts'
import { successFigure, timeFigure } from './range-figure.ts'

const scripted = { driven: 'scripted' } as const
const entries = toChartEntries(
  [
    sampleBoardRow({ rowId: 'model', driven: 'llm' }),
    sampleBoardRow({ rowId: 'one', ...scripted }),
    sampleBoardRow({ rowId: 'two', ...scripted }),
    sampleBoardRow({ rowId: 'apart', label: 'smoke', rank: null }),
  ],
  rankPoolOf,
)

it('lists the groups of entries in the order of the board, the largest first', () => {
  const rows = successFigure(entries)?.table.slice(1) ?? []
  expect([...new Set(rows.map(([group]) => group))]).toEqual([
    'Ranked, scripted',
    'Ranked',
    'Unranked',
  ])
})

it('says of a point its value, its interval and what it is based on', () => {
  const odd = {
    ...sampleBoardRow().success,
    rate: 0.558333333,
    low: 0.314665765,
    high: 0.777941512,
  }
  const one = toChartEntries([sampleBoardRow({ rowId: 'a', success: odd })], rankPoolOf)
  const textOf = (figure: Figure | null) => figure?.chart?.points[0]?.text
  expect(textOf(successFigure(one))).toBe('55.8\u00a0%, 31.5–77.8\u00a0%, n: 25 episodes, 25 tasks')
  expect(textOf(timeFigure(one))).toContain('median 1 min 24 s, 95th percentile 3 min 32 s')
  expect(textOf(costFigure(one, 'log'))).toContain(
    '55.8\u00a0% solved (31.5–77.8\u00a0%), n: 25 episodes',
  )
})

it('says the median of the row, also of an even number of episodes', () => {
  const solvedMs = { episodes: 4, values: [1000, 9448, 9632, 30_000] }
  const solvedTokens = { episodes: 4, values: [10, 20, 40, 80] }
  const row = { solvedMs: { p50: 9540, p95: 30_000 }, distributions: { solvedMs, solvedTokens } }
  const even = toChartEntries([sampleBoardRow(row)], rankPoolOf)
  const labelOf = (figure: Figure | null) => figure?.chart?.label
  expect(labelOf(distributionFigure('time-distribution', even, 'log'))).toContain('median 9.54 s')
  expect(labelOf(distributionFigure('token-distribution', even, 'log'))).toContain('median 30')
})
