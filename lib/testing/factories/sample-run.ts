import type { PlannedRun } from '#lib/domain/board/planned-slots.ts'
import { digestJson } from '#lib/domain/digest/index.ts'
import { POLICY_VERSION } from '#lib/domain/eligibility/index.ts'
import {
  type EpisodeFact,
  freezePlan,
  type OutcomeStatus,
  type Plan,
  type Subject,
} from '#lib/domain/record/index.ts'
import type { Settings } from '#lib/domain/settings/index.ts'
import type { Suite } from '#lib/domain/tasks/index.ts'

/** Samples for tests: an agent's live run that passes every evidence rule, for tests to break in one place. */
export const SAMPLE_AGENT: Subject = {
  kind: 'agent',
  name: 'agent-a',
  version: '1.2.3',
  adapterVersion: '1',
  provider: 'anthropic',
  modelRequested: 'model-x-1',
}

export const SAMPLE_SETTINGS: Settings = {
  timeoutMs: 60_000,
  maxSteps: 50,
  maxTokens: 100_000,
  maxCostMicroUsd: 500_000,
  temperature: 0,
  isolation: 'bubblewrap',
  diskQuotaBytes: 1_000_000,
  maxAttempts: 2,
  seed: 1,
}

export type SampleSuite = Pick<Suite, 'suiteId' | 'title' | 'description' | 'digest' | 'tasks'>

/** A suite of tasks `task-1` … `task-n`. */
export function sampleBoardSuite(taskCount: number): SampleSuite {
  const tasks = Array.from({ length: taskCount }, (_, index) => {
    const taskId = `task-${index + 1}`
    return {
      taskId,
      digest: digestJson(taskId),
      title: `Task ${index + 1}`,
      category: 'sample',
      difficulty: 'easy' as const,
      files: {
        solution: ['a.ts'],
        test: ['a.test.ts'],
        example: ['b.ts'],
        support: [],
        instructions: ['i.md'],
      },
      expectedTests: ['works'],
      runTests: true,
      typeTests: false,
      compilerOptions: {},
      packageType: 'module' as const,
      verifyTimeoutMs: 10_000,
    }
  })
  return {
    suiteId: 'sample',
    title: 'Sample',
    description: '',
    digest: digestJson(taskCount),
    tasks,
  }
}

export type SampleRunOptions = {
  suite: SampleSuite
  repetitions: number
  runId?: string
  subject?: Subject
  settings?: Partial<Settings>
  /** Decides how the episode of a task (0-based position) and repetition (from 1) ended. */
  status?: (task: number, repetition: number) => OutcomeStatus
  /** Final changes to each fact. */
  change?: (fact: EpisodeFact) => Partial<EpisodeFact>
}

/** A frozen plan, its run and one sealed attempt for each slot. */
export function sampleRun(options: SampleRunOptions): {
  run: PlannedRun & { plan: Plan }
  facts: EpisodeFact[]
} {
  const { suite, repetitions, runId = 'run_00000001' } = options
  const plan = samplePlan(options)
  const facts = suite.tasks.flatMap((_, task) =>
    Array.from({ length: repetitions }, (__, index) => {
      const status = options.status?.(task, index + 1) ?? 'solved'
      const fact = sampleFact(plan, runId, task, index + 1, status)
      return { ...fact, ...options.change?.(fact) }
    }),
  )
  return { run: { runId, plan }, facts }
}

function samplePlan({
  suite,
  repetitions,
  subject = SAMPLE_AGENT,
  settings,
}: SampleRunOptions): Plan {
  const draft = {
    suiteId: suite.suiteId,
    suiteDigest: suite.digest,
    tasks: suite.tasks.map(({ taskId, digest, category }) => ({ taskId, digest, category })),
    subject,
    command: null,
    repetitions,
    settings: { ...SAMPLE_SETTINGS, ...settings },
    policyVersion: POLICY_VERSION,
  }
  return freezePlan(draft, { now: '2026-11-01T00:00:00.000Z' })
}

function sampleFact(
  plan: Plan,
  runId: string,
  position: number,
  repetition: number,
  status: OutcomeStatus,
): EpisodeFact {
  const task = plan.tasks[position] as Plan['tasks'][number]
  const { suiteId, suiteDigest, planDigest, subject, settings } = plan
  const name = digestJson([runId, planDigest, task.taskId, repetition]).slice('sha256:'.length)
  return {
    episodeId: `ep_${name.slice(0, 32)}`,
    runId,
    planDigest,
    suiteId,
    suiteDigest,
    taskId: task.taskId,
    taskDigest: task.digest,
    category: task.category,
    repetition,
    attempt: 1,
    status,
    failureCategory: null,
    mode: 'live',
    verdict: status === 'solved' ? 'pass' : 'fail',
    subject,
    settings,
    modelObserved: subject.modelRequested ? [subject.modelRequested] : [],
    unpinned: [],
    findings: 0,
    recordingDigest: null,
    fault: null,
    startedAt: '2026-11-01T01:00:00.000Z',
    subjectMs: 1000 + position,
    totalMs: 1500 + position,
    steps: 3,
    tokens: 1000,
    costMicroUsd: 2000,
    metered: true,
    provenance: 'token',
  }
}
