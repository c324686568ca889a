import {
  type BuildBoardInput,
  boardPolicy,
  buildPlannedSlots,
  type PriceUsage,
  suiteKinds,
} from '../board/index.ts'
import {
  decideEligibility,
  type EligibilityContext,
  findMisuse,
  POLICY,
  type Policy,
  type RuleRefusal,
} from '../eligibility/index.ts'
import {
  type EpisodeFact,
  expandPlan,
  freezePlan,
  type PlanDraft,
  type Subject,
} from '../record/index.ts'
import { type CheapestPlan, cheapestPlan, type PlanTarget } from './cheapest-plan.ts'
import {
  type Assumptions,
  assumeVariances,
  findDetectable,
  findFloor,
  findHalfWidth,
  findTasksNeeded,
  type Pool,
  type PowerMetric,
  type PreviousRow,
  poolOf,
} from './find-power.ts'
import type { Quote } from './first-guess.ts'
import type { PreviousEpisode } from './quote.ts'
import { quoteCost, quoteTime } from './quote.ts'

export type PlanQuestion = {
  plan: PlanDraft
  suite: BuildBoardInput['suite']
  /** A past row of the same subject, and the row to compare with; null = none. */
  own: PreviousRow | null
  competitor: PreviousRow | null
  /** Number of ranked rows in the planned row's pool, including itself; unknown = a pair. */
  poolRows?: number
  /** The ranked rows themselves; empty or absent = nothing is learned of their differences. */
  pool?: readonly PreviousRow[]
  /** The difference to detect, and for how much; absent = no plan is searched. */
  wanted?: PlanTarget
  /** Scored episodes on this suite. */
  past: readonly PreviousEpisode[]
  price: PriceUsage
  concurrency: number
  now: string
  policy?: Policy
}

/** The same plan with another number of repetitions. */
export type Alternative = {
  repetitions: number
  episodes: number
  detectable: PowerMetric
  halfWidth: PowerMetric
  costMicroUsd: number | null
  isPlanned: boolean
}

/** Estimated evidence and cost of a plan, before anything runs. Rates and differences are in 0–1. */
export type Explanation = ReturnType<typeof explainPlan>

const REPETITIONS = [1, 2, 3, 5, 10, 20]
const DIFFERENCES = [0.05, 0.1]

/** Explains a plan of whole repetitions (no top-up): its size, the claim it may become, its power, cost and time. */
export function explainPlan(question: PlanQuestion) {
  const { plan, suite, own, competitor, past, concurrency, now, policy = POLICY } = question
  const pool = poolOf(Math.max(question.poolRows ?? 2, plan.arms?.length ?? 1))
  const { repetitions } = plan
  const tasks = plan.tasks.length
  const arms = plan.arms?.length ?? 1
  const episodes = tasks * repetitions * arms
  const assumptions = assumeVariances(own, competitor, question.pool)
  const detectable = findDetectable({ tasks, repetitions }, assumptions, { pool })
  return {
    episodes,
    tasks,
    suiteTasks: suite.tasks.length,
    repetitions,
    /** Names of the plan's arms; empty = the plan is one entry. */
    arms: plan.arms?.map(({ name }) => name) ?? [],
    concurrency,
    thresholds: boardPolicy({ policy, suite }).thresholds,
    gate: forecastGate({ plan, suite, policy, now }),
    halfWidth: findHalfWidth({ tasks, repetitions }, assumptions),
    detectable,
    /** The difference that stays undetected with any number of repetitions. */
    floor: findFloor({ tasks }, assumptions, pool),
    /** The pool whose family-wise error the detectable differences take into account. */
    pool,
    assumptions,
    alternatives: listAlternatives(question, assumptions, { pool, detectable }),
    tasksNeeded: DIFFERENCES.map((difference) => ({
      difference,
      tasks: findTasksNeeded(difference, repetitions, assumptions, pool),
    })),
    cost: costOf(question, repetitions),
    time: quoteTime({ ...sizeOf(question, repetitions), plan, past, concurrency }),
    ...findCheapest(question, { pool, assumptions, episodes }),
  }
}

/** The tasks are those that the plan chose. */
function findCheapest(
  question: PlanQuestion,
  { pool, assumptions, episodes }: { pool: Pool; assumptions: Assumptions; episodes: number },
): { cheapest?: CheapestPlan } {
  const { plan, wanted } = question
  if (wanted === undefined) return {}
  const { expected } = costOf(question, plan.repetitions)
  const around = { tasks: plan.tasks.length, assumed: assumptions, pool }
  const costPerEpisode = expected === null ? null : expected / episodes
  return { cheapest: cheapestPlan(wanted, { ...around, costPerEpisode }) }
}

function costOf(question: PlanQuestion, episodes: number): Quote {
  const { plan, past, price, now } = question
  return quoteCost({ ...sizeOf(question, episodes), plan, past, price, now })
}

/** The planned tasks with their episodes, and the suite's data about them. */
function sizeOf({ plan, suite }: PlanQuestion, episodes: number) {
  const all = episodes * (plan.arms?.length ?? 1)
  return { tasks: plan.tasks.map(({ taskId }) => ({ taskId, episodes: all })), known: suite.tasks }
}

function listAlternatives(
  question: PlanQuestion,
  assumptions: Assumptions,
  { pool, detectable }: { pool: Pool; detectable: PowerMetric },
): Alternative[] {
  const { plan } = question
  const tasks = plan.tasks.length
  const once = costOf(question, 1).expected
  const numbers = [...new Set([...REPETITIONS, plan.repetitions])].sort((a, b) => a - b)
  return numbers.map((repetitions) => ({
    repetitions,
    episodes: tasks * repetitions * (plan.arms?.length ?? 1),
    detectable:
      repetitions === plan.repetitions
        ? detectable
        : findDetectable({ tasks, repetitions }, assumptions, { pool, isRough: true }),
    halfWidth: findHalfWidth({ tasks, repetitions }, assumptions),
    costMicroUsd: once === null ? null : once * repetitions,
    isPlanned: repetitions === plan.repetitions,
  }))
}

type GateForecast = {
  /** Refusals of the eligibility rules if every planned episode is scored. */
  aggregate: RuleRefusal[]
  /** Refusals of a claim about a single task, about samples only; the others are in `aggregate`. */
  perTask: RuleRefusal[]
}

type Question = { plan: PlanDraft; suite: BuildBoardInput['suite']; policy: Policy; now: string }

/** Applies the eligibility rules to the best possible outcome of a plan. */
function forecastGate({ plan, suite, policy, now }: Question): GateForecast {
  const tightened = boardPolicy({ policy, suite })
  const { perTaskEpisodes, aggregateEpisodes } = tightened.thresholds
  // More than either threshold requires changes nothing.
  const max = Math.max(perTaskEpisodes, aggregateEpisodes)
  // Every arm is an entry of the same size, so one of them represents all.
  const { arms: _, ...one } = plan
  const repetitions = Math.min(plan.repetitions, max)
  const frozen = freezePlan({ ...one, repetitions, subject: asFound(plan.subject) }, { now })
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
  }
  const facts = imagineFacts(run.runId, frozen, now)
  const { refusals } = decideEligibility(facts, context)
  return { aggregate: refusals.filter(isForPlan), perTask: askPerTask(facts, context) }
}

/** The runner resolves versions that a plan leaves open, and records what is installed. */
function asFound(subject: Subject): Subject {
  const { kind, version, adapterVersion } = subject
  return {
    ...subject,
    version: version ?? 'found',
    adapterVersion: kind === 'library' ? (adapterVersion ?? 'found') : adapterVersion,
  }
}

/** The responding model is known only during the run; `llm-pins` reports a plan without a model. */
function isForPlan({ code }: RuleRefusal): boolean {
  return code !== 'model-observed'
}

function askPerTask(facts: readonly EpisodeFact[], context: EligibilityContext): RuleRefusal[] {
  const [first] = facts
  if (!first) return []
  const { taskId, taskDigest: digest } = first
  const own = facts.filter((fact) => fact.taskId === taskId)
  const aboutOne = { ...context, claim: 'task' as const, suiteTasks: [{ taskId, digest }] }
  const planned = context.planned.filter((slot) => slot.taskId === taskId)
  const { refusals } = decideEligibility(own, { ...aboutOne, planned })
  return refusals.filter(({ code }) => code === 'samples')
}

/** Builds the best possible episodes: solved, in the best mode of their subject, by the requested model. */
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
