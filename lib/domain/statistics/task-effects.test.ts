import { describe, expect, it } from 'vitest'
import { type EffectRow, modelRates } from './task-effects.ts'

const TASKS = Array.from({ length: 20 }, (_, task) => `t${task}`)
const [EASY, HARD] = [TASKS.slice(0, 10), TASKS.slice(10)]

/** Solved episodes of four on each easy and each hard task. */
function row(easy: number, hard: number, tasks = TASKS): EffectRow {
  const count = (task: string) => ({ solved: EASY.includes(task) ? easy : hard, scored: 4 })
  return new Map(tasks.map((task) => [task, count(task)]))
}

const FULL = [row(4, 3), row(4, 2), row(3, 1), row(2, 0), row(3, 1)]

describe('modelRates', () => {
  it('leaves the rate of a row that ran every task as it is', () => {
    const [first, second] = modelRates([...FULL, row(0, 2, HARD)], TASKS)
    expect(first).toMatchObject({ measured: 20, predicted: 0 })
    expect(first?.rate).toBeCloseTo(7 / 8, 12)
    expect(second?.rate).toBeCloseTo(6 / 8, 12)
  })

  it('predicts more for tasks that others found easy, and less for hard ones', () => {
    const [hard, easy] = modelRates([...FULL, row(0, 2, HARD), row(3, 0, EASY)], TASKS).slice(-2)
    expect(hard).toMatchObject({ measured: 10, predicted: 10 })
    // Its twin on the hard tasks solved 75 % of all, and its twin on the easy ones 50 %.
    expect(hard?.rate).toBeGreaterThan(0.68)
    expect(hard?.rate).toBeLessThan(0.78)
    expect(easy?.rate).toBeGreaterThan(0.42)
    expect(easy?.rate).toBeLessThan(0.58)
    expect(hard && hard.low < 0.75 && 0.75 < hard.high).toBe(true)
  })

  it('is less certain the more is predicted, and stays within 0 and 1', () => {
    const widths = [20, 14, 8].map((tasks) => {
      const [one] = modelRates([row(4, 4, TASKS.slice(-tasks)), ...FULL], TASKS)
      if (!one) throw new Error('there is no rate')
      expect([one.low >= 0, one.low <= one.rate, one.rate <= one.high, one.high <= 1]).toEqual(
        Array(4).fill(true),
      )
      return one.high - one.low
    })
    expect(widths).toEqual([...widths].sort((a, b) => a - b))
  })

  it('does not depend on the order of rows and tasks', () => {
    const rows = [...FULL, row(0, 2, HARD)]
    const turned = modelRates([...rows].reverse(), [...TASKS].reverse()).reverse()
    modelRates(rows, TASKS).forEach((one, at) => {
      expect(turned[at]?.rate).toBeCloseTo(one?.rate ?? -1, 6)
      expect(turned[at]?.low).toBeCloseTo(one?.low ?? -1, 4)
    })
  })

  it('refuses rows that share fewer than five tasks, and boards of fewer than three rows', () => {
    const alone = row(4, 4, TASKS.slice(0, 4))
    const others = new Map(alone).set('elsewhere', { solved: 4, scored: 4 })
    expect(modelRates([...FULL, others], TASKS).map((one) => one === null)).toEqual([
      ...FULL.map(() => false),
      true,
    ])
    expect(modelRates(FULL.slice(0, 2), TASKS)).toEqual([null, null])
    expect(modelRates([], TASKS)).toEqual([])
  })

  it('has finite bounds where every row solves everything, or nothing', () => {
    for (const solved of [0, 4]) {
      const rows = [row(solved, solved), row(solved, solved), row(solved, solved, EASY)]
      for (const one of modelRates(rows, TASKS)) {
        expect(Number.isFinite(one?.low) && Number.isFinite(one?.high)).toBe(true)
        expect(one && one.low <= one.rate && one.rate <= one.high).toBe(true)
      }
    }
  })
})
