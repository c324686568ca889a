import type { Answer } from '../statistics/answer.ts'
import { detectableByMcNemar } from '../statistics/mcnemar-power.ts'
import { normalQuantile } from '../statistics/normal-quantile.ts'
import {
  detectableDifference,
  expectedHalfWidth,
  type PowerDesign,
  tasksNeeded,
} from '../statistics/plan-power.ts'
import { CONFIDENCE } from '../statistics/proportion-interval.ts'
import { detectableBySimulation, POWER_SIMULATION } from '../statistics/simulated-power.ts'
import { tQuantile } from '../statistics/t-quantile.ts'
import type { Assumptions } from './assume-variances.ts'

/** What a figure of the planner rests on: a two-sided test at 5 %, with 80 % chance to find a real difference. */
export const POWER = { alpha: 0.05, power: 0.8 } as const

/** A figure on the 0–1 scale, or the reason why there is none. */
export type Figure = { value: number | null; reason: string | null }

export type Size = { tasks: number; repetitions: number }

/** The ranked rows that a planned one would join, itself included, and the level at which one of their pairs is judged. */
export type Pool = { rows: number; pairs: number; alpha: number }

/**
 * Holm over the pairs of a pool judges the clearest of them at alpha / pairs and each further one less strictly: a plan
 * counts on the strictest step.
 */
export function poolOf(rows: number): Pool {
  const size = Math.max(2, rows)
  const pairs = (size * (size - 1)) / 2
  return { rows: size, pairs, alpha: POWER.alpha / pairs }
}

/** Expected half width of the row's 95 % interval. */
export function findHalfWidth({ tasks, repetitions }: Size, assumed: Assumptions): Figure {
  const { vSquared, sSquaredA: sSquared } = assumed
  return asFigure(expectedHalfWidth({ tasks, repetitions, vSquared, sSquared, level: CONFIDENCE }))
}

/**
 * The smallest true difference that this size would find against a rival of the same size, by the power of the test that
 * decides: summed for one repetition, simulated for more. `isRough`: with a quarter of the rounds.
 */
export function findDetectable(
  size: Size,
  assumed: Assumptions,
  { pool = poolOf(2), isRough = false }: { pool?: Pool; isRough?: boolean } = {},
): Figure {
  const design = designOf(size, assumed, pool)
  const { rounds, seed } = POWER_SIMULATION
  const figure = asFigure(
    size.repetitions === 1 && size.tasks <= MOST_EXACT_TASKS
      ? detectableByMcNemar(design)
      : detectableBySimulation(design, { rounds: isRough ? rounds / 4 : rounds, seed }),
  )
  if (figure.value === null || figure.value <= 1) return figure
  return { value: null, reason: 'There are too few episodes to detect any difference.' }
}

/** What is left with endless repetitions: the tasks themselves are a sample. By the formula with t quantiles. */
export function findFloor(
  { tasks }: Pick<Size, 'tasks'>,
  assumed: Assumptions,
  pool = poolOf(2),
): Figure {
  const design = designOf({ tasks, repetitions: ENDLESS }, assumed, pool)
  const figure = asFigure(detectableDifference(design))
  if (figure.value === null || tasks < 2) return figure
  return { ...figure, value: figure.value * fewTasksFactor(tasks, design) }
}

/** Tasks needed to find a difference of 0–1 with this many repetitions. By the formula with t quantiles. */
export function findTasksNeeded(
  difference: number,
  repetitions: number,
  assumed: Assumptions,
  pool = poolOf(2),
): Figure {
  const { tasks: _, ...design } = designOf({ tasks: 1, repetitions }, assumed, pool)
  const needed = asFigure(tasksNeeded(difference, design))
  if (needed.value === null) return needed
  let tasks = Math.max(2, Math.ceil(needed.value))
  for (let step = 0; step < 5; step++) {
    tasks = Math.max(2, Math.ceil(needed.value * fewTasksFactor(tasks, design) ** 2))
  }
  return { ...needed, value: tasks }
}

const ENDLESS = 1e9
/** Beyond, the simulation says the same as the exact test. */
const MOST_EXACT_TASKS = 400

/** By how much t quantiles exceed normal ones. */
function fewTasksFactor(tasks: number, { alpha, power }: { alpha: number; power: number }): number {
  const byT = tQuantile(1 - alpha / 2, tasks - 1) + tQuantile(power, tasks - 1)
  return byT / (normalQuantile(1 - alpha / 2) + normalQuantile(power))
}

function designOf(
  { tasks, repetitions }: Size,
  { wSquared, sSquaredA, sSquaredB }: Assumptions,
  { alpha }: Pool,
): PowerDesign {
  const rows = { repetitionsA: repetitions, repetitionsB: repetitions }
  return { tasks, ...rows, wSquared, sSquaredA, sSquaredB, alpha, power: POWER.power }
}

function asFigure(answer: Answer<number>): Figure {
  return answer.ok
    ? { value: answer.value, reason: null }
    : { value: null, reason: answer.refusal.reason }
}
