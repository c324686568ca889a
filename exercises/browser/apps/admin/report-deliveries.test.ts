import { expect, it } from 'vitest'
import { createDraw } from '../kit/draw.ts'
import { reportDeliveries, watchCarrier } from './report-deliveries.ts'
import { seedConsole } from './seed-console.ts'

const NOW = new Date('2026-03-02T09:00:00Z')
const state = seedConsole(createDraw(5))
const ask = (query: Record<string, string>) => reportDeliveries(state, new URLSearchParams(query))

it('counts both days of a range, and every delivery in one group', () => {
  const [first] = state.deliveries
  const day = first!.day
  const expected = state.deliveries.filter((one) => one.day === day).length
  expect(ask({ from: day, to: day })).toMatchObject({ ok: true, total: expected })
  for (const by of ['carrier', 'country']) {
    const report = ask({ from: '2025-07-01', to: '2026-02-28', by })
    if (!report.ok) throw new Error(report.message)
    expect(report.rows.reduce((sum, { deliveries }) => sum + deliveries, 0)).toBe(report.total)
  }
})

it('has no rows and no share of nothing for a time without deliveries', () => {
  expect(ask({ from: '2024-01-01', to: '2024-01-31' })).toMatchObject({ total: 0, rows: [] })
})

it.each([
  [{ from: '2026-02-30x', to: '2026-03-01' }],
  [{ from: '2026-13-01', to: '2026-13-02' }],
  [{ from: '2026-02-02', to: '2026-02-01' }],
  [{ from: '', to: '' }],
])('refuses %j in a sentence', (query) => {
  expect(ask(query)).toEqual({ ok: false, message: expect.stringMatching(/\.$/) })
})

it('puts a carrier on watch once', () => {
  const id = 'norse-line'
  expect(watchCarrier(state, id, { reason: 'late' }, NOW)).toMatchObject({ status: 422 })
  expect(watchCarrier(state, id, { reason: 'late again' }, NOW)).toMatchObject({ ok: true })
  expect(watchCarrier(state, id, { reason: 'something else' }, NOW)).toMatchObject({ status: 409 })
  expect(state.carriers.filter(({ watch }) => watch !== null)).toMatchObject([
    { id, watch: { reason: 'late again' } },
  ])
})
