import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { rankPoolOf } from '#lib/domain/board/index.ts'
import { sampleBoardRow } from '#lib/testing/factories/sample-board-row.ts'
import { chartPreview } from './chart-preview.ts'
import { distributionFigure } from './ecdf-figure.ts'
import { failureFigure } from './failure-figure.ts'
import { type Figure, toChartEntries } from './figure.ts'
import { ENTRY_INKS } from './og-image.tsx'
import { successFigure } from './range-figure.ts'

const source = {
  suite: { suiteId: 's', title: 'S', digest: `sha256:${'a'.repeat(64)}` },
  updated: '2026-11-21T05:00:00.000Z',
}
const entries = toChartEntries(
  Array.from({ length: 9 }, (_, index) =>
    sampleBoardRow({
      rowId: `row-${index}`,
      failures: { timeout: 5 },
      distributions: { solvedMs: { episodes: 3, values: [1000, 2000, 9000] }, solvedTokens: null },
    }),
  ),
  rankPoolOf,
)
const rowsOf = (figure: Figure | null) => (figure ? chartPreview(figure, source).rows : [])

it('is a line for each of the first entries, with suite version, n and date', () => {
  const figure = successFigure(entries)
  const preview = figure && chartPreview(figure, source)
  expect(preview?.rows).toHaveLength(7)
  expect(preview?.rows[0]).toMatchObject({
    text: '84.0\u00a0%',
    whisker: { low: 68.4 },
    isClaim: true,
  })
  expect(preview?.more).toBe('and 2 more lines')
  expect(preview?.source).toBe('Version aaaaaaaaaaaa, measured until 2026-11-21')
  expect(preview?.sample).toContain('9 entries')
})

it('sums up a curve by its median, and failures by their share', () => {
  expect(rowsOf(distributionFigure('time-distribution', entries, 'log'))[0]?.text).toBe('2 s')
  expect(rowsOf(failureFigure(entries))[0]?.text).toBe('20.0\u00a0%')
})

it('has the colours of entries that pages have', () => {
  const css = readFileSync('app/globals.css', 'utf8').split('@media screen')[0] ?? ''
  const colours = [...css.matchAll(/--entry-\d: (#\w{6})/g)].map(([, colour]) => colour)
  expect(ENTRY_INKS).toEqual(colours)
})
