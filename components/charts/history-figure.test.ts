import { expect, it } from 'vitest'
import type { BoardRow } from '#lib/domain/board/index.ts'
import { sampleBoardRow } from '#lib/testing/factories/sample-board-row.ts'
import { formatPercent } from '../ui/format.ts'
import type { Figure } from './figure.ts'
import { linesOf } from './figure-view.tsx'
import { historyFigure, toHistoryEntry } from './history-figure.ts'

const rowsOf = (figure: Figure | null) => figure?.table.slice(1) ?? []

it('draws a history in the order of time, without rows under a fault, from two entries on', () => {
  const at = (rowId: string, lastStartedAt: string, changes: Partial<BoardRow> = {}) =>
    toHistoryEntry({
      row: sampleBoardRow({ rowId, lastStartedAt, ...changes }),
      suiteTitle: 'S',
      isCurrent: true,
      categories: [],
    })
  const late = at('late', '2026-11-20T00:00:00.000Z')
  const early = at('early', '2026-11-01T00:00:00.000Z', { label: 'smoke' })
  const stress = at('stress', '2026-11-10T00:00:00.000Z', { recovery: { fired: 1, recovered: 0 } })
  const figure = historyFigure('agent', [late, stress, early])
  expect(rowsOf(figure).map((row) => [String(row[0]).slice(8, 10), row[2]])).toEqual([
    ['01', 'no'],
    ['20', 'yes'],
  ])
  // Pages show times and per cent, as the chart does; files have the exact values.
  const shown = figure && linesOf(figure)
  expect(shown?.head).toEqual(
    expect.arrayContaining(['success,\u00a0%', 'from,\u00a0%', 'to,\u00a0%']),
  )
  expect(shown?.lines[0]?.[0]).toBe('2026-11-01 00:00 UTC')
  expect(shown?.lines[0]?.[3]).toBe(formatPercent(early.success.rate))
  expect(historyFigure('agent', [late, stress])).toBeNull()
  expect(figure?.sample).toBe(historyFigure('agent', [late, early])?.sample)
  expect(figure?.notes).toEqual(['Entries with injected faults are not drawn.'])
  const cold = at('cold', '2026-11-21T00:00:00.000Z', {
    settings: { ...sampleBoardRow().settings, browser: 'cold' },
  })
  expect(rowsOf(historyFigure('agent', [early, cold])).map((row) => row[1])).toEqual([
    expect.not.stringContaining('cold'),
    expect.stringMatching(/ cold$/),
  ])
})

it('marks where the tasks of the suite changed, and nowhere else', () => {
  const at = (day: number, suite: string) =>
    toHistoryEntry({
      row: sampleBoardRow({
        rowId: `row-${day}`,
        lastStartedAt: `2026-11-0${day}T00:00:00.000Z`,
        suiteDigest: `sha256:${suite.repeat(64)}`,
      }),
      suiteTitle: 'S',
      isCurrent: true,
      categories: [],
    })
  const figure = historyFigure('agent', [at(1, 'a'), at(3, 'a'), at(5, 'b')])
  expect(figure?.chart?.marks?.map(({ x }) => new Date(x).toISOString().slice(0, 10))).toEqual([
    '2026-11-04',
  ])
  expect(rowsOf(figure).map((row) => row[6])).toEqual(['a', 'a', 'b'].map((one) => one.repeat(12)))
})
