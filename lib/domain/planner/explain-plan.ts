import type { BuildBoardInput } from '../board/build-board-input.ts'
import { boardPolicy } from '../board/build-eligibility.ts'
import type { PriceUsage } from '../cost/price.ts'
import { POLICY, type Policy, type Thresholds } from '../eligibility/policy.ts'
import type { PlanDraft } from '../plan.ts'
import { type Assumptions, assumeVariances, type PastRow } from './assume-variances.ts'
import {
  type Figure,
  findDetectable,
  findFloor,
  findHalfWidth,
  findTasksNeeded,
  type Pool,
  poolOf,
} from './find-power.ts'
import { forecastGate, type GateForecast } from './forecast-gate.ts'
import type { PastEpisode } from './past-episode.ts'
import type { Quote } from './quote.ts'
import { quoteCost } from './quote-cost.ts'
import { quoteTime } from './quote-time.ts'

export type PlanQuestion = {
  plan: PlanDraft
  suite: BuildBoardInput['suite']
  /** A past row of the same subject, and the row to be told apart from; null = none. */
  own: PastRow | null
  rival: PastRow | null
  /** Ranked rows among which the planned one would stand, itself included; a pair where nobody knows. */
  poolRows?: number
  /** Scored episodes on this suite. */
  past: readonly PastEpisode[]
  price: PriceUsage
  concurrency: number
  now: string
  policy?: Policy
}

/** The same plan with another number of repetitions. */
export type Alternative = {
  repetitions: number
  episodes: number
  detectable: Figure
  halfWidth: Figure
  costMicroUsd: number | null
  isPlanned: boolean
}

/** What a plan can show and what it takes, before anything runs. Rates and differences lie in 0–1. */
export type Explanation = {
  episodes: number
  tasks: number
  suiteTasks: number
  repetitions: number
  concurrency: number
  thresholds: Thresholds
  gate: GateForecast
  halfWidth: Figure
  detectable: Figure
  /** The difference that stays undetected however often each task is repeated. */
  floor: Figure
  /** The pool whose family-wise error the detectable differences take into account. */
  pool: Pool
  assumptions: Assumptions
  alternatives: Alternative[]
  tasksNeeded: { difference: number; tasks: Figure }[]
  cost: Quote
  time: Quote
}

const REPETITIONS = [1, 2, 3, 5, 10, 20]
const DIFFERENCES = [0.05, 0.1]

/** Explains a plan of whole repetitions (no top-up): its size, the claim it may become, its power, cost and time. Pure. */
export function explainPlan(question: PlanQuestion): Explanation {
  const { plan, suite, own, rival, past, concurrency, now, policy = POLICY } = question
  const pool = poolOf(question.poolRows ?? 2)
  const { repetitions } = plan
  const tasks = plan.tasks.length
  const episodes = tasks * repetitions
  const assumptions = assumeVariances(own, rival)
  const detectable = findDetectable({ tasks, repetitions }, assumptions, { pool })
  return {
    episodes,
    tasks,
    suiteTasks: suite.tasks.length,
    repetitions,
    concurrency,
    thresholds: boardPolicy({ policy, suite }).thresholds,
    gate: forecastGate({ plan, suite, policy, now }),
    halfWidth: findHalfWidth({ tasks, repetitions }, assumptions),
    detectable,
    floor: findFloor({ tasks }, assumptions, pool),
    pool,
    assumptions,
    alternatives: listAlternatives(question, assumptions, { pool, detectable }),
    tasksNeeded: DIFFERENCES.map((difference) => ({
      difference,
      tasks: findTasksNeeded(difference, repetitions, assumptions, pool),
    })),
    cost: costOf(question, repetitions),
    time: quoteTime({ plan, episodes, past, concurrency }),
  }
}

function costOf({ plan, past, price, now }: PlanQuestion, episodes: number): Quote {
  const tasks = plan.tasks.map(({ taskId }) => ({ taskId, episodes }))
  return quoteCost({ plan, tasks, past, price, now })
}

function listAlternatives(
  question: PlanQuestion,
  assumptions: Assumptions,
  { pool, detectable }: Pick<Explanation, 'pool' | 'detectable'>,
): Alternative[] {
  const { plan } = question
  const tasks = plan.tasks.length
  const once = costOf(question, 1).expected
  const numbers = [...new Set([...REPETITIONS, plan.repetitions])].sort((a, b) => a - b)
  return numbers.map((repetitions) => ({
    repetitions,
    episodes: tasks * repetitions,
    detectable:
      repetitions === plan.repetitions
        ? detectable
        : findDetectable({ tasks, repetitions }, assumptions, { pool, isRough: true }),
    halfWidth: findHalfWidth({ tasks, repetitions }, assumptions),
    costMicroUsd: once === null ? null : once * repetitions,
    isPlanned: repetitions === plan.repetitions,
  }))
}
