import { describe, expect, it } from 'vitest'
import { sampleBoardSuite, sampleRun } from '#lib/testing/factories/sample-run.ts'
import { compareRows, lookPrice } from '../statistics/index.ts'
import { pairLooks } from '../statistics/looks.ts'
import { buildBoard } from './build-board.ts'

const suite = sampleBoardSuite(12)
const status = (task: number) => (task % 2 === 0 ? ('solved' as const) : ('unsolved' as const))
const run = (index: number, repetitions = 2) =>
  sampleRun({ suite, repetitions, runId: `run_0000000${index}`, status })

describe('looks at a row', () => {
  it('says nothing of a plan that ran to its end, also with void episodes or in shards', () => {
    const { run: plan, facts } = run(1)
    const [whole] = buildBoard({ suite, facts, runs: [plan] }).rows
    expect(whole && 'looks' in whole).toBe(false)
    const voided = facts.map((fact, index) =>
      index === 0 ? { ...fact, status: 'void' as const } : fact,
    )
    expect(buildBoard({ suite, facts: voided, runs: [plan] }).rows[0]?.looks).toBeUndefined()
    const shards = [1, 2].map((index) => ({
      runId: `run_shard_${index}`,
      plan: plan.plan,
      shard: { index, count: 2 },
    }))
    const [first] = shards
    const whose = facts.map((fact, index) => ({
      ...fact,
      runId: index % 2 === 0 ? (first?.runId ?? '') : (shards[1]?.runId ?? ''),
    }))
    const [sharded] = buildBoard({ suite, facts: whose, runs: shards }).rows
    expect(sharded?.looks?.stages ?? 1).toBe(1)
  })

  it('widens the interval of a row that was run again, and says why', () => {
    const runs = [run(1), run(2)]
    const facts = runs.flatMap((one) => one.facts)
    const plans = runs.map((one) => one.run)
    const [row] = buildBoard({ suite, facts, runs: plans }).rows
    expect(row?.looks).toMatchObject({
      kind: 'always-valid',
      stages: 2,
      states: 1,
      pinnedEpisodes: 24,
      reason: 'The first plan had 24 episodes; 1 later plan added more after results were visible.',
    })
    expect(row?.looks?.confidence).toBeCloseTo(1 - 0.05 / 6, 12)
    expect(row?.success.method).toMatch(
      /; always-valid: level 99\.167 %, for 95 % over all interim analyses/,
    )
    const [once] = buildBoard({ suite, facts: runs[0]?.facts ?? [], runs: plans.slice(0, 1) }).rows
    expect(width(row?.success)).toBeGreaterThan(1.2 * width(once?.success))
  })

  it('counts every planned episode of an unfinished plan as a look', () => {
    const { run: plan, facts } = run(1)
    const [row] = buildBoard({ suite, facts: facts.slice(0, 20), runs: [plan] }).rows
    expect(row?.looks).toMatchObject({ stages: 1, states: 24, pinnedEpisodes: 24 })
    expect(row?.looks?.reason).toMatch(/^20 of 24 planned episodes are finished/)
  })

  it('makes pairs pay, on boards and in comparisons', () => {
    expect(lookPrice(pairLooks())).toBe(1)
    expect(lookPrice(pairLooks({ stages: 2, states: 1 }, { stages: 2, states: 1 }))).toBe(12)
    expect(lookPrice(pairLooks({ stages: 1, states: 24 }))).toBe(48)
    const tallies = (solved: number) =>
      suite.tasks.map(({ taskId }, index) => ({
        taskId,
        solved: index < solved ? 1 : 0,
        scored: 1,
      }))
    const compare = (stages: number) =>
      compareRows([
        { key: 'a', tallies: tallies(9), looks: { stages, states: 1 } },
        { key: 'b', tallies: tallies(0) },
      ]).pairs[0]?.result
    const [once, often] = [compare(1), compare(4)]
    if (!once?.ok || !often?.ok) throw new Error('the pair was not compared')
    expect(often.adjustedP).toBeCloseTo(20 * once.adjustedP, 12)
    expect([once.value.verdict.kind, often.value.verdict.kind]).toEqual(['better', 'cannot-tell'])
    expect(often.value.low).toBeLessThanOrEqual(0)
    expect(once.value.low).toBeGreaterThan(0)
  })

  it('keeps the price of looks within alpha, however many there are', () => {
    let spent = 0
    for (let stages = 1; stages <= 10_000; stages++)
      spent += 1 / Math.max(2, lookPrice({ stages, states: 1 }))
    expect(spent).toBeLessThanOrEqual(1)
  })
})

function width(rate?: { low: number | null; high: number | null }): number {
  return (rate?.high ?? Number.NaN) - (rate?.low ?? Number.NaN)
}
