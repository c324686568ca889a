import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { createDraw } from '../kit/draw.ts'
import { reportDeliveries } from './report-deliveries.ts'
import { seedConsole } from './seed-console.ts'

/** The value that a task's contract expects at a path of the state. */
function expectedAt(task: string, path: string) {
  const file = JSON.parse(readFileSync(`exercises/browser/${task}/task.json`, 'utf8'))
  const found = file.contract.find((one: { path?: string }) => one.path === path)
  return { seed: file.seed as number, expected: found.equals ?? found.exactly }
}

it('asks for the oldest unpaid invoice of the dearest overdue customer in the Netherlands', () => {
  const { seed, expected } = expectedAt('console-unpaid-note', 'notes')
  const found = seedConsole(createDraw(seed))
    .customers.filter(({ country, status }) => country === 'Netherlands' && status === 'overdue')
    .sort((left, right) => right.fee - left.fee)
  expect(found[0]!.fee).toBeGreaterThan(found[1]!.fee)
  const oldest = found[0]!.invoices.filter(({ paid }) => !paid).at(-1)!
  const options = { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' } as const
  const parts = new Intl.DateTimeFormat('en-US', options).formatToParts(new Date(oldest.due))
  const part = (type: string) => parts.find((one) => one.type === type)?.value
  const due = `${part('day')} ${part('month')} ${part('year')}`
  expect(expected).toEqual([
    { company: found[0]!.company, text: `Oldest unpaid invoice: ${oldest.number}, due ${due}` },
  ])
})

it('asks to pause everybody whom the strike concerns', () => {
  const { seed, expected } = expectedAt('console-pause-customers', 'pauses')
  const concerned = seedConsole(createDraw(seed)).customers.filter(
    ({ country, status, plan, renewsOn }) =>
      country === 'Portugal' &&
      status === 'active' &&
      plan !== 'Enterprise' &&
      renewsOn <= '2026-09-30',
  )
  const customers = concerned.map(({ company }) => company).sort()
  expect(expected).toEqual([{ customers, reason: 'Port strike' }])
})

it('asks to watch the carrier with the highest late share, not the one with the most late deliveries', () => {
  const { seed, expected } = expectedAt('console-carrier-watch', 'watched')
  const query = new URLSearchParams({ from: '2025-07-01', to: '2025-09-30' })
  const report = reportDeliveries(seedConsole(createDraw(seed)), query)
  if (!report.ok) throw new Error(report.message)
  const shares = [...report.rows].sort(
    (left, right) => right.late / right.deliveries - left.late / left.deliveries,
  )
  const counts = [...report.rows].sort((left, right) => right.late - left.late)
  const [worst, next] = shares
  expect(Number.parseFloat(worst!.share)).toBeGreaterThan(Number.parseFloat(next!.share))
  expect(counts[0]!.name).not.toBe(worst!.name)
  const reason = `${worst!.share} late from July to September 2025`
  expect(expected).toEqual([{ carrier: worst!.name, reason }])
})

it('names every run of the board as it was, but for the two that are moved', () => {
  const { seed, expected } = expectedAt('console-dispatch-board', 'runs')
  const before = seedConsole(createDraw(seed)).runs
  const moved = ['DSP-193', 'DSP-198']
  for (const [at, run] of (expected as { id: string; driver: string | null }[]).entries()) {
    const { id, plate, column, driver } = before[at]!
    expect(run).toMatchObject(moved.includes(id) ? { id, plate } : { id, plate, column, driver })
  }
  expect(expected).toHaveLength(before.length)
})
