import { POLICY_VERSION } from '#lib/domain/eligibility/index.ts'
import {
  type Episode,
  freezePlan,
  outcomeReason,
  type Plan,
  type PlannedTask,
} from '#lib/domain/record/index.ts'
import type { Settings } from '#lib/domain/settings/index.ts'
import { systemClock } from '../engine/clock.ts'
import { resolveEnvironment } from '../engine/resolve-environment.ts'
import { runPlan } from '../engine/run-plan.ts'
import { openAttemptGateway } from '../gateway/attempt-gateway.ts'
import { local, localAsRunner } from '../sandbox/isolation/local.ts'
import { inScratch } from '../scratch.ts'
import type { BrowserSuite, LoadedWorkflow } from '../suites/task-folder.ts'
import { countProof, type SuiteProof } from '../suites/verify/verify-suite.ts'
import type { CandidateResult, SolutionCandidate } from '../suites/verify/verify-task.ts'
import { WORKFLOW_CONTROLS, wrongNames } from './scripted-player.ts'
import { openWorkflowAdapter } from './workflow-adapter.ts'

type Options = {
  concurrency: number
  /** Maximum number of wrong drivers per task, taken from the start; null = all. */
  mostWrong: number | null
  onTask: (taskId: string, results: readonly CandidateResult[]) => void
}

/** Chooses the candidate of a task that a control plays in each repetition. */
type Round = {
  control: string
  candidatesOf: (task: LoadedWorkflow) => Promise<SolutionCandidate[]>
}

const ROUNDS: readonly Round[] = [
  { control: 'reference', candidatesOf: async () => ['reference'] },
  { control: 'nop', candidatesOf: async () => ['nop'] },
  { control: 'cheater', candidatesOf: async () => ['cheat/control-endpoint'] },
  {
    control: 'wrong',
    candidatesOf: async (task) =>
      (await wrongNames({ task })).map((name): SolutionCandidate => `wrong/${name}`),
  },
]

/**
 * Proves browser workflows by whole episodes, through the same pipeline as any other: the reference driver must solve
 * each task; doing nothing, every wrong driver and a cheat must not, and the cheat must be named.
 */
export async function verifyWorkflows(
  suite: BrowserSuite,
  chosen: readonly LoadedWorkflow[],
  options: Options,
): Promise<SuiteProof> {
  const results: CandidateResult[] = []
  for (const round of ROUNDS) results.push(...(await playRound(round, suite, chosen, options)))
  for (const { task } of chosen) {
    const own = results.filter(({ taskId }) => taskId === task.taskId)
    options.onTask(task.taskId, own)
  }
  const tests = chosen.reduce((sum, { task }) => sum + task.contract.length, 0)
  return countProof({ tasks: chosen.length, tests, heldOutTasks: 0, unalterable: [] }, results)
}

async function playRound(
  { control, candidatesOf }: Round,
  suite: BrowserSuite,
  chosen: readonly LoadedWorkflow[],
  { concurrency, mostWrong }: Options,
): Promise<CandidateResult[]> {
  const max = control === 'wrong' && mostWrong !== null ? mostWrong : Number.POSITIVE_INFINITY
  const candidates = new Map<string, SolutionCandidate[]>()
  for (const task of chosen)
    candidates.set(task.task.taskId, (await candidatesOf(task)).slice(0, max))
  const played = chosen.filter(({ task }) => (candidates.get(task.taskId)?.length ?? 0) > 0)
  if (played.length === 0) return []
  const plan = planOf(control, suite, played, candidates)
  const { adapter } = await openWorkflowAdapter(plan, suite, {
    source: { kind: 'provider' },
    record: false,
    openGateway: openAttemptGateway,
  })
  return inScratch('proofboard-verify', async (out) => {
    const { episodes } = await runPlan(
      { ...RUN, plan, concurrency, out, tasks: played },
      {
        adapter: adapter,
        clock: systemClock,
        environment: await resolveEnvironment(await local.record()),
        isolation: localAsRunner,
        signal: new AbortController().signal,
        emit: () => {},
      },
    )
    return episodes.map((episode) => judge(episode, candidates))
  })
}

const RUN = { runId: 'run_selftest0', shard: { index: 1, count: 1 } }

const SETTINGS: Settings = {
  timeoutMs: 600_000,
  maxSteps: null,
  maxTokens: null,
  maxCostMicroUsd: null,
  temperature: null,
  isolation: 'local',
  diskQuotaBytes: 512 << 20,
  maxAttempts: 2,
  seed: 0,
  browser: 'reused',
}

function planOf(
  name: string,
  { suite }: BrowserSuite,
  played: readonly LoadedWorkflow[],
  candidates: ReadonlyMap<string, readonly SolutionCandidate[]>,
): Plan {
  const control = WORKFLOW_CONTROLS.find(({ subject }) => subject.name === name)
  if (!control) throw new Error(`there is no control ${name}`)
  const tasks = played.map(({ task: { taskId, digest, category } }): PlannedTask => {
    const count = candidates.get(taskId)?.length ?? 0
    const repetitions = Array.from({ length: count }, (_, index) => index + 1)
    return { taskId, digest, category, repetitions }
  })
  const max = Math.max(...tasks.map(({ repetitions }) => repetitions?.length ?? 1))
  return freezePlan(
    {
      suiteId: suite.suiteId,
      suiteDigest: suite.digest,
      tasks,
      subject: control.subject,
      command: null,
      repetitions: max,
      settings: SETTINGS,
      policyVersion: POLICY_VERSION,
    },
    { now: systemClock.now() },
  )
}

function judge(
  { taskId, repetition, outcome, browser }: Episode,
  candidates: ReadonlyMap<string, readonly SolutionCandidate[]>,
): CandidateResult {
  const candidate = candidates.get(taskId)?.[repetition - 1]
  if (candidate === undefined) throw new Error(`${taskId} has no candidate ${repetition}`)
  const solved = outcome.status === 'solved'
  const observed = `${outcome.status}: ${outcomeReason(outcome)}`.slice(0, 500)
  return { taskId, candidate, solved, observed, deviates: deviation(candidate, outcome, browser) }
}

/** Describes the unexpected ending of a candidate; null = as expected. */
export function deviation(
  candidate: SolutionCandidate,
  { status }: Pick<Episode['outcome'], 'status'>,
  browser: Pick<NonNullable<Episode['browser']>, 'libraryError'> | null | undefined,
): string | null {
  if (candidate === 'reference')
    return status === 'solved' ? null : 'the reference should be solved'
  if (candidate.startsWith('cheat/'))
    return status === 'tampered' ? null : `${candidate} should be caught and named`
  // A driver that cannot be played shows nothing about the criteria.
  const error = browser?.libraryError
  if (status === 'unsolved' && error)
    return `${candidate} should be played to its end: ${error.step ?? error.action}, ${error.message.slice(0, 200)}`
  return status === 'unsolved' ? null : `${candidate} should be unsolved`
}
