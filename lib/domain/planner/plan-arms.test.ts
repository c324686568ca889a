import { describe, expect, it } from 'vitest'
import { sampleBoardSuite, sampleRun } from '#lib/testing/factories/sample-run.ts'
import { type BuildBoardInput, buildBoard, buildEligibility } from '../board/index.ts'
import {
  type Arm,
  digestArm,
  entriesOf,
  entryOf,
  expandPlan,
  freezePlan,
  type Plan,
} from '../record/index.ts'
import { countPool } from './find-power.ts'
import { planTopUp } from './plan-top-up.ts'

const suite = sampleBoardSuite(10)
const REPETITIONS = 5

function arm(name: string, more: Partial<Arm> = {}): Arm {
  const content = { files: [], mcpServers: [], ...more }
  return { name, digest: digestArm(content), ...content }
}

const ARMS = [arm('baseline'), arm('short', { settings: { maxSteps: 10 } })]

/** One run of a plan with arms; the first repetition of the first task failed for infrastructure reasons. */
function boardOf(): BuildBoardInput & { plan: Plan } {
  const { run, facts } = sampleRun({ suite, repetitions: 1 })
  const { planDigest: _, frozenAt, schemaVersion: __, ...draft } = run.plan
  const plan = freezePlan({ ...draft, repetitions: REPETITIONS, arms: ARMS }, { now: frozenAt })
  const played = expandPlan(plan).map((slot, position) => {
    const entry = entryOf<Plan['settings']>(plan, slot.arm)
    const [model] = facts
    if (!entry || !model) throw new Error('no entry')
    const { taskId, taskDigest, repetition } = slot
    const isVoid = taskId === 'task-1' && repetition === 1
    return {
      ...model,
      ...entry,
      taskId,
      taskDigest,
      repetition,
      planDigest: plan.planDigest,
      episodeId: `ep_${String(position).padStart(32, '0')}`,
      ...(isVoid ? { status: 'void' as const, verdict: null } : {}),
    }
  })
  return { suite, facts: played, runs: [{ runId: run.runId, plan }], plan }
}

describe('the entries of a plan with arms', () => {
  const board = boardOf()

  it('are one for each arm, complete, under the settings of the plan as the arm changes them', () => {
    const { rows } = buildBoard(board)
    expect(rows.map(({ subject }) => subject.arm).sort()).toEqual(['baseline', 'short'])
    for (const row of rows) {
      expect(row.plannedEpisodes).toBe(10 * REPETITIONS)
      expect(row.looks).toBeUndefined()
      expect(row.settings).toEqual(entryOf(board.plan, row.subject.arm)?.settings)
    }
    const codes = buildEligibility(board).flatMap(({ eligibility }) =>
      eligibility.refusals.map(({ code }) => code),
    )
    expect(codes).not.toContain('frozen-plan')
    expect(codes).not.toContain('llm-pins')
  })

  it('stand among the ranked entries as one for each arm', () => {
    const rank = { place: 1, low: 1, high: 2, tieGroup: 1, letters: 'A' }
    const ranked = buildBoard(board).rows.map((row) => ({
      ...row,
      rank,
      label: 'primary' as const,
    }))
    const { plan } = board
    const others = ranked.map((row) => ({ ...row, subject: { ...row.subject, name: 'other' } }))
    expect(countPool(others, plan)).toBe(4)
    expect(countPool([...ranked, ...others], plan)).toBe(4)
    expect(countPool(others, { subject: plan.subject })).toBe(3)
  })

  it('are topped up arm by arm, by a plan of the one arm that makes the same entry', () => {
    const { rows } = buildBoard(board)
    const lacking = rows.find(({ success }) => success.voids === 1)
    const result = planTopUp(board, lacking?.rowId ?? '')
    if (!result.ok) throw new Error(result.refusal.reason)
    const { draft } = result
    expect(draft.tasks.map(({ taskId, repetitions }) => [taskId, repetitions])).toEqual([
      ['task-1', [2 * REPETITIONS + 1]],
    ])
    const plan = freezePlan(draft, { now: board.plan.frozenAt })
    const name = lacking?.subject.arm
    expect(entriesOf(plan)).toEqual([entryOf(board.plan, name)])
    expect(expandPlan(plan).map((slot) => slot.arm)).toEqual([name])
  })

  it('do not pass under settings that only the other arm has', () => {
    const { facts } = board
    const cheated = facts.map((fact) =>
      fact.subject.arm === 'short' ? { ...fact, settings: board.plan.settings } : fact,
    )
    const refused = buildEligibility({ ...board, facts: cheated }).flatMap(
      ({ group, eligibility }) =>
        eligibility.refusals.some(({ code }) => code === 'frozen-plan')
          ? [group.identity.subject.arm]
          : [],
    )
    expect(refused).toEqual(['short'])
  })
})
