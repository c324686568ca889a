import { describe, expect, it } from 'vitest'
import { sampleBoardSuite, sampleRun } from '#lib/testing/factories/sample-run.ts'
import { POLICY } from '../eligibility/index.ts'
import { EMPTY_LEDGER, type LedgerState } from '../ledger/index.ts'
import { type EpisodeFact, freezePlan } from '../record/index.ts'
import { buildBoard as build } from './build-board.ts'
import type { BuildBoardInput } from './build-board-input.ts'

const suite = sampleBoardSuite(25)
/** These tests do not depend on the number of repetitions. */
const policy = { ...POLICY, modelRepetitions: 1 }
const buildBoard = (input: BuildBoardInput) => build({ policy, ...input })

describe('buildBoard, after corrections', () => {
  it('lets a top-up replace what its run lacks, and never a scored episode', () => {
    const { run, facts } = sampleRun({
      suite,
      repetitions: 2,
      status: (task, repetition) => {
        if (task >= 5 || repetition === 1) return 'solved'
        return task < 2 ? 'void' : 'cancelled'
      },
      change: (fact) => ({
        provenance: 'local',
        ...(fact.status === 'solved' ? {} : { verdict: null }),
      }),
    })
    const holed = facts.filter((fact) => !(fact.taskId === 'task-6' && fact.repetition === 1))
    const alone = buildBoard({ suite, facts: holed, runs: [run] }).rows[0]
    expect(alone?.refusals.map(({ code }) => code)).toEqual(['complete'])
    const needy = ['task-1', 'task-2', 'task-3', 'task-4', 'task-5', 'task-6']
    const { planDigest: _, frozenAt: __, schemaVersion: ___, ...draft } = run.plan
    const plan = freezePlan(
      {
        ...draft,
        tasks: draft.tasks.flatMap((task) =>
          needy.includes(task.taskId) ? [{ ...task, repetitions: [3] }] : [],
        ),
        topUpOf: { rowId: alone?.rowId ?? '', runIds: [run.runId] },
      },
      { now: '2026-11-02T00:00:00.000Z' },
    )
    const added = needy.map((taskId, index) => ({
      ...(facts.find((fact) => fact.taskId === taskId) as EpisodeFact),
      episodeId: `ep_added_${index}`,
      runId: 'run_topup001',
      planDigest: plan.planDigest,
      repetition: 3,
      status: index === 0 ? ('unsolved' as const) : ('solved' as const),
      verdict: index === 0 ? ('fail' as const) : ('pass' as const),
      startedAt: '2026-11-02T01:00:00.000Z',
    }))
    const runs = [run, { runId: 'run_topup001', plan }]
    const [row] = buildBoard({ suite, facts: [...holed, ...added], runs }).rows
    expect(row).toMatchObject({
      label: 'primary',
      refusals: [],
      // Three of 53 attempts were cancelled, which is above the limit: each counts as a failure.
      success: { attempts: 53, voids: 0 },
      cancelledAttempts: { attempts: 3, countAsFailed: true },
      voidAttempts: 2,
      unsentSlots: 1,
      looks: { stages: 2 },
    })
    expect(row?.plannedEpisodes).toBe(50)
    expect(row?.tasks.find(({ taskId }) => taskId === 'task-1')).toMatchObject({
      solved: 1,
      scored: 2,
    })
  })

  it('follows the ledger: removed runs are gone, invalidated rows are refused with the public reason', () => {
    const { run, facts } = sampleRun({ suite, repetitions: 1 })
    const at = '2026-11-20T10:00:00.000Z'
    const correction = { sequence: 1, at, reason: 'The machine was busy.' }
    const build = (ledger: Partial<LedgerState>) =>
      buildBoard({ suite, facts, runs: [run], ledger: { ...EMPTY_LEDGER, ...ledger } }).rows
    expect(build({ removed: new Map([[run.runId, correction]]) })).toEqual([])
    const [whole] = build({})
    const targets = [whole?.rowId ?? '', run.runId]
    for (const target of targets) {
      const [row] = build({ invalidated: new Map([[target, correction]]) })
      expect(row).toMatchObject({ label: 'diagnostic', rank: null })
      expect(row?.refusals.map(({ code }) => code)).toEqual(['invalidated'])
      expect(row?.refusals[0]?.reason).toBe(
        `The ledger invalidated ${target} on 2026-11-20: The machine was busy.`,
      )
    }
    const episodes = new Map(facts.slice(0, 2).map(({ episodeId }) => [episodeId, correction]))
    const [voided] = build({ invalidated: episodes })
    expect(voided?.success).toMatchObject({ voids: 2, attempts: 23 })
  })

  it('says on the row what was corrected, what it would be without, and pays for what was seen', () => {
    const good = sampleRun({ suite, repetitions: 1, runId: 'run_00000001' })
    const bad = sampleRun({
      suite,
      repetitions: 1,
      runId: 'run_00000002',
      status: () => 'unsolved',
      change: () => ({ verdict: 'fail' }),
    })
    const at = '2026-11-20T10:00:00.000Z'
    const correction = { sequence: 7, at, reason: 'The machine was busy.' }
    const build = (ledger: Partial<LedgerState>) =>
      buildBoard({
        suite,
        facts: [...good.facts, ...bad.facts],
        runs: [good.run, bad.run],
        ledger: { ...EMPTY_LEDGER, ...ledger },
      }).rows[0]
    expect(build({})?.corrections).toBeUndefined()
    const removed = build({ removed: new Map([[bad.run.runId, correction]]) })
    expect(removed?.success.rate).toBe(1)
    expect(removed?.corrections).toEqual({
      count: 1,
      entries: [
        {
          sequence: 7,
          kind: 'remove',
          target: bad.run.runId,
          path: '/ledger?target=run_00000002#entry-7',
        },
      ],
      without: { rate: 0.5, attempts: 50 },
    })
    expect(removed?.looks?.stages).toBe(2)
    expect(removed?.looks?.reason).toContain('1 run was removed from the ledger')
    const failure = bad.facts[0]?.episodeId ?? ''
    const invalidated = build({ invalidated: new Map([[failure, correction]]) })
    expect(invalidated?.corrections).toMatchObject({
      entries: [{ kind: 'invalidate', target: failure }],
      without: { rate: 0.5, attempts: 50 },
    })
  })
})
