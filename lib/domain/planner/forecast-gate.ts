import type { Refusal } from '../board/board-row.ts'
import type { BuildBoardInput } from '../board/build-board-input.ts'
import { boardPolicy, suiteKinds } from '../board/build-eligibility.ts'
import { buildPlannedSlots } from '../board/build-planned-slots.ts'
import type { EpisodeFact } from '../board/episode-fact.ts'
import { decideEligibility } from '../eligibility/decide-eligibility.ts'
import type { EligibilityContext } from '../eligibility/eligibility-context.ts'
import type { Policy } from '../eligibility/policy.ts'
import { expandPlan } from '../expand-plan.ts'
import { findMisuse } from '../identity/shipped-subjects.ts'
import { freezePlan, type PlanDraft } from '../plan.ts'

export type GateForecast = {
  /** Refusals of the eligibility rules if every planned episode is scored. */
  aggregate: Refusal[]
  /** Refusals of a claim about a single task, about samples only; the others are in `aggregate`. */
  perTask: Refusal[]
}

type Question = { plan: PlanDraft; suite: BuildBoardInput['suite']; policy: Policy; now: string }

/** Applies the eligibility rules to the best possible outcome of a plan. */
export function forecastGate({ plan, suite, policy, now }: Question): GateForecast {
  const tightened = boardPolicy({ policy, suite })
  const { perTaskEpisodes, aggregateEpisodes } = tightened.thresholds
  // More than either threshold asks for changes no answer.
  const most = Math.max(perTaskEpisodes, aggregateEpisodes)
  const frozen = freezePlan({ ...plan, repetitions: Math.min(plan.repetitions, most) }, { now })
  const run = { runId: 'planned', plan: frozen }
  const context: EligibilityContext = {
    policy: tightened,
    claim: 'aggregate',
    suiteTasks: suite.tasks,
    subjectKinds: suiteKinds(suite),
    imitation: findMisuse(frozen.subject, { isOld: false }),
    plans: new Map([[frozen.planDigest, frozen]]),
    planned: buildPlannedSlots([run]),
    retriedSlots: [],
    replacedVoids: [],
    resolvedFindings: new Set(),
    invalidations: [],
    regradeDisagreements: new Set(),
    evaluations: null,
    passedWithoutFault: new Set(),
    rivals: [],
  }
  const facts = imagineFacts(run.runId, frozen, now)
  const { refusals } = decideEligibility(facts, context)
  return { aggregate: refusals.filter(isForPlan), perTask: askPerTask(facts, context) }
}

/** Which model answers is seen only while it runs; that none is named is told by `llm-pins`. */
function isForPlan({ code }: Refusal): boolean {
  return code !== 'model-observed'
}

function askPerTask(facts: readonly EpisodeFact[], context: EligibilityContext): Refusal[] {
  const [first] = facts
  if (!first) return []
  const { taskId, taskDigest: digest } = first
  const own = facts.filter((fact) => fact.taskId === taskId)
  const aboutOne = { ...context, claim: 'task' as const, suiteTasks: [{ taskId, digest }] }
  const planned = context.planned.filter((slot) => slot.taskId === taskId)
  const { refusals } = decideEligibility(own, { ...aboutOne, planned })
  return refusals.filter(({ code }) => code === 'samples')
}

/** Episodes as good as they can be: solved, in the best mode of their subject, by the model that was asked for. */
function imagineFacts(
  runId: string,
  plan: ReturnType<typeof freezePlan>,
  now: string,
): EpisodeFact[] {
  const { planDigest, suiteId, suiteDigest, subject, settings } = plan
  return expandPlan(plan).map((slot) => ({
    ...slot,
    episodeId: `${slot.taskId}/${slot.repetition}`,
    runId,
    planDigest,
    suiteId,
    suiteDigest,
    attempt: 1,
    status: 'solved',
    failureCategory: null,
    mode: subject.kind === 'control' ? 'scaffold' : 'live',
    verdict: 'pass',
    subject,
    settings,
    metered: true,
    modelObserved: subject.modelRequested === null ? [] : [subject.modelRequested],
    unpinned: [],
    findings: 0,
    recordingDigest: null,
    fault: null,
    startedAt: now,
    subjectMs: 0,
    totalMs: 0,
    steps: null,
    tokens: null,
    costMicroUsd: null,
    provenance: 'local',
  }))
}
