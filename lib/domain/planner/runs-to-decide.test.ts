import { expect, it } from 'vitest'
import { numberedVersion, sampleRow, sampleTasks } from '../compare/sample-rows.fixture.ts'
import { findRunsToDecide } from './index.ts'

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
  const ask = (seen: number) => findRunsToDecide(pair, { seen, common: TASKS, alpha: 0.05 })
  const [large, larger] = [ask(0.3), ask(0.5)]
  expect(large?.more?.repetitions).toBeGreaterThanOrEqual(larger?.more?.repetitions ?? 0)
  expect(large?.more?.episodes).toBe((large?.more?.repetitions ?? 0) * 2 * TASKS)
})

it('asks for more tasks where repetitions alone cannot decide', () => {
  const pair = [
    row('a', (task) => (task % 2) * 5, 5),
    row('b', (task) => ((task + 1) % 2) * 5, 5),
  ] as const
  const found = findRunsToDecide(pair, { seen: 0, common: TASKS, alpha: 0.05 })
  expect(found?.more).toBeNull()
  expect(found?.tasks).toBeGreaterThan(TASKS)
})

it('has no answer without a common task', () => {
  const pair = [row('a', () => 1, 3), row('b', () => 1, 3)] as const
  expect(findRunsToDecide(pair, { seen: 0, common: 0, alpha: 0.05 })).toBeNull()
})
