import { tQuantile } from './distributions.ts'
import { CONFIDENCE } from './intervals.ts'
import { MIN_ROWS } from './item-statistics.ts'

/** Minimum number of tasks that a row must share with other rows for a prediction of its other tasks. */
const MIN_SHARED_TASKS = 5

/** One row: its scored and solved episodes of each task, by the task's digest. */
export type EffectRow = ReadonlyMap<string, { solved: number; scored: number }>

/** Success rate of a row on the reference tasks, 0–1, with a 95 % interval. */
export type ModelledRate = {
  /** Numbers of reference tasks that the row ran, and of those that were predicted. */
  measured: number
  predicted: number
  rate: number
  low: number
  high: number
}

const MAX_ROUNDS = 40
/** Bounds of the estimated variances, in squared logits. */
const [MIN_VARIANCE, MAX_VARIANCE] = [0.01, 25]
const MAX_STEP = 2

/**
 * Predicts each row's success rate on `reference`. Model: the log odds of success are the sum of the row's ability and
 * the task's easiness, both from normal distributions with estimated variances. A task that the row ran counts with its
 * own results. The interval contains the noise of episodes, the uncertainty of the effects, inflated by the
 * overdispersion of the results, and the spread of single chances around the model; it is wider with few rows (Student's
 * t). Null for a row that shares fewer than five tasks with other rows, and for all rows if fewer than three do.
 * Sources: Rasch's model with empirical Bayes as in Bock and Aitkin, Psychometrika 46 (1981), by Laplace's
 * approximation; overdispersion as in Wedderburn, Biometrika 61 (1974).
 */
export function modelRates(
  rows: readonly EffectRow[],
  reference: readonly string[],
): (ModelledRate | null)[] {
  const used = rows.filter((row) => countShared(row, rows) >= MIN_SHARED_TASKS)
  if (used.length < MIN_ROWS) return rows.map(() => null)
  const tasks = [...new Set([...used.flatMap((row) => [...row.keys()]), ...reference])]
  const cells = used.map((row) => tasks.map((task): Cell => readCell(row.get(task))))
  const model = fitModel(cells)
  const places = reference.map((task) => tasks.indexOf(task))
  return rows.map((row) => {
    const at = used.indexOf(row)
    return at < 0 ? null : predict(model, at, places)
  })
}

function countShared(row: EffectRow, rows: readonly EffectRow[]): number {
  const hasRun = (one: EffectRow, task: string) => (one.get(task)?.scored ?? 0) > 0
  const others = rows.filter((other) => other !== row)
  const isShared = (task: string) => hasRun(row, task) && others.some((one) => hasRun(one, task))
  return [...row.keys()].filter(isShared).length
}

/** Scored episodes of one row on one task, their mean, the chance by the model, and the information of the episodes. */
type Cell = { scored: number; mean: number; chance: number; weight: number }

function readCell(count: { solved: number; scored: number } | undefined): Cell {
  const { solved = 0, scored = 0 } = count ?? {}
  return { scored, mean: scored === 0 ? 0 : solved / scored, chance: 0.5, weight: 0 }
}

type Model = Effects & {
  cells: readonly (readonly Cell[])[]
  covariance: Covariance
  /** Variance of the results divided by that of independent episodes, at least 1. */
  overdispersion: number
  /** Variance of a row's chance on one task around the model. */
  spread: number
}

type Effects = {
  abilities: number[]
  easiness: number[]
  meanAbility: number
  abilityVariance: number
  easinessVariance: number
}

/** Finds the most probable effects by Newton's method while it estimates the variances (EM). Changes `cells`. */
function fitModel(cells: Cell[][]): Model {
  const effects: Effects = {
    abilities: cells.map(() => 0),
    easiness: (cells[0] ?? []).map(() => 0),
    meanAbility: 0,
    abilityVariance: 1,
    easinessVariance: 1,
  }
  let covariance = invertInformation(effects, cells)
  for (let round = 0; round < MAX_ROUNDS; round++) {
    updateChances(effects, cells)
    covariance = invertInformation(effects, cells)
    const step = moveEffects(effects, cells, covariance)
    const change = updateVariances(effects, covariance)
    if (step < 1e-5 && change < 1e-2) break
  }
  updateChances(effects, cells)
  return { ...effects, cells, covariance, ...readResiduals(cells) }
}

function updateChances({ abilities, easiness }: Effects, cells: Cell[][]): void {
  cells.forEach((row, i) => {
    row.forEach((cell, j) => {
      cell.chance = 1 / (1 + Math.exp(-at(abilities, i) - at(easiness, j)))
      cell.weight = cell.scored * cell.chance * (1 - cell.chance)
    })
  })
}

/** Inverse of the information: of the abilities, and of each task with the abilities held fixed. */
type Covariance = { abilities: number[][]; tasks: number[] }

/** Eliminates the tasks, whose part of the information is diagonal (Schur complement). */
function invertInformation(
  { abilityVariance, easinessVariance, easiness }: Effects,
  cells: readonly (readonly Cell[])[],
): Covariance {
  const tasks = easiness.map(
    (_, j) => 1 / (1 / easinessVariance + sum(cells.map((row) => cellAt(row, j).weight))),
  )
  const information = cells.map((row, i) =>
    cells.map((other, k) => {
      if (k < i) return 0
      const own = k === i ? 1 / abilityVariance + sum(row.map(({ weight }) => weight)) : 0
      let shared = 0
      for (let j = 0; j < row.length; j++)
        shared += cellAt(row, j).weight * cellAt(other, j).weight * at(tasks, j)
      return own - shared
    }),
  )
  return { abilities: invertSymmetric(information), tasks }
}

/** Moves the effects by one step of Newton's method. Returns the largest change. */
function moveEffects(
  effects: Effects,
  cells: readonly (readonly Cell[])[],
  covariance: Covariance,
) {
  const { abilities, easiness, meanAbility, abilityVariance, easinessVariance } = effects
  const excess = cells.map((row) => row.map(({ scored, mean, chance }) => scored * (mean - chance)))
  const pulls = abilities.map(
    (ability, i) => sum(excess[i] ?? []) - (ability - meanAbility) / abilityVariance,
  )
  const taskPulls = easiness.map(
    (value, j) => sum(excess.map((row) => at(row, j))) - value / easinessVariance,
  )
  const reduced = pulls.map(
    (pull, i) =>
      pull -
      sum(taskPulls.map((one, j) => cellOf(cells, i, j).weight * at(covariance.tasks, j) * one)),
  )
  const steps = covariance.abilities.map((row) => limit(dot(row, reduced)))
  const taskSteps = taskPulls.map((pull, j) =>
    limit(
      at(covariance.tasks, j) *
        (pull - sum(steps.map((one, i) => cellOf(cells, i, j).weight * one))),
    ),
  )
  effects.abilities = abilities.map((value, i) => value + at(steps, i))
  effects.easiness = easiness.map((value, j) => value + at(taskSteps, j))
  return Math.max(...steps.map(Math.abs), ...taskSteps.map(Math.abs))
}

/** Estimates the mean and the variances from the effects and their uncertainty. Returns the largest relative change. */
function updateVariances(effects: Effects, { abilities, tasks }: Covariance): number {
  const before = [effects.abilityVariance, effects.easinessVariance] as const
  const mean = meanOf(effects.abilities)
  effects.meanAbility = mean
  effects.abilityVariance = keepWithin(
    meanOf(effects.abilities.map((value, i) => (value - mean) ** 2 + at(abilities[i] ?? [], i))),
  )
  effects.easinessVariance = keepWithin(
    meanOf(effects.easiness.map((value, j) => value ** 2 + at(tasks, j))),
  )
  return Math.max(
    Math.abs(effects.abilityVariance / before[0] - 1),
    Math.abs(effects.easinessVariance / before[1] - 1),
  )
}

/** Compares the results with the model; each effect costs one degree of freedom. */
function readResiduals(
  cells: readonly (readonly Cell[])[],
): Pick<Model, 'overdispersion' | 'spread'> {
  const known = cells.flat().filter(({ scored }) => scored > 0)
  const effects = cells.length + (cells[0]?.length ?? 0)
  const correction = known.length / Math.max(1, known.length - effects)
  const squares = known.map(({ mean, chance }) => (mean - chance) ** 2)
  const noise = known.map(({ scored, chance }) => (chance * (1 - chance)) / scored)
  const weighted = sum(known.map(({ scored }, i) => scored ** 2 * at(squares, i)))
  const information = sum(known.map(({ weight }) => weight))
  return {
    overdispersion: Math.max(1, (correction * weighted) / information),
    spread: Math.max(0, correction * meanOf(squares) - meanOf(noise)),
  }
}

function predict(model: Model, i: number, places: readonly number[]): ModelledRate {
  const row = model.cells[i] ?? []
  const measured = places.filter((j) => cellAt(row, j).scored > 0)
  const predicted = places.filter((j) => cellAt(row, j).scored === 0)
  const rate =
    (sum(measured.map((j) => cellAt(row, j).mean)) +
      sum(predicted.map((j) => cellAt(row, j).chance))) /
    places.length
  const noise = sum(measured.map((j) => variance(cellAt(row, j)) / cellAt(row, j).scored))
  const deviation = Math.sqrt(
    noise + predictionVariance(model, i, { measured, predicted }) + predicted.length * model.spread,
  )
  const width =
    (tQuantile((1 + CONFIDENCE) / 2, model.cells.length - 1) * deviation) / places.length
  return {
    measured: measured.length,
    predicted: predicted.length,
    rate,
    low: Math.max(0, rate - width),
    high: Math.min(1, rate + width),
  }
}

/** Variance of the sum of the predicted chances, and twice its covariance with the sum of the measured means. */
function predictionVariance(
  { cells, covariance, overdispersion, abilities }: Model,
  i: number,
  { measured, predicted }: { measured: readonly number[]; predicted: readonly number[] },
): number {
  const row = cells[i] ?? []
  const slopes = new Map(predicted.map((j) => [j, variance(cellAt(row, j))]))
  // Gradient over the abilities after the tasks are eliminated.
  const gradient = abilities.map((_, k) => {
    const own = k === i ? sum([...slopes.values()]) : 0
    const other = cells[k] ?? []
    return (
      own -
      sum(
        [...slopes].map(([j, slope]) => slope * at(covariance.tasks, j) * cellAt(other, j).weight),
      )
    )
  })
  const shifts = covariance.abilities.map((line) => dot(line, gradient))
  const ofTasks = sum([...slopes].map(([j, slope]) => slope ** 2 * at(covariance.tasks, j)))
  const common = sum(measured.map((j) => variance(cellAt(row, j)))) * at(shifts, i)
  return overdispersion * (dot(gradient, shifts) + ofTasks + 2 * Math.max(0, common))
}

/** Inverts a positive definite matrix, of which the upper triangle is given (Gauss and Jordan). */
function invertSymmetric(upper: readonly (readonly number[])[]): number[][] {
  const size = upper.length
  // Each line with its line of the unit matrix behind it.
  const lines = upper.map((row, i) => [
    ...row.map((_, k) => at(upper[Math.min(i, k)] ?? [], Math.max(i, k))),
    ...row.map((_, k) => (i === k ? 1 : 0)),
  ])
  lines.forEach((own, pivot) => {
    const scale = at(own, pivot)
    for (let k = pivot; k < own.length; k++) own[k] = at(own, k) / scale
    for (const line of lines) if (line !== own) subtract(line, own, pivot)
  })
  return lines.map((line) => line.slice(size))
}

function subtract(line: number[], own: readonly number[], pivot: number): void {
  const factor = at(line, pivot)
  for (let k = pivot; k < own.length; k++) line[k] = at(line, k) - factor * at(own, k)
}

const NO_CELL: Cell = { scored: 0, mean: 0, chance: 0, weight: 0 }
const at = (values: readonly number[], index: number) => values[index] ?? 0
const cellAt = (row: readonly Cell[], j: number) => row[j] ?? NO_CELL
const cellOf = (cells: readonly (readonly Cell[])[], i: number, j: number) =>
  cellAt(cells[i] ?? [], j)
const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)
const meanOf = (values: readonly number[]) => sum(values) / Math.max(1, values.length)
const dot = (a: readonly number[], b: readonly number[]) =>
  a.reduce((total, value, i) => total + value * at(b, i), 0)
const variance = ({ chance }: Cell) => chance * (1 - chance)
const limit = (step: number) => Math.max(-MAX_STEP, Math.min(MAX_STEP, step))
const keepWithin = (value: number) => Math.max(MIN_VARIANCE, Math.min(MAX_VARIANCE, value))
