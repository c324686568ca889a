import { describe, expect, it } from 'vitest'
import { sampleBoardSuite, sampleRun } from '#lib/testing/factories/sample-run.ts'
import { listOpenSlots } from './expand-plan.ts'
import type { OutcomeStatus } from './outcome.ts'
import { freezePlan } from './plan.ts'

const { run } = sampleRun({
  suite: sampleBoardSuite(2),
  repetitions: 1,
  settings: { maxAttempts: 2 },
})
const { planDigest: _, frozenAt: now, ...draft } = run.plan
const plan = freezePlan(draft, { now })
const open = (...statuses: OutcomeStatus[]) =>
  listOpenSlots(
    plan,
    statuses.map((status) => ({ taskId: 'task-1', repetition: 1, status })),
  ).map(({ taskId }) => taskId)

describe('listOpenSlots', () => {
  it('goes on with what was never begun, stopped, or void with tries left', () => {
    expect(open()).toEqual(['task-1', 'task-2'])
    expect(open('cancelled')).toEqual(['task-1', 'task-2'])
    expect(open('void')).toEqual(['task-1', 'task-2'])
  })

  it('leaves alone what is scored, and what was void as often as the plan allows', () => {
    expect(open('void', 'void')).toEqual(['task-2'])
    expect(open('cancelled', 'unsolved')).toEqual(['task-2'])
  })
})
