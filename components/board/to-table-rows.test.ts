import { describe, expect, it } from 'vitest'
import type { BoardRow } from '#lib/domain/board/index.ts'
import { sampleBoardRow, tableRow } from '#lib/testing/factories/sample-board-row.ts'
import { BOARD_COLUMNS } from './board-columns.tsx'
import { filterRows, loadBoardView } from './board-view.ts'
import {
  costCell,
  dateFigure,
  rankFigure,
  samplesFigure,
  successFigure,
  timeFigure,
  tokensFigure,
} from './row-figures.ts'
import { toRowDetail, toTableRows } from './to-table-rows.ts'

describe('the texts of a row', () => {
  it('shows rank as an interval and success with its denominator', () => {
    const row = tableRow(
      sampleBoardRow({ tasks: [{ taskId: 'lru-cache', solved: 3, scored: 3, voids: 0 }] }),
    )
    expect(rankFigure(row).text).toBe('1–3')
    expect(successFigure(row)).toMatchObject({ text: '84', spread: '68–96' })
    expect(samplesFigure(row)).toEqual({
      text: '25 × 1',
      title: '25 tasks; 3 of 25 scored episodes solved',
    })
    expect(dateFigure(row).text).toBe('2026-11-21')
    expect(successFigure(row).title).toContain('95\u00a0% confidence interval 68.4–95.5\u00a0%')
    expect(successFigure(row).title).toContain('task-clustered t')
  })

  it('shows the isolation of most rows once, and that of a reported row as unknown', () => {
    const isolated = (isolation: BoardRow['settings']['isolation']) =>
      sampleBoardRow({ settings: { ...sampleBoardRow().settings, isolation } })
    const commonOf = (...rows: BoardRow[]) => toTableRows(rows).common[0]
    expect(commonOf(isolated('docker'), isolated('docker'))).toBe('isolated by docker')
    expect(commonOf(isolated('local'))).toBe('not isolated')
    expect(commonOf(isolated(null))).toBe('isolation unknown')
  })

  it('shows what the interval speaks of, and both where the row knows them', () => {
    const factsOf = (changes: Partial<BoardRow['success']>) => {
      const row = sampleBoardRow({ success: { ...sampleBoardRow().success, ...changes } })
      return Object.fromEntries(
        toRowDetail(row, null).facts.map(({ name, value }) => [name, value]),
      )
    }
    const old = factsOf({})
    expect(old['Similar tasks']).toBe('68.4–95.5\u00a0%, task-clustered t')
    expect([old['These tasks'], old.Variance, old['Few tasks']]).toEqual(Array(3).fill(undefined))
    const both = factsOf({
      tasks: 8,
      theseTasks: { low: 0.8, high: 0.875, method: 'variance within tasks' },
      variance: { within: 0.0421, between: 0.11 },
    })
    expect(both['These tasks only']).toMatch(
      /^80\.0–87\.5\u00a0%, for repeated runs of exactly these tasks/,
    )
    expect(both.Variance).toBe('0.042 within tasks (between repetitions), 0.110 between tasks')
    expect(both['Few tasks']).toMatch(
      /^few tasks: one task moves the rate by up to \d+ points; simulated with 5 × 20 and 8 × 10 .* at least 9\d\.\d\s%/,
    )
    expect(factsOf({ variance: null }).Variance).toMatch(/^unknown/)
  })

  it('tells an entry under faults from its twin without, also where its plan names none', () => {
    const underOf = (changes: Partial<BoardRow>) => tableRow(sampleBoardRow(changes)).subject.under
    const { settings } = sampleBoardRow()
    const recovery = { fired: 3, recovered: 2 }
    expect(underOf({})).toBeNull()
    expect(underOf({ recovery })).toBe('with faults')
    expect(underOf({ recovery, settings: { ...settings, fault: 'overlay' } })).toBe('overlay')
  })

  it('says that a subscription has a flat cost, whether its calls were seen or not', () => {
    const settings = { ...sampleBoardRow().settings, login: 'subscription' as const }
    for (const costPerSuccessMicroUsd of [41_250, null])
      expect(costCell(sampleBoardRow({ settings, costPerSuccessMicroUsd }))).toEqual({
        text: 'flat',
        title: 'Paid by a subscription, not by the token',
      })
  })

  it('gives a cost its interval, without more digits than people read', () => {
    const interval = { lowMicroUsd: 18_954.583333, highMicroUsd: 29_810.416666, method: 'b' }
    const row = sampleBoardRow({
      costPerSuccessMicroUsd: 24_598.222222222223,
      costPerSuccessInterval: interval,
    })
    const open = { ...row, costPerSuccessInterval: { ...interval, highMicroUsd: null } }
    expect(costCell(row)).toEqual({
      text: '$0.025',
      title:
        '$0.0246 (95\u00a0% confidence interval $0.01895–$0.02981): total cost of 25 scored episodes divided by successes',
    })
    expect(costCell(open).title).toContain('$0.01895–∞')
  })

  it('marks a cost by a price that its user gave', () => {
    const row = sampleBoardRow({ givenPrices: ['3/15', 'free'], costPerSuccessMicroUsd: 41_250 })
    expect(costCell(row)).toEqual({
      text: '$0.041*',
      title:
        '$0.04125: total cost of 25 scored episodes divided by successes, at a price given by its user (3/15, free)',
    })
    expect(costCell({ ...row, costPerSuccessMicroUsd: null }).text).not.toContain('*')
  })

  it('shows a dash for every number that is not known', () => {
    const row = tableRow(
      sampleBoardRow({
        rank: null,
        success: {
          rate: null,
          low: null,
          high: null,
          method: 'none',
          tasks: 0,
          attempts: 0,
          voids: 2,
        },
        solvedMs: { p50: null, p95: null },
        costPerSuccessMicroUsd: null,
        tokensPerSuccess: null,
      }),
    )
    const { p50, p95 } = row.solvedMs
    const times = [p50, p95].map((ms) => timeFigure(ms, 'Median'))
    const all = [rankFigure(row), successFigure(row), costCell(row), tokensFigure(row), ...times]
    expect(all.map(({ text }) => text)).toEqual(Array(6).fill('–'))
  })

  it('says that a row without a success has no cost per success', () => {
    const success = { ...sampleBoardRow().success, rate: 0, low: 0, high: 0.14 }
    const row = tableRow(sampleBoardRow({ success, costPerSuccessMicroUsd: null }))
    expect(costCell(row)).toEqual({ text: '–', title: 'No successes' })
    expect(BOARD_COLUMNS.cost.sort(row)).toBeNull()
  })

  it('tells rows of one library apart by who drives them and by what they were under', () => {
    const { subject, settings } = sampleBoardRow()
    const library = { ...subject, targeting: 'ref' as const }
    const row = tableRow(
      sampleBoardRow({
        driven: 'llm',
        subject: library,
        settings: { ...settings, browser: 'cold', fault: 'overlay' },
      }),
    )
    expect(row.subject).toMatchObject({ way: 'model-driven · ref', under: 'cold · overlay' })
    expect(filterRows([row], loadBoardView({ q: 'model-driven ref' }))).toEqual([row])
    const plain = tableRow(sampleBoardRow())
    expect(plain.subject).toMatchObject({ way: null, under: null })
  })

  it('gives ranked rows their letters, and none to rows without a rank', () => {
    const ranks = [
      { place: 1, low: 1, high: 2, tieGroup: 1, letters: 'A' },
      { place: 1, low: 1, high: 3, tieGroup: 1, letters: 'AB' },
      { place: 3, low: 2, high: 3, tieGroup: 2, letters: 'B' },
      null,
    ]
    const rows = ranks.map((rank, i) => tableRow(sampleBoardRow({ rowId: `row-${i}`, rank })))
    expect(rows.map(({ ties }) => ties?.text ?? null)).toEqual(['A', 'AB', 'B', null])
    const [, second] = rows.map((row) => rankFigure(row).title)
    expect(second).toContain('rank 1 to 3')
    expect(second).toContain('share a letter (AB)')
  })
})
