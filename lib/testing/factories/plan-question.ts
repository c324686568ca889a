import { POLICY_VERSION } from '#lib/domain/eligibility/index.ts'
import { explainPlan, type PlanQuestion } from '#lib/domain/planner/explain-plan.ts'
import type { PreviousEpisode } from '#lib/domain/planner/quote.ts'
import { priceUsage } from '#lib/domain/prices/index.ts'
import type { PlanDraft } from '#lib/domain/record/index.ts'
import { SAMPLE_AGENT, SAMPLE_SETTINGS, sampleBoardSuite } from './sample-run.ts'

// A plan of 25 tasks × 3, and past episodes of it, for tests of the planner.

export const suite = sampleBoardSuite(25)
export const now = '2026-11-01T00:00:00.000Z'

export function draft(change: Partial<PlanDraft> = {}): PlanDraft {
  return {
    suiteId: suite.suiteId,
    suiteDigest: suite.digest,
    tasks: suite.tasks.map(({ taskId, digest, category }) => ({ taskId, digest, category })),
    subject: SAMPLE_AGENT,
    command: null,
    repetitions: 3,
    settings: SAMPLE_SETTINGS,
    policyVersion: POLICY_VERSION,
    ...change,
  }
}

export const ask = (change: Partial<PlanQuestion> = {}) =>
  explainPlan({
    plan: draft(),
    suite,
    own: null,
    competitor: null,
    past: [],
    price: priceUsage,
    concurrency: 2,
    now,
    ...change,
  })

export function past(
  name: string,
  model: string | null,
  usage: PreviousEpisode['usage'],
  taskId = 'task-1',
) {
  return {
    taskId,
    subject: { name, provider: 'anthropic', modelRequested: model },
    wallMs: 10_000,
    usage,
  }
}
export const tokens = {
  input: 1000,
  output: 100,
  cacheRead: null,
  cacheWrite: null,
  reasoning: null,
}
export const costs = (costMicroUsd: number | null, counted = tokens) => ({
  tokens: counted,
  costMicroUsd,
  priceTable: null,
})
