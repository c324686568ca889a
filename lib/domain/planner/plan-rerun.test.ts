import { describe, expect, it } from 'vitest'
import { sampleBoardSuite, sampleRun } from '#lib/testing/factories/sample-run.ts'
import { buildBoard } from '../board/index.ts'
import {
  type EpisodeFact,
  freezePlan,
  OUTCOME_STATUSES,
  type OutcomeStatus,
} from '../record/index.ts'
import { planRerun } from './plan-rerun.ts'

const suite = sampleBoardSuite(OUTCOME_STATUSES.length)
const NOW = '2026-11-02T00:00:00.000Z'

/** Each task ends in its own way; `spoilt` sets the cause of the void ones. */
function board(spoilt: Partial<Record<string, EpisodeFact['failureCategory']>> = {}) {
  const { run, facts } = sampleRun({
    suite,
    repetitions: 2,
    status: (task, repetition) =>
      repetition === 2 ? (OUTCOME_STATUSES[task] as OutcomeStatus) : 'solved',
    change: (fact) => {
      const failureCategory = spoilt[fact.taskId] ?? 'provider'
      return fact.status === 'void' ? { failureCategory, verdict: null } : {}
    },
  })
  return { suite, facts, runs: [run] }
}
const voidTask = suite.tasks[OUTCOME_STATUSES.indexOf('void')]?.taskId as string

describe('planRerun', () => {
  it.each(['infrastructure', 'harness'] as const)('runs again what is void by %s', (fault) => {
    const result = planRerun(board({ [voidTask]: fault }), 'run_00000001')
    if (!result.ok) throw new Error(result.reason)
    expect(result.episodes).toBe(1)
    expect(result.draft).toMatchObject({
      tasks: [{ taskId: voidTask, repetitions: [3] }],
      repetitions: 1,
      topUpOf: { runIds: ['run_00000001'] },
    })
  })

  it('never runs the subject’s own failures again, nor the provider’s trouble', () => {
    expect(planRerun(board(), 'run_00000001')).toMatchObject({
      ok: false,
      reason: expect.stringContaining('No episode of this run was excluded'),
    })
  })

  it('replaces the void episode, and is not asked for twice', () => {
    const before = board({ [voidTask]: 'infrastructure' })
    const result = planRerun(before, 'run_00000001')
    if (!result.ok) throw new Error(result.reason)
    const plan = freezePlan(result.draft, { now: NOW })
    const model = before.facts[0] as EpisodeFact
    const task = plan.tasks[0] as (typeof plan.tasks)[number]
    const { planDigest } = plan
    const again: EpisodeFact = {
      ...model,
      planDigest,
      episodeId: 'ep_again',
      runId: 'run_again001',
      taskId: task.taskId,
      taskDigest: task.digest,
      repetition: 3,
      startedAt: '2026-11-02T01:00:00.000Z',
    }
    const after = {
      ...before,
      facts: [...before.facts, again],
      runs: [...before.runs, { runId: 'run_again001', plan }],
    }
    expect(buildBoard(before).rows[0]?.success.voids).toBe(1)
    expect(buildBoard(after).rows[0]?.success.voids).toBe(0)
    expect(planRerun(after, 'run_00000001').ok).toBe(false)
  })

  it('takes the last attempt of a slot: one that was tried again and scored is sound', () => {
    const { facts, ...rest } = board({ [voidTask]: 'infrastructure' })
    const spoilt = facts.find(({ status }) => status === 'void') as EpisodeFact
    const retried: EpisodeFact = {
      ...spoilt,
      episodeId: 'ep_retried',
      attempt: 2,
      status: 'unsolved',
      verdict: 'fail',
      failureCategory: 'test-failure',
    }
    expect(planRerun({ ...rest, facts: [...facts, retried] }, 'run_00000001').ok).toBe(false)
  })

  it('says so when the run has no row here', () => {
    expect(planRerun(board(), 'run_elsewhere')).toMatchObject({ ok: false })
  })
})
