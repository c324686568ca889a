import { z } from 'zod'
import {
  detectableDifference,
  fewTasksFactor,
  POWER_SIMULATION,
  type PowerDesign,
  simulatedPower,
  wholeTasksNeeded,
} from '../statistics/index.ts'
import { countOf, formatCost } from '../text/index.ts'
import { type Assumptions, POWER, type Pool } from './find-power.ts'

const count = z.number().int().positive()

/** A plan of two sides and what it would find; all shares in 0–1. */
const sizeSchema = z.object({
  tasks: count,
  repetitions: count,
  /** The sum of both sides. */
  episodes: count,
  /** Chance to find the difference if it is there. */
  power: z.number(),
  costMicroUsd: z.number().nullable(),
})

/** The cheapest plan for a wanted verdict, and the best one for the money where that costs more. */
export const cheapestPlanSchema = z.object({
  difference: z.number(),
  budgetMicroUsd: z.number().nullable(),
  /** Null = these tasks cannot detect it, however often they are repeated. */
  plan: sizeSchema.nullable(),
  isWithinBudget: z.boolean(),
  /** The largest plan that the budget pays for; null = not needed, or it pays for none. */
  affordable: sizeSchema.nullable(),
  /** Tasks that would be needed with three repetitions, where `plan` is null. */
  tasksNeeded: count.nullable(),
  sentence: z.string(),
})
export type CheapestPlan = z.infer<typeof cheapestPlanSchema>

/** Repetitions of each task that are tried; each further one buys less. */
const REPETITIONS = [1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 30, 50, 100]
/** Simulations at most, and their rounds: to half a point. */
const MAX_STEPS = 12
const ROUNDS = 2_000

export type PlanTarget = {
  /** The difference to detect, 0–1. */
  difference: number
  /** The budget of both sides together; null = no limit. */
  budgetMicroUsd: number | null
}

/**
 * The fewest episodes of two sides that find a difference with 80 % power: tasks of the suite times repetitions. `alpha` is the
 * level of the pair in its pool, `costPerEpisode` in micro-dollars, null = unknown.
 */
export function cheapestPlan(
  { difference, budgetMicroUsd }: PlanTarget,
  {
    tasks: available,
    assumed,
    pool: { alpha },
    costPerEpisode,
  }: { tasks: number; assumed: Assumptions; pool: Pool; costPerEpisode: number | null },
): CheapestPlan {
  const { wSquared, sSquaredA, sSquaredB } = assumed
  const variances = { wSquared, sSquaredA, sSquaredB, alpha, power: POWER.power }
  const sizeOf = (tasks: number, repetitions: number, power: number) => {
    const episodes = 2 * tasks * repetitions
    const cost = costPerEpisode === null ? null : Math.round(episodes * costPerEpisode)
    return { tasks, repetitions, episodes, power, costMicroUsd: cost }
  }
  const found = findSmallest(difference, variances, available)
  const plan = found && sizeOf(found.tasks, found.repetitions, found.power)
  const isWithinBudget =
    plan !== null &&
    (budgetMicroUsd === null || (plan.costMicroUsd !== null && plan.costMicroUsd <= budgetMicroUsd))
  const best =
    isWithinBudget || budgetMicroUsd === null || !costPerEpisode
      ? null
      : findAffordable(Math.floor(budgetMicroUsd / costPerEpisode), variances, available)
  const affordable =
    best && sizeOf(best.tasks, best.repetitions, powerOf(difference, variances, best))
  const more = plan ? null : wholeTasksNeeded(difference, { ...variances, ...repeated(3) })
  const tasksNeeded = more?.ok ? Math.ceil(more.value) : null
  const facts = { difference, budgetMicroUsd, plan, isWithinBudget, affordable, tasksNeeded }
  return { ...facts, sentence: sentenceOf(facts, available) }
}

type Variances = Omit<PowerDesign, 'tasks' | 'repetitionsA' | 'repetitionsB'>
type Size = { tasks: number; repetitions: number }

const repeated = (repetitions: number) => ({
  repetitionsA: repetitions,
  repetitionsB: repetitions,
})

function findSmallest(
  difference: number,
  variances: Variances,
  available: number,
): (Size & { power: number }) | null {
  const sizes = REPETITIONS.flatMap((repetitions): Size[] => {
    const needed = wholeTasksNeeded(difference, { ...variances, ...repeated(repetitions) })
    return needed.ok && needed.value <= available ? [{ tasks: needed.value, repetitions }] : []
  })
  sizes.sort((a, b) => a.tasks * a.repetitions - b.tasks * b.repetitions || b.tasks - a.tasks)
  let [size] = sizes
  if (!size) return null
  for (let step = 0; step < MAX_STEPS; step++) {
    const power = powerOf(difference, variances, size)
    if (power >= variances.power || step === MAX_STEPS - 1) return { ...size, power }
    size =
      size.tasks < available
        ? { ...size, tasks: size.tasks + 1 }
        : { ...size, repetitions: size.repetitions + 1 }
  }
  return null
}

/** The size of at most so many episodes that detects the smallest difference. */
function findAffordable(episodes: number, variances: Variances, available: number): Size | null {
  const sizes = REPETITIONS.flatMap((repetitions): Size[] => {
    const tasks = Math.min(available, Math.floor(episodes / 2 / repetitions))
    return tasks >= 2 ? [{ tasks, repetitions }] : []
  })
  const detects = ({ tasks, repetitions }: Size) => {
    const found = detectableDifference({ ...variances, tasks, ...repeated(repetitions) })
    return found.ok ? found.value * fewTasksFactor(tasks, variances) : Number.POSITIVE_INFINITY
  }
  sizes.sort((a, b) => detects(a) - detects(b))
  return sizes[0] ?? null
}

function powerOf(difference: number, variances: Variances, { tasks, repetitions }: Size): number {
  const { seed } = POWER_SIMULATION
  return simulatedPower(
    difference,
    { ...variances, tasks, ...repeated(repetitions) },
    { rounds: ROUNDS, seed },
  )
}

/** `To detect 10 points: 60 tasks × 2 × 2 sides, 240 episodes, about $26, power 81 %.` */
function sentenceOf(
  {
    difference,
    budgetMicroUsd,
    plan,
    isWithinBudget,
    affordable,
    tasksNeeded,
  }: Omit<CheapestPlan, 'sentence'>,
  available: number,
): string {
  const goal = `To detect ${countOf(Math.round(100 * difference), 'point')}`
  const budget = budgetMicroUsd === null ? '' : formatCost(budgetMicroUsd)
  const bought = affordable ? ` For ${budget}: ${sizeWords(affordable)}.` : ''
  if (plan === null) {
    const needed =
      tasksNeeded === null
        ? 'more tasks are needed'
        : `about ${countOf(tasksNeeded, 'task')} × 3 would`
    return `${goal}, ${countOf(available, 'task')} are too few, however often they are repeated; ${needed}.${bought}`
  }
  const more =
    isWithinBudget || budgetMicroUsd === null
      ? ''
      : plan.costMicroUsd === null
        ? ` The cost is unknown, so it cannot be compared with ${budget}.`
        : ` That is more than ${budget}.`
  return `${goal}: ${sizeWords(plan)}.${more}${bought}`
}

function sizeWords({
  tasks,
  repetitions,
  episodes,
  power,
  costMicroUsd,
}: NonNullable<CheapestPlan['plan']>): string {
  const cost = costMicroUsd ? `, about ${formatCost(costMicroUsd)}` : ''
  return `${countOf(tasks, 'task')} × ${repetitions} × 2 sides, ${countOf(episodes, 'episode')}${cost}, power ${Math.round(100 * power)} %`
}
