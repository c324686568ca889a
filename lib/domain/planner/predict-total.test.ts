import { expect, it } from 'vitest'
import { seededGenerator } from '../statistics/index.ts'
import { predictTotal } from './predict-total.ts'

/** Costs of an episode: log-normal around the cost of its task. */
function costOf(centre: number, spread: number, { nextUnit }: { nextUnit: () => number }): number {
  const normal = Math.sqrt(-2 * Math.log(1 - nextUnit())) * Math.cos(2 * Math.PI * nextUnit())
  return centre * Math.exp(spread * normal)
}

it('contains about 95 % of new runs of the same tasks, which the interval of a mean does not', () => {
  const generator = seededGenerator(11)
  const rounds = 1000
  let inside = 0
  for (let round = 0; round < rounds; round++) {
    const tasks = Array.from({ length: 15 }, (_, at) => ({
      taskId: `t${at}`,
      centre: costOf(100, 0.8, generator),
    }))
    const play = () =>
      tasks.flatMap(({ taskId, centre }) =>
        Array.from({ length: 3 }, () => ({ taskId, amount: costOf(centre, 0.5, generator) })),
      )
    const known = predictTotal(
      play(),
      tasks.map(({ taskId }) => ({ taskId, episodes: 3 })),
    )
    const total = play().reduce((sum, { amount }) => sum + amount, 0)
    if (known && total >= (known.low ?? 0) && total <= (known.high ?? 0)) inside++
  }
  expect(inside / rounds).toBeGreaterThan(0.92)
  expect(inside / rounds).toBeLessThan(0.98)
})

it('is wider for tasks without a past, and has no band after one task', () => {
  const samples = ['a', 'b', 'c'].flatMap((taskId, at) =>
    [1, 1.2, 0.9].map((factor) => ({ taskId, amount: 100 * (at + 1) * factor })),
  )
  const width = (names: readonly string[]) => {
    const found = predictTotal(
      samples,
      names.map((taskId) => ({ taskId, episodes: 5 })),
    )
    return found && (found.high ?? 0) / (found.low ?? 1)
  }
  expect(width(['x', 'y', 'z'])).toBeGreaterThan(2 * (width(['a', 'b', 'c']) ?? 9))
  const one = predictTotal(samples.slice(0, 3), [{ taskId: 'a', episodes: 2 }])
  expect([one?.low, one?.high]).toEqual([null, null])
  expect(predictTotal([], [{ taskId: 'a', episodes: 2 }])).toBeNull()
})
