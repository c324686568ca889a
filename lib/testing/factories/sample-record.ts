import { digestBytes } from '#lib/domain/digest/index.ts'
import {
  type ContractResult,
  type Episode,
  type EpisodeBody,
  freezePlan,
  identifyEpisode,
  type Plan,
  type PlanDraft,
  sealEpisode,
} from '#lib/domain/record/index.ts'
import { digestSuite, PROTOCOL_VERSION, type Suite } from '#lib/domain/tasks/index.ts'

export const SAMPLE_RUN_ID = 'run_sample0001'

const SETTINGS: Plan['settings'] = {
  timeoutMs: 600_000,
  maxSteps: null,
  maxTokens: null,
  maxCostMicroUsd: null,
  temperature: null,
  isolation: 'local',
  diskQuotaBytes: 1 << 29,
  maxAttempts: 3,
  seed: 1,
}

const SUBJECT: Plan['subject'] = {
  kind: 'control',
  name: 'reference',
  version: '1.0.0',
  adapterVersion: null,
  provider: null,
  modelRequested: null,
}

/** Names of the eight tests with which `sampleSuite()` judges a task. */
export function sampleTests(taskId: string): string[] {
  return Array.from({ length: 8 }, (_, index) => `${taskId} > works ${index + 1}`)
}

/** A contract in which all of these tests passed. */
export function sampleContract(names: readonly string[]): ContractResult {
  const verdict = 'pass' as const
  const sides = { expected: 'passes', observed: 'passed', verdict }
  const children = names.map((label) => ({ kind: 'test', label, ...sides, children: [] }))
  const tests = { kind: 'tests', label: 'every official test passes', ...sides, children }
  const count = names.length
  return {
    verdict,
    assertions: [tests],
    expectedTests: count,
    executedTests: count,
    passedTests: count,
  }
}

/** A frozen plan of two tasks, from which other test runs are derived. */
export function samplePlan(changes: Partial<PlanDraft> = {}): Plan {
  const draft: PlanDraft = {
    suiteId: 'sample',
    suiteDigest: digestBytes('sample suite'),
    tasks: ['alpha', 'beta'].map((taskId) => ({
      taskId,
      digest: digestBytes(taskId),
      category: 'text',
    })),
    subject: SUBJECT,
    command: null,
    repetitions: 2,
    settings: SETTINGS,
    policyVersion: 1,
    ...changes,
  }
  return freezePlan(draft, { now: '2026-01-01T00:00:00.000Z' })
}

/** A solved, sealed episode of `samplePlan()`; `changes` are applied before sealing. */
export function sampleEpisode(
  changes: Partial<EpisodeBody> = {},
  plan: Plan = samplePlan(),
): Episode {
  const exit = { code: 0, signal: null }
  const body: EpisodeBody = {
    schemaVersion: 1,
    episodeId: 'ep_00000000000000000000000000000000',
    runId: SAMPLE_RUN_ID,
    planDigest: plan.planDigest,
    suiteId: plan.suiteId,
    suiteDigest: plan.suiteDigest,
    taskId: 'alpha',
    taskDigest: digestBytes('alpha'),
    category: 'text',
    repetition: 1,
    attempt: 1,
    previousAttempt: null,
    subject: { ...plan.subject, modelObserved: [], settings: plan.settings },
    environment: {
      os: 'linux',
      arch: 'x64',
      kernel: '6.1.0',
      node: 'v20.20.2',
      bun: null,
      browser: null,
      containerImageDigest: null,
      isolation: plan.settings.isolation,
      cpuCount: 2,
      memoryBytes: 1 << 30,
      harness: { version: '0.1.0', commit: 'a'.repeat(40), dirty: false },
      libraries: { expect: '29.7.0' },
      hostFingerprint: digestBytes('host'),
    },
    mode: 'scaffold',
    startedAt: '2026-01-01T00:00:01.000Z',
    endedAt: '2026-01-01T00:00:02.000Z',
    outcome: { status: 'solved' },
    failureCategory: null,
    contract: sampleContract(sampleTests(changes.taskId ?? 'alpha')),
    agentSuccess: true,
    testSuccess: true,
    overallSuccess: true,
    exit: { subject: exit, gate: exit },
    effort: {
      steps: null,
      toolCalls: null,
      firstTool: null,
      noProgress: [],
      retries: { subject: null, gateway: null, harness: 0 },
      wall: { prepareMs: 1, subjectMs: 2, restoreMs: 1, verifyMs: 90, evidenceMs: 3, totalMs: 100 },
    },
    usage: null,
    fault: null,
    integrity: { protectedFilesTouched: [], findings: [] },
    evidence: [],
    ...changes,
  }
  return sealEpisode({ ...body, episodeId: identifyEpisode(body) })
}

/** A suite of two tasks named like those of `samplePlan()`; `version` changes its digest. */
export function sampleSuite(version = '1.0.0'): Suite {
  const tasks = ['alpha', 'beta'].map((taskId) => ({
    taskId,
    digest: digestBytes(`${taskId} ${version}`),
    title: `Task ${taskId}`,
    category: 'text',
    difficulty: 'easy' as const,
    files: {
      solution: [`${taskId}.ts`],
      test: [`${taskId}.test.ts`],
      example: ['.meta/reference.ts'],
      support: [],
      instructions: ['.docs/instructions.md'],
    },
    expectedTests: sampleTests(taskId),
    runTests: true,
    typeTests: false,
    compilerOptions: { strict: true },
    packageType: 'module' as const,
    verifyTimeoutMs: 10_000,
  }))
  return {
    suiteId: 'sample',
    kind: 'exercise',
    title: 'Sample',
    description: 'Two tasks.',
    version,
    protocolVersion: PROTOCOL_VERSION,
    source: null,
    digest: digestSuite(tasks),
    tasks,
  }
}
