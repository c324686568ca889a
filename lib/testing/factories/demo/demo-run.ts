import { POLICY_VERSION } from '#lib/domain/eligibility/index.ts'
import {
  type Assertion,
  type BrowserFaultKind,
  type BrowserRecord,
  type Episode,
  type EpisodeBody,
  expandPlan,
  type Outcome,
  type Plan,
  type PlanDraft,
  type Rung,
  type Slot,
  type Verdict,
} from '#lib/domain/record/index.ts'
import { seededGenerator } from '#lib/domain/statistics/index.ts'
import type { Suite } from '#lib/domain/tasks/index.ts'
import { sampleEpisode, samplePlan } from '../sample-record.ts'
import {
  DEMO_VERIFIER,
  demoContract,
  demoEvidence,
  demoRecording,
  demoTranscript,
  listDemoEvidence,
} from './demo-evidence.ts'
import type { DemoRow } from './demo-suites.ts'

type SeededGenerator = ReturnType<typeof seededGenerator>

type DemoRun = { runId: string; plan: Plan; episodes: Episode[] }

/** Makes the run of a demo row: a frozen plan and its sealed episodes, always the same. */
export function demoRun(row: DemoRow, place: number, suite: Suite): DemoRun {
  const plan = planOf(row, suite)
  const chance = seededGenerator(1000 + place)
  const difficulty = new Map(suite.tasks.map((task) => [task.taskId, chance.nextUnit() - 0.5]))
  const heldOut = new Set(suite.tasks.flatMap((task) => ('heldOut' in task ? task.taskId : [])))
  const environment = { ...sampleEpisode({}, plan).environment, verifier: DEMO_VERIFIER }
  const runId = `run_demo${String(place).padStart(6, '0')}`
  const episodes = expandPlan(plan).map((slot) => {
    const solves = chance.nextUnit() < row.skill + 0.4 * (difficulty.get(slot.taskId) ?? 0)
    const ending = chance.nextUnit() < (row.voids ?? 0) ? 'void' : solves ? 'solved' : 'unsolved'
    const modelObserved = row.model === null ? [] : [row.model]
    const subject = { ...plan.subject, modelObserved, settings: plan.settings }
    const body = bodyOf(row, { ...slot, hasHeldOut: heldOut.has(slot.taskId) }, ending, chance)
    return sampleEpisode({ environment, ...body, runId, subject }, plan)
  })
  return { runId, plan, episodes }
}

/** Zero repetitions mean a row with few samples: six tasks, once. */
function planOf(row: DemoRow, suite: Suite): Plan {
  const { settings } = samplePlan()
  const isFew = row.repetitions === 0
  const tasks = isFew ? suite.tasks.slice(0, 6) : suite.tasks
  const pins: Partial<Plan['settings']> =
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

/** Agents have to run in a sandbox for their rows to be ranked. */
function levelOf({ kind }: DemoRow): Plan['settings']['isolation'] {
  return kind === 'agent' ? 'bubblewrap' : 'local'
}

type Ending = 'solved' | 'unsolved' | 'void'

function bodyOf(
  row: DemoRow,
  slot: Slot & { hasHeldOut: boolean },
  ending: Ending,
  chance: SeededGenerator,
): Partial<EpisodeBody> {
  const { taskId, taskDigest, category, repetition, hasHeldOut } = slot
  const subjectMs = Math.round(4_000 + 60_000 * chance.nextUnit() ** 2)
  const startedAt = new Date(START + repetition * 3_600_000 + subjectMs)
  const isSolved = ending === 'solved'
  const recorded =
    row.mode === 'recorded-real'
      ? listDemoEvidence([demoRecording({ ...slot, name: row.name })])
      : []
  const transcript = { isSolved, taskId, model: row.model, name: row.name }
  const data = hasTranscript(row, repetition) ? listDemoEvidence(demoTranscript(transcript)) : []
  const judged = demoContract({ isSolved, hasHeldOut, failsHeldOut: repetition % 2 === 0 })
  return {
    taskId,
    taskDigest,
    category,
    repetition,
    mode: row.mode,
    startedAt: startedAt.toISOString(),
    endedAt: new Date(startedAt.getTime() + subjectMs + 900).toISOString(),
    outcome: ending === 'void' ? VOID : judged.outcome,
    failureCategory: isSolved ? null : ending === 'void' ? 'provider' : 'test-failure',
    contract: ending === 'void' ? null : judged.contract,
    agentSuccess: ending !== 'void',
    testSuccess: isSolved,
    overallSuccess: isSolved,
    effort: effortOf(subjectMs, chance),
    usage: usageOf(row, chance),
    fault: row.stress
      ? { plan: 'stall', point: 'step 2', firedAt: startedAt.toISOString(), recovered: isSolved }
      : null,
    evidence: [...recorded, ...data],
    ...(row.targeting ? ofBrowser(row, slot, { isSolved, startedAt, chance }) : {}),
  }
}

/** Evidence exists for the first repetition only; it is the same for all. */
function ofBrowser(
  row: DemoRow,
  { repetition }: Slot,
  made: { isSolved: boolean; startedAt: Date; chance: SeededGenerator },
): Partial<EpisodeBody> {
  const { isSolved, startedAt, chance } = made
  const body = browserBody(row, { isSolved, startedAt: startedAt.toISOString(), chance })
  const hasError = Boolean(body.browser?.libraryError)
  const evidence = repetition === 1 ? listDemoEvidence(demoEvidence({ isSolved, hasError })) : []
  return { ...body, evidence }
}

/** True for agents with a model, in the first repetition. */
function hasTranscript({ kind, model }: DemoRow, repetition: number): boolean {
  return kind === 'agent' && model !== null && repetition === 1
}

const START = Date.parse('2026-11-02T00:00:00.000Z')
const VOID: Outcome = { status: 'void', fault: 'provider', reason: 'simulated provider failure' }

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

type Made = { isSolved: boolean; startedAt: string; chance: SeededGenerator }

/** Members of a demo browser episode that differ from those of other demo episodes. */
function browserBody(row: DemoRow, made: Made): Partial<EpisodeBody> {
  const { isSolved, startedAt, chance } = made
  const { environment } = sampleEpisode()
  const fault = row.settings?.fault ?? null
  const verdict = isSolved ? 'pass' : 'fail'
  return {
    environment: { ...environment, browser: { name: 'Chromium', version: '156.0.8078.79' } },
    contract: {
      verdict,
      assertions: assertionsOf(verdict),
      expectedTests: null,
      executedTests: null,
      passedTests: null,
    },
    failureCategory: isSolved ? null : 'form-entry',
    outcome: isSolved
      ? { status: 'solved' }
      : { status: 'unsolved', reason: 'The app holds no such order.' },
    browser: recordOf(row, isSolved, chance),
    fault:
      fault === null
        ? null
        : { plan: fault, point: 'POST /orders', firedAt: startedAt, recovered: isSolved },
  }
}

function recordOf(row: DemoRow, isSolved: boolean, chance: SeededGenerator): BrowserRecord {
  const { targeting = 'css' } = row
  const isRef = targeting === 'ref'
  const reuse = row.settings?.browser === 'cold' ? 'cold' : 'reused'
  const saysSo = chance.nextUnit() < (isSolved ? 0.05 : 0.6)
  const resultTokens = isRef ? 2500 + chance.nextBelow(3000) : 120 + chance.nextBelow(60)
  return {
    driven: row.model === null ? 'scripted' : 'llm',
    targeting,
    reuse,
    connectMs: Math.round((reuse === 'cold' ? 900 : 120) + 400 * chance.nextUnit()),
    harnessMs: Math.round(120 + 60 * chance.nextUnit()),
    resultBytes: 3 * resultTokens,
    resultTokens,
    libraryError: saysSo
      ? {
          step: 'place the order',
          action: 'click',
          message: 'simulated: the button did not take the click within 5000 ms',
        }
      : null,
    recovery: recoveryOf(row, { isSolved, saysSo }, chance),
    processes: {
      peakPssBytes: 480e6 + chance.nextBelow(150e6),
      libraryPeakPssBytes: (isRef ? 190e6 : 80e6) + chance.nextBelow(30e6),
      peakCount: 14,
      zombies: 0,
    },
    reset: 'verified',
  }
}

const RUNGS: readonly Rung[] = ['automatic', 'retry', 'retry', 'new-page', 'reconnect']

function recoveryOf(
  { settings }: DemoRow,
  { isSolved, saysSo }: { isSolved: boolean; saysSo: boolean },
  chance: SeededGenerator,
): BrowserRecord['recovery'] {
  if (!settings?.fault) return null
  const unsolved = saysSo ? 'given-up' : 'automatic'
  const rung = isSolved ? (RUNGS[chance.nextBelow(RUNGS.length)] ?? 'retry') : unsolved
  const detectMs = rung === 'automatic' ? null : Math.round(400 + 5000 * chance.nextUnit())
  return { fault: settings.fault as BrowserFaultKind, rung, detectMs }
}

function assertionsOf(verdict: Verdict): Assertion[] {
  const leaf = (kind: string, label: string, observed: string, own: Verdict = 'pass') => ({
    kind,
    label,
    expected: label,
    observed,
    verdict: own,
    children: [],
  })
  const order = '[{"lines":[{"sku":"mug-blue","quantity":2}],"totalCents":2380}]'
  return [
    leaf(
      'state',
      'Exactly one order, with the right line and total',
      verdict === 'pass' ? order : '[]',
      verdict,
    ),
    leaf('network', 'The server received POST /orders exactly 1 time', '1 time, answered with 201'),
    {
      ...leaf('any', 'The page says that the order was placed', ''),
      children: [
        leaf('text', 'The words of [role=status] contain “Thank you”', 'Thank you for your order'),
        leaf('url', 'The page URL has the path /orders/1', '/orders', 'fail'),
      ],
    },
    {
      ...leaf('not', 'The following is not true', ''),
      children: [
        leaf('count', 'The page shows at least 1 element of .error', '0 elements', 'fail'),
      ],
    },
    leaf('no-dialog', 'No dialog is open', 'none'),
  ]
}
