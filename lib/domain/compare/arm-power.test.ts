import { expect, it } from 'vitest'
import { moreRuns } from './arm-power.ts'
import { sampleTasks } from './sample-rows.fixture.ts'

const ARM = [1, 2, 0, 3, 2, 1, 3, 0, 2, 1, 1, 2, 3, 0, 0, 1, 2, 2, 1, 3, 0, 1, 2, 1, 3]
const BASELINE = [0, 2, 0, 2, 2, 0, 3, 0, 1, 1, 1, 1, 3, 0, 0, 0, 2, 2, 0, 3, 0, 0, 2, 1, 2]
const undecided = {
  difference: 0.12,
  verdict: { kind: 'cannot-tell' as const, text: '', bound: null },
}
const rowOf = (solved: readonly number[], stages?: number) => ({
  ...{ tasks: sampleTasks(solved), repetitions: { most: 3 } },
  ...(stages && { looks: { stages, states: 1 } }),
})

it('judges further repetitions as a further look, and other tasks as none', () => {
  const ask = (stages?: number) =>
    moreRuns([rowOf(ARM, stages), rowOf(BASELINE, stages)], undecided, 0.05)
  const [planned, topped] = [ask(), ask(2)]
  // Nine would be enough for a look at 5 %, and this one is at 5 % / 12.
  expect(planned?.repetitions).toBeGreaterThan(12)
  expect(topped?.repetitions).toBeGreaterThan(planned?.repetitions ?? 0)
  expect(topped?.tasks).toBe(planned?.tasks)
  expect(moreRuns([rowOf(ARM), rowOf(BASELINE)], better, 0.05)).toBeNull()
})

const better = { ...undecided, verdict: { ...undecided.verdict, kind: 'better' as const } }
