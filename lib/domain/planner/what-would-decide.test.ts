import { expect, it } from 'vitest'
import { numberedVersion, sampleRow, sampleTasks } from '#lib/testing/factories/sample-rows.ts'
import { estimateDifferenceVariance, estimateVariances, furtherPrice } from '../statistics/index.ts'
import { simulatedPower } from '../statistics/simulated-power.ts'
import { whatWouldDecide } from './index.ts'

const TASKS = 30
const suite = numberedVersion(TASKS)
const row = (name: string, solved: (task: number) => number, scored: number) =>
  sampleRow(
    name,
    suite,
    sampleTasks(
      Array.from({ length: TASKS }, (_, task) => solved(task)),
      scored,
    ),
  )

it('asks for fewer runs where a larger difference was seen, and counts the episodes of both sides', () => {
  const pair = [row('a', (task) => task % 4, 3), row('b', (task) => (task + 1) % 4, 3)] as const
  const ask = (seen: number) => whatWouldDecide(pair, { seen, alpha: 0.05 })
  const [large, larger] = [ask(0.4), ask(0.5)]
  expect(large?.more?.repetitions).toBeGreaterThanOrEqual(larger?.more?.repetitions ?? 0)
  expect(large?.more?.episodes).toBe((large?.more?.repetitions ?? 0) * 2 * TASKS)
  expect(large?.sentence).toMatch(
    /^\d+ more episodes \(.*\) would decide a difference of 40 points/,
  )
})

it('asks for more tasks where repetitions alone cannot decide', () => {
  const pair = [
    row('a', (task) => (task % 2) * 5, 5),
    row('b', (task) => ((task + 1) % 2) * 5, 5),
  ] as const
  const found = whatWouldDecide(pair, { seen: 0, alpha: 0.05 })
  expect(found?.more).toBeNull()
  expect(found?.tasks?.tasks).toBeGreaterThan(TASKS)
})

it('judges further repetitions as a further look, and other tasks as none; prices both sides', () => {
  const pair = [row('a', (task) => task % 4, 3), row('b', (task) => (task + 1) % 4, 3)] as const
  const priced = pair.map((one) => ({
    ...one,
    raw: { ...one.raw, costPerEpisodeMicroUsd: 100_000 },
  })) as unknown as typeof pair
  const looks = (stages: number) =>
    priced.map((one) => ({
      ...one,
      looks: {
        kind: 'always-valid',
        stages,
        states: 1,
        confidence: 0.99,
        pinnedEpisodes: 90,
        reason: '',
      },
    })) as unknown as typeof pair
  const [planned, topped] = [priced, looks(2)].map((rows) =>
    whatWouldDecide(rows, { seen: 0.4, alpha: 0.05 }),
  )
  expect(topped?.more?.repetitions ?? 101).toBeGreaterThan(planned?.more?.repetitions ?? 0)
  expect(topped?.tasks?.tasks).toBe(planned?.tasks?.tasks)
  expect(planned?.more?.costMicroUsd).toBe(100_000 * (planned?.more?.episodes ?? 0))
  expect(planned?.sentence).toContain('about $')
})

it('has the power that it states, with the further look paid for', () => {
  const pair = [row('a', (task) => task % 4, 3), row('b', (task) => (task + 1) % 4, 3)] as const
  const difference = 0.45
  const found = whatWouldDecide(pair, { seen: difference, alpha: 0.05 })
  const repetitions = 3 + (found?.more?.repetitions ?? 0)
  const [a, b] = pair.map(({ tasks }) => estimateVariances(tasks))
  const between = estimateDifferenceVariance(pair[0].tasks, pair[1].tasks)
  if (!a?.ok || !b?.ok || !between.ok) throw new Error('no variance')
  const design = {
    tasks: TASKS,
    repetitionsA: repetitions,
    repetitionsB: repetitions,
    wSquared: between.value,
    sSquaredA: a.value.sSquared,
    sSquaredB: b.value.sSquared,
    alpha: 0.05 / furtherPrice(),
  }
  expect(found?.more).not.toBeNull()
  expect(simulatedPower(difference, design, { rounds: 4_000, seed: 9 })).toBeGreaterThan(0.78)
})

it('has no answer without a common task', () => {
  const pair = [row('a', () => 1, 3), row('b', () => 0, 3)] as const
  const without = { ...pair[1], tasks: [] }
  expect(whatWouldDecide([pair[0], without], { seen: 0, alpha: 0.05 })).toBeNull()
})
