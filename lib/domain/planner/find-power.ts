import { type BoardRow, type RankPool, rankPoolOf } from '../board/index.ts'
import { type PlanDraft, type Subject, subjectLabel } from '../record/index.ts'
import {
  ASSUMED_VARIANCES,
  CONFIDENCE,
  detectableByMcNemar,
  detectableBySimulation,
  detectableDifference,
  estimateDifferenceVariance,
  estimateVariances,
  expectedHalfWidth,
  fewTasksFactor,
  POWER_SIMULATION,
  type PowerDesign,
  pooledDifferenceVariance,
  type RowVariances,
  type StatisticResult,
  type TaskCounts,
  wholeTasksNeeded,
} from '../statistics/index.ts'
import { countOf } from '../text/index.ts'

/** Test behind the planner's figures: two-sided at 5 %, with 80 % probability of finding a real difference. */
export const POWER = { alpha: 0.05, power: 0.8 } as const

/** A figure in 0–1, or the reason why it is unknown. */
export type PowerMetric = { value: number | null; reason: string | null }

type Size = { tasks: number; repetitions: number }

/**
 * The ranked rows that a planned one would join, including itself, and the level at which one of their pairs is judged.
 */
export type Pool = { rows: number; pairs: number; alpha: number }

/**
 * Holm judges the clearest pair of a pool at alpha / pairs and each further one less strictly; a plan assumes the
 * strictest step.
 */
export function poolOf(rows: number): Pool {
  const size = Math.max(2, rows)
  const pairs = (size * (size - 1)) / 2
  return { rows: size, pairs, alpha: POWER.alpha / pairs }
}

/** Expected half width of the row's 95 % interval. */
export function findHalfWidth({ tasks, repetitions }: Size, assumed: Assumptions): PowerMetric {
  const { vSquared, sSquaredA: sSquared } = assumed
  return asFigure(expectedHalfWidth({ tasks, repetitions, vSquared, sSquared, level: CONFIDENCE }))
}

/**
 * Returns the smallest true difference that this size would find against a competitor of the same size, by the power of
 * the deciding test: summed for one repetition, simulated for more. `isRough`: with a quarter of the rounds.
 */
export function findDetectable(
  size: Size,
  assumed: Assumptions,
  { pool = poolOf(2), isRough = false }: { pool?: Pool; isRough?: boolean } = {},
): PowerMetric {
  const design = designOf(size, assumed, pool)
  const { rounds, seed } = POWER_SIMULATION
  const figure = asFigure(
    size.repetitions === 1 && size.tasks <= MAX_EXACT_TASKS
      ? detectableByMcNemar(design)
      : detectableBySimulation(design, { rounds: isRough ? rounds / 4 : rounds, seed }),
  )
  if (figure.value === null || figure.value <= 1) return figure
  return { value: null, reason: 'There are too few episodes to detect any difference.' }
}

/**
 * The detectable difference with endless repetitions, limited by the sample of tasks. By the formula with t quantiles.
 */
export function findFloor(
  { tasks }: Pick<Size, 'tasks'>,
  assumed: Assumptions,
  pool = poolOf(2),
): PowerMetric {
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
): PowerMetric {
  const { tasks: _, ...design } = designOf({ tasks: 1, repetitions }, assumed, pool)
  return asFigure(wholeTasksNeeded(difference, design))
}

const ENDLESS = 1e9
/** For more tasks the simulation agrees with the exact test. */
const MAX_EXACT_TASKS = 400

function designOf(
  { tasks, repetitions }: Size,
  { wSquared, sSquaredA, sSquaredB }: Assumptions,
  { alpha }: Pool,
): PowerDesign {
  const rows = { repetitionsA: repetitions, repetitionsB: repetitions }
  return { tasks, ...rows, wSquared, sSquaredA, sSquaredB, alpha, power: POWER.power }
}

function asFigure(result: StatisticResult<number>): PowerMetric {
  return result.ok
    ? { value: result.value, reason: null }
    : { value: null, reason: result.refusal.reason }
}

/** A past row that a plan's estimates may use. */
export type PreviousRow = { label: string; tasks: readonly TaskCounts[] }

export type Assumptions = Pick<PowerDesign, 'wSquared' | 'sSquaredA' | 'sSquaredB'> & {
  /** Variance between true task means of the planned row. */
  vSquared: number
  /** The sources of the planned row's spread, and of the difference: a sentence each. */
  spread: string
  difference: string
}

/** Probabilities uniform over tasks, from 0 to 1: variance 1/12 between tasks; the rest as in `ASSUMED_VARIANCES`. */
const EVEN_CHANCES = { vSquared: 1 / 12, sSquared: ASSUMED_VARIANCES.sSquaredA }
const DEFAULT_SPREAD =
  'Assumption: success probabilities are uniformly distributed between 0 and 1 over the tasks'
const DEFAULT_DIFFERENCE = 'the variance of the true differences between the entries is 1/9'

/**
 * Returns the variances behind a plan's figures: estimated from past rows of the same subject and of the competitor, and
 * how true differences vary from all pairs of three or more ranked rows; else the stated default. Rows without
 * repetitions, or without any spread, are not used.
 */
export function assumeVariances(
  own: PreviousRow | null,
  competitor: PreviousRow | null,
  pool: readonly PreviousRow[] = [],
): Assumptions {
  const [ownLearned, competitorLearned] = [learn(own), learn(competitor)]
  const self = ownLearned ?? competitorLearned ?? EVEN_CHANCES
  const other = competitorLearned ?? self
  const learned = {
    own: ownLearned ? own : null,
    competitor: competitorLearned ? competitor : null,
  }
  const difference = assumePooled(pool, learned) ?? assumePair(learned)
  return {
    vSquared: self.vSquared,
    sSquaredA: self.sSquared,
    sSquaredB: other.sSquared,
    spread: spreadWords(own, competitor, ownLearned, competitorLearned),
    ...difference,
  }
}

type Learned = Record<'own' | 'competitor', PreviousRow | null>
type AssumedDifference = Pick<Assumptions, 'wSquared' | 'difference'>

/** From the pair itself where both rows teach something, else the default. */
function assumePair({ own, competitor }: Learned): AssumedDifference {
  const between = own && competitor ? estimateDifferenceVariance(own.tasks, competitor.tasks) : null
  if (own && competitor && between?.ok)
    return {
      wSquared: between.value,
      difference: `Variances estimated from the entries ${own.label} and ${competitor.label}.`,
    }
  return { wSquared: ASSUMED_VARIANCES.wSquared, difference: differenceWords(own, competitor) }
}

/** From all pairs of the pool; null = it has too few rows, or none that teaches anything. */
function assumePooled(
  pool: readonly PreviousRow[],
  { own, competitor }: Learned,
): AssumedDifference | null {
  if (pool.length < MIN_POOL) return null
  const wSquared = pooledDifferenceVariance(pool.map(({ tasks }) => tasks))
  if (wSquared === null) return null
  const rows = `Variance of true differences estimated from the pairs of ${countOf(pool.length, 'ranked entry')}.`
  return { wSquared, difference: (own ?? competitor) ? rows : `${rows} ${DEFAULT_SPREAD}.` }
}

/** With fewer rows the pair itself tells as much. */
const MIN_POOL = 3

function learn(row: PreviousRow | null): Pick<RowVariances, 'vSquared' | 'sSquared'> | null {
  const found = row ? estimateVariances(row.tasks) : null
  if (!found?.ok) return null
  const { vSquared, sSquared } = found.value
  return vSquared + sSquared > 0 ? { vSquared, sSquared } : null
}

function spreadWords(
  own: PreviousRow | null,
  competitor: PreviousRow | null,
  ownLearned: unknown,
  competitorLearned: unknown,
): string {
  if (own && ownLearned) return `Spread estimated from the entry ${own.label}.`
  if (competitor && competitorLearned) {
    return `Spread estimated from the competing entry ${competitor.label}, because this agent has no suitable entry.`
  }
  if (own) return `${DEFAULT_SPREAD}. The entry ${own.label} has no repetitions or no spread.`
  return `${DEFAULT_SPREAD}.`
}

function differenceWords(own: PreviousRow | null, competitor: PreviousRow | null): string {
  const known = own ?? competitor
  if (!known) return `${DEFAULT_SPREAD}, and ${DEFAULT_DIFFERENCE}.`
  const both = own && competitor ? ` and ${competitor.label}` : ''
  return `Variance within tasks estimated from the entry ${known.label}${both}. Assumption: ${DEFAULT_DIFFERENCE}.`
}

/** Returns the row of the same subject and model, of any version and settings, with the most scored episodes. */
export function findPreviousRow(rows: readonly BoardRow[], subject: Subject): PreviousRow | null {
  const own = rows.filter(
    (row) =>
      row.subject.name === subject.name && row.subject.modelRequested === subject.modelRequested,
  )
  const [most] = own.sort((a, b) => b.success.attempts - a.success.attempts)
  return most ? toPreviousRow(most) : null
}

/** Converts a board's row for the planner. */
export function toPreviousRow({
  subject,
  tasks,
}: Pick<BoardRow, 'subject' | 'tasks'>): PreviousRow {
  return { label: subjectLabel(subject), tasks }
}

/**
 * Counts the ranked rows in a plan's pool, including its own, one for each arm: rows driven in the same way and
 * measured without faults. At least 2, since a difference needs two rows.
 */
export function countPool(
  rows: readonly BoardRow[],
  { subject, arms = [] }: Pick<PlanDraft, 'subject' | 'arms'>,
): number {
  const pool = poolName(subject)
  const own = arms.length > 0 ? arms.map(({ name }) => ({ ...subject, arm: name })) : [subject]
  const labels = new Set(own.map(subjectLabel))
  const others = rows.filter(
    (row) =>
      row.rank !== null && rankPoolOf(row) === pool && !labels.has(subjectLabel(row.subject)),
  )
  return Math.max(2, others.length + own.length)
}

function poolName({ kind, modelRequested }: Subject): RankPool {
  return kind === 'agent' || modelRequested !== null ? 'primary/llm' : 'primary/scripted'
}

/** The ranked rows that a plan would join: their pairs tell how true differences vary over tasks. */
export function findPool(
  rows: readonly BoardRow[],
  { subject }: Pick<PlanDraft, 'subject'>,
): PreviousRow[] {
  const pool = poolName(subject)
  return rows.filter((row) => row.rank !== null && rankPoolOf(row) === pool).map(toPreviousRow)
}
