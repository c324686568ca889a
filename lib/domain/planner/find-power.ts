import type { Answer } from '../statistics/answer.ts'
import { detectableByMcNemar } from '../statistics/mcnemar-power.ts'
import {
  detectableDifference,
  expectedHalfWidth,
  type PowerDesign,
  tasksNeeded,
} from '../statistics/plan-power.ts'
import { CONFIDENCE } from '../statistics/proportion-interval.ts'
import type { Assumptions } from './assume-variances.ts'

/** What a figure of the planner rests on: a two-sided test at 5 %, with 80 % chance to find a real difference. */
export const POWER = { alpha: 0.05, power: 0.8 } as const

/** A figure on the 0–1 scale, or the reason why there is none. */
export type Figure = { value: number | null; reason: string | null }

export type Size = { tasks: number; repetitions: number }

/** Expected half width of the row's 95 % interval. */
export function findHalfWidth({ tasks, repetitions }: Size, assumed: Assumptions): Figure {
  const { vSquared, sSquaredA: sSquared } = assumed
  return asFigure(expectedHalfWidth({ tasks, repetitions, vSquared, sSquared, level: CONFIDENCE }))
}

/** The smallest true difference that this size would find against a rival of the same size. */
export function findDetectable(size: Size, assumed: Assumptions): Figure {
  const design = designOf(size, assumed)
  const figure = asFigure(
    size.repetitions === 1 && size.tasks <= MOST_EXACT_TASKS
      ? detectableByMcNemar(design)
      : detectableDifference(design),
  )
  if (figure.value === null || figure.value <= 1) return figure
  return { value: null, reason: 'No difference is large enough to be found with so few samples.' }
}

/** What is left with endless repetitions: the tasks themselves are a sample. */
export function findFloor({ tasks }: Pick<Size, 'tasks'>, assumed: Assumptions): Figure {
  return asFigure(detectableDifference(designOf({ tasks, repetitions: ENDLESS }, assumed)))
}

/** Tasks needed to find a difference of 0–1 with this many repetitions. */
export function findTasksNeeded(
  difference: number,
  repetitions: number,
  assumed: Assumptions,
): Figure {
  const { tasks: _, ...design } = designOf({ tasks: 1, repetitions }, assumed)
  const needed = asFigure(tasksNeeded(difference, design))
  return needed.value === null ? needed : { ...needed, value: Math.max(2, Math.ceil(needed.value)) }
}

const ENDLESS = 1e9
/** Beyond, the normal formula says the same as the exact test, at once. */
const MOST_EXACT_TASKS = 400

function designOf({ tasks, repetitions }: Size, assumed: Assumptions): PowerDesign {
  const { wSquared, sSquaredA, sSquaredB } = assumed
  const rows = { repetitionsA: repetitions, repetitionsB: repetitions }
  return { tasks, ...rows, wSquared, sSquaredA, sSquaredB, ...POWER }
}

function asFigure(answer: Answer<number>): Figure {
  return answer.ok
    ? { value: answer.value, reason: null }
    : { value: null, reason: answer.refusal.reason }
}
