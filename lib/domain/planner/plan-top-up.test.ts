import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { sampleBoardSuite, sampleRun } from '#lib/testing/factories/sample-run.ts'
import {
  type BuildBoardInput,
  buildBoard,
  buildEligibility,
  type PlannedRun,
} from '../board/index.ts'
import {
  digestPlan,
  type EpisodeFact,
  expandPlan,
  freezePlan,
  type OutcomeStatus,
  type PlanDraft,
  planSchema,
} from '../record/index.ts'
import type { TopUpGoal } from './plan-top-up.ts'
import { planTopUp, type TopUp } from './plan-top-up.ts'

const suite = sampleBoardSuite(4)
const VOID = { verdict: null }
const asVoid = (fact: EpisodeFact) => (fact.status === 'void' ? VOID : {})

function rowOf(board: BuildBoardInput) {
  const [row] = buildBoard(board).rows
  if (!row) throw new Error('there is no row')
  return row
}
const topUp = (board: BuildBoardInput, goal?: TopUpGoal) =>
  planTopUp(board, rowOf(board).rowId, goal)

function planned(result: TopUp): Record<string, number[]> {
  if (!result.ok) throw new Error(result.refusal.reason)
  return Object.fromEntries(
    result.draft.tasks.map(({ taskId, repetitions }) => [taskId, repetitions ?? []]),
  )
}

/** The board after every episode of the top-up was scored, except the slot at `without`. */
function arrive(board: BuildBoardInput, draft: PlanDraft, without?: number): BuildBoardInput {
  const plan = freezePlan(draft, { now: '2026-11-02T00:00:00.000Z' })
  const slots = expandPlan(plan).filter((_, position) => position !== without)
  const fewer = {
    ...draft,
    tasks: draft.tasks.flatMap((task) => {
      const left = slots.flatMap((slot) => (slot.taskId === task.taskId ? [slot.repetition] : []))
      return left.length > 0 ? [{ ...task, repetitions: left }] : []
    }),
  }
  const run = {
    runId: 'run_topup001',
    plan: freezePlan(fewer, { now: '2026-11-02T00:00:00.000Z' }),
  }
  const model = board.facts[0] as EpisodeFact
  const added = slots.map(({ taskId, taskDigest, repetition }, position) => ({
    ...model,
    episodeId: `ep_added_${position}`,
    runId: run.runId,
    planDigest: run.plan.planDigest,
    taskId,
    taskDigest,
    repetition,
    attempt: 1,
    status: 'solved' as const,
    verdict: 'pass' as const,
    startedAt: '2026-11-02T01:00:00.000Z',
  }))
  if (slots.length === 0) return board
  return { ...board, facts: [...board.facts, ...added], runs: [...board.runs, run] }
}

const aboutSamples = (board: BuildBoardInput) =>
  rowOf(board).refusals.flatMap(({ code }) => (/^(samples|complete)$/.test(code) ? [code] : []))

describe('planTopUp', () => {
  it('replaces void, cancelled and missing slots, and gives the rest to the tasks with the fewest', () => {
    const { run, facts } = sampleRun({
      suite,
      repetitions: 2,
      status: (task, repetition) => {
        if (repetition === 1) return 'solved'
        return (['void', 'cancelled', 'unsolved', 'solved'] as const)[task] ?? 'solved'
      },
      change: asVoid,
    })
    const lost = facts.filter((fact) => !(fact.taskId === 'task-3' && fact.repetition === 2))
    const board = { suite, facts: lost, runs: [run] }
    const result = topUp(board)
    // A model drives the subject, so every task gets up to three samples, which is also enough in total.
    expect(planned(result)).toEqual({
      'task-1': [3, 4],
      'task-2': [3, 4],
      'task-3': [3, 4],
      'task-4': [3],
    })
    if (!result.ok) return
    expect(result.draft.topUpOf).toEqual({ rowId: rowOf(board).rowId, runIds: [run.runId] })
    expect(result.draft).toMatchObject({ subject: run.plan.subject, settings: run.plan.settings })
    const plan = freezePlan(result.draft, { now: '2026-11-02T00:00:00.000Z' })
    expect(planSchema.parse(plan)).toEqual(plan)
    expect(digestPlan(plan)).toBe(plan.planDigest)
    // One void attempt of thirteen is still counted, even if it is replaced repeatedly.
    const { label, refusals } = rowOf(arrive(board, result.draft))
    expect([label, refusals.map(({ code }) => code)]).toEqual(['diagnostic', ['void-attempts']])
  })

  it('goes on after the highest number, also of an earlier top-up, and adds tasks that were never run', () => {
    const part = { ...suite, tasks: suite.tasks.slice(0, 2) }
    const { run, facts } = sampleRun({ suite: part, repetitions: 2 })
    const board = { suite, facts, runs: [run] }
    const first = topUp(board)
    expect(planned(first)).toEqual({
      'task-1': [3],
      'task-2': [3],
      'task-3': [1, 2, 3],
      'task-4': [1, 2, 3],
    })
    if (!first.ok) return
    const later = arrive(board, first.draft)
    expect(topUp(later)).toMatchObject({ ok: false, refusal: { code: 'nothing-missing' } })
    const goal = { kind: 'samples', samples: 5 } as const
    expect(planned(topUp(later, goal))).toEqual({
      'task-1': [4, 5],
      'task-2': [4, 5],
      'task-3': [4, 5],
      'task-4': [4, 5],
    })
  })

  it('aims at the per-task threshold when it is asked to, the suite’s own where that is stricter', () => {
    const { run, facts } = sampleRun({ suite, repetitions: 3 })
    const board = { suite, facts, runs: [run] }
    const goal = { kind: 'per-task' } as const
    expect(planned(topUp(board, goal))['task-1']).toHaveLength(17)
    const strict = { ...suite, thresholds: { perTaskEpisodes: 30 } }
    expect(planned(topUp({ ...board, suite: strict }, goal))['task-1']).toHaveLength(27)
  })

  it('replaces the slots of a shard that was not submitted', () => {
    const { run, facts } = sampleRun({ suite, repetitions: 3 })
    const shard = { index: 1, count: 2 }
    const there = new Set(expandPlan(run.plan, shard).map((s) => `${s.taskId}/${s.repetition}`))
    const half = facts.filter((fact) => there.has(`${fact.taskId}/${fact.repetition}`))
    const board = { suite, facts: half, runs: [{ ...run, shard }] }
    const result = topUp(board)
    expect(Object.values(planned(result)).flat()).toHaveLength(6)
    if (result.ok) expect(aboutSamples(arrive(board, result.draft))).toEqual([])
  })

  it('lets a top-up of a top-up fill what the first one left open, whatever the runs are called', () => {
    const { run, facts } = sampleRun({
      suite,
      repetitions: 3,
      runId: 'run_00000009',
      status: (task) => (task === 0 ? 'void' : 'solved'),
      change: asVoid,
    })
    const board = { suite, facts, runs: [run] }
    const first = topUp(board)
    if (!first.ok) throw new Error(first.refusal.reason)
    const once = arrive(board, first.draft)
    const half = once.facts.map((fact) =>
      fact.episodeId === 'ep_added_0' ? { ...fact, status: 'void' as const, ...VOID } : fact,
    )
    const broken = { ...once, facts: half }
    const second = topUp(broken)
    if (!second.ok) throw new Error(second.refusal.reason)
    const twice = arrive(broken, second.draft)
    for (const runId of ['run_00000001', 'run_zzzzzzzz']) {
      const last = (name: string, at: number) =>
        name === 'run_topup001' && at >= broken.facts.length ? runId : name
      const named = {
        ...twice,
        facts: twice.facts.map((fact, at) => ({
          ...fact,
          runId: last(fact.runId, at),
          episodeId: at >= broken.facts.length ? `ep_last_${at}` : fact.episodeId,
        })),
        runs: twice.runs.map((one, at) => (at === 2 ? { ...one, runId } : one)),
      }
      expect(aboutSamples(named)).toEqual([])
      expect(rowOf(named).success.voids).toBe(0)
    }
  })
})

describe('planTopUp refuses by name', () => {
  const { run, facts } = sampleRun({ suite, repetitions: 3 })
  const whole = { suite, facts, runs: [run] }
  const few = { ...whole, facts: facts.slice(0, 5) }
  const code = (result: TopUp) => (result.ok ? null : result.refusal.code)

  it.each<[string, BuildBoardInput]>([
    ['nothing-missing', whole],
    [
      'not-about-samples',
      { ...whole, facts: facts.map((f) => ({ ...f, mode: 'scaffold' as const })) },
    ],
    ['plan-unknown', { ...few, runs: [] }],
    [
      'stress-row',
      { ...few, facts: few.facts.map((f) => ({ ...f, fault: { fired: true, recovered: true } })) },
    ],
  ])('%s', (name, board) => expect(code(topUp(board))).toBe(name))

  it('suite-changed and row-unknown', () => {
    const { rowId } = rowOf(whole)
    expect(code(planTopUp({ ...whole, suite: sampleBoardSuite(5) }, rowId))).toBe('suite-changed')
    expect(code(planTopUp(whole, 'row_nowhere'))).toBe('row-unknown')
  })

  it('plans-differ: two commands under one name', () => {
    const other = sampleRun({ suite, repetitions: 1, runId: 'run_00000002' })
    const { planDigest: _, frozenAt: __, schemaVersion: ___, ...draft } = other.run.plan
    const plan = freezePlan({ ...draft, command: 'agent --fast' }, { now: run.plan.frozenAt })
    const runs: PlannedRun[] = [run, { ...other.run, plan }]
    const board = { ...few, facts: [...few.facts, ...other.facts], runs }
    expect(code(topUp(board))).toBe('plans-differ')
  })

  it('says which reasons stay when it does plan', () => {
    const scaffold = few.facts.map((fact) => ({ ...fact, mode: 'scaffold' as const }))
    const result = topUp({ ...few, facts: scaffold })
    expect(result.ok && result.unmended.map(({ code: name }) => name)).toEqual(['mode'])
  })
})

describe('planTopUp, for any row', () => {
  const statuses: OutcomeStatus[] = ['solved', 'unsolved', 'void', 'cancelled']
  const rows = fc.record({
    suiteTasks: fc.integer({ min: 1, max: 6 }),
    share: fc.integer({ min: 1, max: 6 }),
    repetitions: fc.integer({ min: 1, max: 6 }),
    endings: fc.array(fc.constantFrom(...statuses, 'missing' as const), {
      minLength: 36,
      maxLength: 36,
    }),
    aggregateEpisodes: fc.integer({ min: 1, max: 40 }),
  })

  function boardOf(row: typeof rows extends fc.Arbitrary<infer T> ? T : never) {
    const all = sampleBoardSuite(row.suiteTasks)
    const part = { ...all, tasks: all.tasks.slice(0, row.share) }
    const ending = (task: number, repetition: number) => row.endings[task * 6 + repetition - 1]
    const { run, facts } = sampleRun({
      suite: part,
      repetitions: row.repetitions,
      status: (task, repetition) => {
        const end = ending(task, repetition)
        return end === undefined || end === 'missing' ? 'solved' : end
      },
      change: (fact) => (['void', 'cancelled'].includes(fact.status) ? VOID : {}),
    })
    const there = facts.filter(({ taskId, repetition }) => {
      const task = part.tasks.findIndex((one) => one.taskId === taskId)
      return ending(task, repetition) !== 'missing'
    })
    const thresholds = { aggregateEpisodes: row.aggregateEpisodes }
    return { suite: { ...all, thresholds }, facts: there, runs: [run] }
  }

  /** Void episodes within the tolerated share are not refused, but a planned sample is missing. */
  function expectNoneIdle(board: BuildBoardInput, draft: PlanDraft) {
    const slots = draft.tasks.flatMap((task) => task.repetitions ?? [])
    for (const position of slots.keys()) {
      // Checks the rules alone: a whole board, with its bootstraps, would take longer and give the same result.
      const [decision] = buildEligibility(arrive(board, draft, position))
      const isWhole = decision?.group.counted.every(({ status }) => status !== 'void')
      const codes = decision?.eligibility.refusals.map(({ code }) => code) ?? []
      if (isWhole) expect(codes.some((code) => /^(samples|complete)$/.test(code))).toBe(true)
    }
  }

  it('no reason about samples is left when its episodes arrive scored, and none of them is idle', () => {
    fc.assert(
      fc.property(rows, (row) => {
        const board = boardOf(row)
        if (board.facts.length === 0) return
        const result = topUp(board)
        if (!result.ok) {
          expect(aboutSamples(board)).toEqual([])
          return
        }
        const after = arrive(board, result.draft)
        expect(aboutSamples(after)).toEqual([])
        expect(rowOf(after).success.voids).toBe(0)
        expectNoneIdle(board, result.draft)
      }),
      { numRuns: 60, seed: 12 },
    )
  })
})
