import { describe, expect, it } from 'vitest'
import { sampleBoardSuite, sampleRun } from '#lib/testing/factories/sample-run.ts'
import { POLICY } from '../eligibility/index.ts'
import {
  BASELINE_ARM,
  digestArm,
  digestPair,
  EMPTY_ARM_DIGEST,
  type EpisodeFact,
  entryOf,
  expandPlan,
  freezePlan,
  type Plan,
  type PlanDraft,
  rowPartOf,
  type Stop,
} from '../record/index.ts'
import { joinBoard, serializeBoard } from './board-texts.ts'
import { buildBoard } from './build-board.ts'
import { countOwed, describeStop, findStop } from './decide-stop.ts'
import { IncrementalBoard } from './incremental-board.ts'

const suite = sampleBoardSuite(12)
const policy = { ...POLICY, modelRepetitions: 1 }
const REPETITIONS = 10
const RUN_ID = 'run_stopping1'
const now = '2026-11-01T00:00:00.000Z'
const files = [{ path: 'AGENTS.md', text: 'be good' }]
const arms = [
  { name: BASELINE_ARM, files: [], mcpServers: [], digest: EMPTY_ARM_DIGEST },
  { name: 'rules', files, mcpServers: [], digest: digestArm({ files, mcpServers: [] }) },
]
const stop: Stop = { when: 'decided', difference: 0.2, alpha: 0.05, looks: [48, 96, 144, 192, 240] }

function draftOf(changes: Partial<PlanDraft> = {}): PlanDraft {
  const { run } = sampleRun({ suite, repetitions: REPETITIONS })
  const { planDigest: _, frozenAt: __, schemaVersion: ___, ...draft } = run.plan
  return { ...draft, arms, stop, ...changes }
}

const RATES = { rules: 0.9, [BASELINE_ARM]: 0.3 }

/** One sealed attempt for each of these slots. */
function factsOf(
  plan: Plan,
  { episodes = 240, rates = RATES as Record<string, number>, runId = RUN_ID } = {},
): EpisodeFact[] {
  const [model] = sampleRun({ suite, repetitions: 1, runId }).facts
  return expandPlan(plan)
    .slice(0, episodes)
    .map((slot, at) => {
      const entry = entryOf(plan, slot.arm)
      const rate = rates[slot.arm ?? ''] ?? 0.9
      const isSolved = (slot.repetition * 7 + at * 3) % 10 < 10 * rate
      return {
        ...(model as EpisodeFact),
        runId,
        planDigest: plan.planDigest,
        taskId: slot.taskId,
        taskDigest: slot.taskDigest as never,
        repetition: slot.repetition,
        subject: entry?.subject ?? plan.subject,
        episodeId: `ep_${runId}_${slot.taskId}_${slot.repetition}`,
        status: isSolved ? ('solved' as const) : ('unsolved' as const),
        verdict: isSolved ? ('pass' as const) : ('fail' as const),
      }
    })
}

const plan = freezePlan(draftOf(), { now })
const boardOf = (facts: readonly EpisodeFact[], plans: Plan[] = [plan], runIds = [RUN_ID]) =>
  buildBoard({
    suite,
    policy,
    facts,
    runs: plans.map((one, at) => ({ runId: runIds[at] ?? RUN_ID, plan: one })),
  }).rows
const missing = (rows: ReturnType<typeof boardOf>) =>
  rows.flatMap(({ refusals }) => refusals.filter(({ code }) => code === 'complete'))

describe('a plan that stops when decided', () => {
  it('owes nothing after the look that decides, and both sides say the same', () => {
    const rows = boardOf(factsOf(plan, { episodes: 48 }))
    expect(missing(rows)).toEqual([])
    expect(rows.map(({ stop: one }) => one && [one.side, one.verdict, one.look])).toEqual(
      expect.arrayContaining([
        ['a', 'better', 1],
        ['b', 'better', 1],
      ]),
    )
    const [first] = rows
    if (!first?.stop) throw new Error('it has not stopped')
    expect(rows.map(({ stop: one }) => one && describeStop(one)).sort()).toEqual([
      expect.stringMatching(
        /^decided after 48 of 240 episodes, \$0\.384 saved, error at most 5 %: better by \d+ points/,
      ),
      expect.stringContaining('5 %: worse by '),
    ])
    expect(rows.map(({ plannedEpisodes }) => plannedEpisodes)).toEqual([24, 24])
    const found = findStop(rows, RUN_ID)
    expect(countOwed(240, found)).toBe(48)
    expect(findStop(rows, 'run_other')).toBeNull()
    // Tests of the board pay for the registered looks, and not for an unfinished run.
    expect(first.looks).toMatchObject({ stages: 1, states: 1, planned: { looks: 5 } })
    expect(first.looks?.confidence).toBeCloseTo(0.99, 12)
  })

  it('owes its whole plan where one sealed episode is withheld, or undecided, or one came after', () => {
    const facts = factsOf(plan, { episodes: 48 })
    const arm = (name: string) => facts.findIndex(({ subject }) => subject.arm === name)
    for (const name of ['rules', BASELINE_ARM])
      expect(missing(boardOf(facts.toSpliced(arm(name), 1)))).toHaveLength(2)
    const equal = factsOf(plan, { episodes: 48, rates: { rules: 0.6, [BASELINE_ARM]: 0.5 } })
    expect(missing(boardOf(equal))).toHaveLength(2)
    expect(missing(boardOf(factsOf(plan, { episodes: 49 })))).toHaveLength(2)
    // The whole plan is what it always was.
    expect(missing(boardOf(factsOf(plan)))).toEqual([])
  })

  it('never stops by a rule that was not in the plan, or that names other looks than it may', () => {
    const without = freezePlan(draftOf({ stop: undefined }), { now })
    expect(missing(boardOf(factsOf(without, { episodes: 48 }), [without]))).toHaveLength(2)
    for (const looks of [
      [12, 240],
      [48, 96],
      [49, 240],
      [96, 48, 240],
    ]) {
      const odd = freezePlan(draftOf({ stop: { ...stop, looks } }), { now })
      expect(missing(boardOf(factsOf(odd, { episodes: 48 }), [odd]))).toHaveLength(2)
    }
  })

  it('has the decision of each of two runs of one size', () => {
    const again = freezePlan(draftOf(), { now: '2026-11-02T00:00:00.000Z' })
    const rates = { rules: 0.1, [BASELINE_ARM]: 0.9 }
    const facts = [
      ...factsOf(plan, { episodes: 48 }),
      ...factsOf(again, { episodes: 48, rates, runId: 'run_again' }),
    ]
    const rows = boardOf(facts, [plan, again], [RUN_ID, 'run_again'])
    const found = [RUN_ID, 'run_again'].map((runId) => findStop(rows, runId)?.verdict)
    expect(found).toEqual(['better', 'worse'])
  })

  it('never stops one arm by results of another sender', () => {
    const facts = factsOf(plan, { episodes: 48 }).map((fact) =>
      fact.subject.arm === 'rules' ? { ...fact, voucher: 'token:x' } : fact,
    )
    expect(missing(boardOf(facts))).toHaveLength(2)
  })

  it('has the bytes of a whole board when built part by part', () => {
    const facts = factsOf(plan, { episodes: 48 })
    const frame = { suite, policy, runs: [{ runId: RUN_ID, plan }] }
    const keeper = new IncrementalBoard()
    const put = (name: string, some: readonly EpisodeFact[]) =>
      keeper.put(
        name,
        frame,
        {
          facts: some.filter((fact) => rowPartOf(fact) === name),
          evaluations: new Map(),
          regradeDisagreements: new Set(),
        },
        new Map(),
      )
    const parts = [...new Set(facts.map(rowPartOf))]
    expect(parts).toHaveLength(2)
    for (let count = 44; count <= 48; count++) {
      const some = facts.slice(0, count)
      for (const part of parts) put(part, some)
      for (const part of keeper.listOutdated(frame, new Map())) put(part, some)
      const whole = buildBoard({ ...frame, facts: some, evaluations: new Map() })
      expect(joinBoard(keeper.build(frame).texts)).toBe(serializeBoard(whole))
    }
  })
})

describe('a pair of plans that stop when decided', () => {
  const named = (name: string) => ({ ...plan.subject, name })
  const pairOf = () => {
    const drafts = ['codex', 'claude'].map((name) =>
      draftOf({ arms: undefined, stop: undefined, subject: named(name) }),
    ) as [PlanDraft, PlanDraft]
    const digest = digestPair(...drafts)
    return drafts.map((draft, at) =>
      freezePlan(
        { ...draft, stop: { ...stop, pair: { digest, side: at === 0 ? 'a' : 'b' } } },
        { now },
      ),
    ) as [Plan, Plan]
  }
  const runs = ['run_pairside1', 'run_pairside2']
  const rates = [{ '': 0.9 }, { '': 0.3 }]
  const factsOfPair = (plans: readonly Plan[], each = 24) =>
    plans.flatMap((one, at) =>
      factsOf(one, {
        episodes: each,
        rates: rates[at] as Record<string, number>,
        runId: runs[at] as string,
      }),
    )

  it('stops both runs', () => {
    const plans = pairOf()
    const rows = boardOf(factsOfPair(plans), plans, runs)
    expect(missing(rows)).toEqual([])
    expect(rows.map(({ stop: one }) => one?.after)).toEqual([48, 48])
  })

  it('stops neither where one run is absent, doubled, or of another plan than the pair names', () => {
    const plans = pairOf()
    const facts = factsOfPair(plans)
    const one = facts.filter(({ runId }) => runId === runs[0])
    expect(missing(boardOf(one, plans, runs))).toHaveLength(1)
    const again = one.map((fact) => ({
      ...fact,
      runId: 'run_pairside3',
      episodeId: `${fact.episodeId}x`,
    }))
    const doubled = boardOf([...facts, ...again], [...plans, plans[0]], [...runs, 'run_pairside3'])
    expect(missing(doubled)).toHaveLength(2)
    const [a, b] = plans
    const { planDigest: _, frozenAt: __, schemaVersion: ___, ...draft } = b
    const other = freezePlan({ ...draft, subject: named('gemini') }, { now })
    expect(missing(boardOf(factsOfPair([a, other]), [a, other], runs))).toHaveLength(2)
  })
})
