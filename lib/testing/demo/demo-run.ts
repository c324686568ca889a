import { digestBytes } from '#lib/domain/digest.ts'
import { POLICY_VERSION } from '#lib/domain/eligibility/policy.ts'
import type { EpisodeBody, MeasuredEpisode } from '#lib/domain/episode.ts'
import { expandPlan, type Slot } from '#lib/domain/expand-plan.ts'
import type { Outcome } from '#lib/domain/outcome.ts'
import type { FrozenPlan, PlanDraft } from '#lib/domain/plan.ts'
import { type SeededGenerator, seededGenerator } from '#lib/domain/statistics/seeded-generator.ts'
import type { Suite } from '#lib/domain/suite.ts'
import { sampleEpisode, samplePlan } from '../sample-episode.ts'
import { browserBody } from './demo-browser-body.ts'
import { demoEvidence, listEvidence } from './demo-evidence.ts'
import type { DemoRow } from './demo-rows.ts'

export type DemoRun = { runId: string; plan: FrozenPlan; episodes: MeasuredEpisode[] }

/** A made-up run of one demo row: a frozen plan and its sealed episodes, the same every time. */
export function demoRun(row: DemoRow, place: number, suite: Suite): DemoRun {
  const plan = planOf(row, suite)
  const chance = seededGenerator(1000 + place)
  const difficulty = new Map(suite.tasks.map((task) => [task.taskId, chance.nextUnit() - 0.5]))
  const runId = `run_demo${String(place).padStart(6, '0')}`
  const episodes = expandPlan(plan).map((slot) => {
    const solves = chance.nextUnit() < row.skill + 0.4 * (difficulty.get(slot.taskId) ?? 0)
    const ending = chance.nextUnit() < (row.voids ?? 0) ? 'void' : solves ? 'solved' : 'unsolved'
    const modelObserved = row.model === null ? [] : [row.model]
    const subject = { ...plan.subject, modelObserved, settings: plan.settings }
    return sampleEpisode({ ...bodyOf(row, slot, ending, chance), runId, subject }, plan)
  })
  return { runId, plan, episodes }
}

/** Zero repetitions stand for a row of few samples: six tasks, once. */
function planOf(row: DemoRow, suite: Suite): FrozenPlan {
  const { settings } = samplePlan()
  const isFew = row.repetitions === 0
  const tasks = isFew ? suite.tasks.slice(0, 6) : suite.tasks
  const pins: Partial<FrozenPlan['settings']> =
    row.model !== null
      ? { temperature: 0, maxSteps: 60, maxTokens: 400_000, maxCostMicroUsd: 2_000_000 }
      : {}
  const draft: Partial<PlanDraft> = {
    suiteId: suite.suiteId,
    suiteDigest: suite.digest,
    tasks: tasks.map(({ taskId, digest, category }) => ({ taskId, digest, category })),
    subject: {
      kind: row.kind,
      name: row.name,
      version: '1.4.2',
      adapterVersion: row.kind === 'library' ? '1' : null,
      provider: row.kind === 'agent' || row.model !== null ? 'simulated' : null,
      modelRequested: row.model,
      ...(row.targeting ? { targeting: row.targeting } : {}),
    },
    repetitions: Math.max(1, row.repetitions),
    settings: { ...settings, ...pins, ...row.settings, isolation: levelOf(row) },
    policyVersion: POLICY_VERSION,
  }
  return samplePlan(draft)
}

/** Agents have to run in a sandbox before their rows can be ranked. */
function levelOf({ kind }: DemoRow): FrozenPlan['settings']['isolation'] {
  return kind === 'agent' ? 'bubblewrap' : 'local'
}

type Ending = 'solved' | 'unsolved' | 'void'

function bodyOf(
  row: DemoRow,
  slot: Slot,
  ending: Ending,
  chance: SeededGenerator,
): Partial<EpisodeBody> {
  const { taskId, taskDigest, category, repetition } = slot
  const subjectMs = Math.round(4_000 + 60_000 * chance.nextUnit() ** 2)
  const startedAt = new Date(START + repetition * 3_600_000 + subjectMs)
  const isSolved = ending === 'solved'
  return {
    taskId,
    taskDigest,
    category,
    repetition,
    mode: row.mode,
    startedAt: startedAt.toISOString(),
    endedAt: new Date(startedAt.getTime() + subjectMs + 900).toISOString(),
    outcome: OUTCOMES[ending],
    failureCategory: isSolved ? null : ending === 'void' ? 'provider' : 'test-failure',
    contract: ending === 'void' ? null : CONTRACTS[ending],
    agentSuccess: ending !== 'void',
    testSuccess: isSolved,
    overallSuccess: isSolved,
    effort: effortOf(subjectMs, chance),
    usage: usageOf(row, chance),
    fault: row.stress
      ? { plan: 'stall', point: 'step 2', firedAt: startedAt.toISOString(), recovered: isSolved }
      : null,
    evidence: row.mode === 'recorded-real' ? [recordingOf(row, slot)] : [],
    ...(row.targeting ? ofBrowser(row, slot, { isSolved, startedAt, chance }) : {}),
  }
}

/** Evidence is made for the first repetition only: it is the same for all. */
function ofBrowser(
  row: DemoRow,
  { repetition }: Slot,
  made: { isSolved: boolean; startedAt: Date; chance: SeededGenerator },
): Partial<EpisodeBody> {
  const { isSolved, startedAt, chance } = made
  const body = browserBody(row, { isSolved, startedAt: startedAt.toISOString(), chance })
  const hasError = Boolean(body.browser?.libraryError)
  const evidence = repetition === 1 ? listEvidence(demoEvidence({ isSolved, hasError })) : []
  return { ...body, evidence }
}

const START = Date.parse('2026-11-02T00:00:00.000Z')
const OUTCOMES: Record<Ending, Outcome> = {
  solved: { status: 'solved' },
  unsolved: { status: 'unsolved', reason: '2 of 8 tests failed' },
  void: { status: 'void', fault: 'provider', reason: 'simulated provider trouble' },
}
const counts = { assertions: [], expectedTests: 8, executedTests: 8 }
const CONTRACTS = {
  solved: { ...counts, verdict: 'pass' as const, passedTests: 8 },
  unsolved: { ...counts, verdict: 'fail' as const, passedTests: 6 },
}

function effortOf(subjectMs: number, chance: SeededGenerator): EpisodeBody['effort'] {
  const around = { prepareMs: 12, restoreMs: 4, verifyMs: 300, evidenceMs: 8 }
  return {
    steps: 4 + chance.nextBelow(12),
    toolCalls: { edit: 3, read: 5 },
    firstTool: 'read',
    noProgress: [],
    retries: { subject: 0, gateway: 0, harness: 0 },
    wall: { ...around, subjectMs, totalMs: subjectMs + 324 },
  }
}

function usageOf({ cost, tokens }: DemoRow, chance: SeededGenerator): EpisodeBody['usage'] {
  if (tokens === null) return null
  const share = 0.5 + chance.nextUnit()
  return {
    tokens: {
      input: Math.round(tokens * share * 0.8),
      output: Math.round(tokens * share * 0.2),
      cacheRead: null,
      cacheWrite: null,
      reasoning: null,
    },
    costMicroUsd: cost === null ? null : Math.round(cost * share),
    priceTable: cost === null ? null : { id: 'simulated', date: '2026-11-01' },
  }
}

function recordingOf(
  { name }: DemoRow,
  { taskId, repetition }: Slot,
): MeasuredEpisode['evidence'][number] {
  return {
    role: 'gateway-recording',
    path: 'recording.json',
    digest: digestBytes(`${name} ${taskId} ${repetition}`),
    sizeBytes: 1000,
    droppedBytes: 0,
  }
}
