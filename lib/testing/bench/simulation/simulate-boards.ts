import { benjaminiHochberg } from '../../../domain/statistics/adjusted-p-values.ts'
import { normalQuantile } from '../../../domain/statistics/distributions.ts'
import type { Looks } from '../../../domain/statistics/looks.ts'
import { pairIndex, pairPValues } from '../../../domain/statistics/pair-p-values.ts'
import { ASSUMED_VARIANCES } from '../../../domain/statistics/plan-power.ts'
import {
  RANK_OPTIONS,
  type RankedRow,
  type RankInput,
  rankRows,
} from '../../../domain/statistics/rank-rows.ts'
import {
  type SeededGenerator,
  seededGenerator,
} from '../../../domain/statistics/seeded-generator.ts'
import {
  type ChanceModel,
  chanceModel,
  drawSolved,
  normal,
  normalCumulative,
} from '../../../domain/statistics/simulated-power.ts'
import type { TaskCounts } from '../../../domain/statistics/task-counts.ts'
import { withoutVoids } from '../../../domain/statistics/void-readings.ts'

/** Boards whose rows have these true success rates over the population of tasks. */
type BoardDesign = {
  name: string
  rates: readonly number[]
  tasks: number
  repetitions: number
  rounds: number
  seed: number
}

/** Shares of simulated boards, 0–1. */
type BoardErrors = {
  /** Every row's rank set contains all of its true ranks. */
  setsHold: number
  /** Some pair of equal rows is called different, or a pair is ordered wrongly. */
  anyFalse: number
  /** The same with Benjamini–Hochberg adjustment, as a false discovery rate permits. */
  anyFalseByFdr: number
  /** Share of truly different pairs that are detected (power). */
  found: number
}

/**
 * Shares of the variance of success probabilities: half is between tasks, and two thirds of that is common to all rows.
 */
const SIMULATED_ROWS = { between: 1 / 2, common: 2 / 3 }

const close = Array.from({ length: 8 }, (_, row) => (535 - 10 * row) / 1000)
const halves = [0.7, 0.7, 0.7, 0.7, 0.4, 0.4, 0.4, 0.4]
const equal = Array.from({ length: 8 }, () => 0.5)
const high = Array.from({ length: 8 }, (_, row) => (96 - row) / 100)
const boardsOf = (name: string, rates: readonly number[], seed: number): BoardDesign[] =>
  [
    [25, 10],
    [12, 20],
    [50, 3],
  ].map(([tasks = 0, repetitions = 0]) => ({
    name,
    rates,
    tasks,
    repetitions,
    rounds: 2_000,
    seed,
  }))

export const BOARD_DESIGNS: readonly BoardDesign[] = [
  ...boardsOf('8 close rows', close, 3001),
  ...boardsOf('8 close rows near the top', high, 3002),
  ...boardsOf('4 good and 4 bad rows', halves, 3003),
  ...boardsOf('8 equal rows', equal, 3004),
]

/** Ranks simulated boards with the production code and counts errors. */
export function simulateBoards({
  rates,
  tasks,
  repetitions,
  rounds,
  seed,
}: BoardDesign): BoardErrors {
  const generator = seededGenerator(seed)
  const counts = { setsHold: 0, anyFalse: 0, anyFalseByFdr: 0, found: 0 }
  const pairs = rates.flatMap((a, row) => rates.slice(row + 1).map((b) => a !== b))
  const different = pairs.filter(Boolean).length
  for (let round = 0; round < rounds; round++) {
    const inputs = drawRows(rates, { tasks, repetitions }, generator)
    const { rows } = rankRows(inputs)
    const verdicts = countVerdicts(rows, rates)
    if (holdAll(rows, rates)) counts.setsHold++
    if (verdicts.wrong > 0) counts.anyFalse++
    if (anyWrongByFdr(inputs, rates)) counts.anyFalseByFdr++
    counts.found += different === 0 ? 0 : verdicts.right / different
  }
  return {
    setsHold: counts.setsHold / rounds,
    anyFalse: counts.anyFalse / rounds,
    anyFalseByFdr: counts.anyFalseByFdr / rounds,
    found: Math.round((1e4 * counts.found) / rounds) / 1e4,
  }
}

function drawRows(
  rates: readonly number[],
  { tasks, repetitions }: { tasks: number; repetitions: number },
  generator: SeededGenerator,
): RankInput[] {
  const { between, common } = SIMULATED_ROWS
  const shared = Array.from({ length: tasks }, () => normal(generator))
  return rates.map((rate, row) => {
    const h = normalQuantile(rate)
    const tallies = shared.map((task, index) => {
      const z = Math.sqrt(common) * task + Math.sqrt(1 - common) * normal(generator)
      const chance = normalCumulative((h + Math.sqrt(between) * z) / Math.sqrt(1 - between))
      const solved = drawSolved(repetitions, chance, generator)
      return { taskId: taskName(index), solved, scored: repetitions }
    })
    return { key: String(row), label: String(row), tallies }
  })
}

function taskName(index: number): string {
  return `t${String(index).padStart(5, '0')}`
}

function holdAll(rows: readonly RankedRow[], rates: readonly number[]): boolean {
  return rows.every(({ key, low, high: worst }) => {
    const rate = rates[Number(key)] as number
    const best = 1 + rates.filter((other) => other > rate).length
    const last = rates.length - rates.filter((other) => other < rate).length
    return low <= best && last <= worst
  })
}

/** Verdicts implied by the letters: rows that share none differ, and the upper one is better. */
function countVerdicts(rows: readonly RankedRow[], rates: readonly number[]) {
  const counts = { right: 0, wrong: 0 }
  rows.forEach((lower, index) => {
    for (const upper of rows.slice(0, index)) {
      if (sharesLetter(upper.letters, lower.letters)) continue
      const isRight = (rates[Number(upper.key)] as number) > (rates[Number(lower.key)] as number)
      if (isRight) counts.right++
      else counts.wrong++
    }
  })
  return counts
}

function sharesLetter(a: string, b: string): boolean {
  const letters = new Set(b.match(/[A-Z]\d*/g) ?? [])
  return (a.match(/[A-Z]\d*/g) ?? []).some((letter) => letters.has(letter))
}

function anyWrongByFdr(inputs: readonly RankInput[], rates: readonly number[]): boolean {
  const tallies = inputs.map((input) => input.tallies)
  const { p, leads } = pairPValues(tallies.map(withoutVoids))
  const adjusted = benjaminiHochberg([...p])
  const values = adjusted.ok ? adjusted.value : []
  return rates.some((b, index) =>
    rates.slice(0, index).some((a, other) => {
      const place = pairIndex(other, index)
      return (values[place] ?? 1) <= RANK_OPTIONS.alpha && Math.sign(a - b) !== leads[place]
    }),
  )
}

/** Two equal rows with repeated interim analyses. `topped-up`: further plans add samples; `watched`: one plan is watched. */
type LookDesign = {
  kind: 'topped-up' | 'watched'
  tasks: number
  /** Repetitions of the first plan and of each further one; for a watched plan, in total and between looks. */
  repetitions: number
  step: number
  looks: number
  rounds: number
  seed: number
}

const looked = { looks: 20, rounds: 4_000, seed: 5001 }
export const LOOK_DESIGNS: readonly LookDesign[] = [
  { kind: 'topped-up', tasks: 25, repetitions: 3, step: 3, ...looked },
  { kind: 'topped-up', tasks: 25, repetitions: 10, step: 2, ...looked },
  { kind: 'topped-up', tasks: 50, repetitions: 1, step: 1, ...looked },
  { kind: 'watched', tasks: 25, repetitions: 20, step: 1, ...looked },
  { kind: 'watched', tasks: 50, repetitions: 20, step: 1, ...looked },
]

/**
 * Shares of pairs of equal rows that are called different at some look: by the plain test, by the test used for rows
 * (which corrects for looks), and by that test after the first look or before the last plan ended.
 */
export function simulateLooks(design: LookDesign) {
  const { rounds, seed } = design
  const generator = seededGenerator(seed)
  const draw = chanceModel(0, ASSUMED_VARIANCES)
  const counts = { plain: 0, judged: 0, extra: 0 }
  for (let round = 0; round < rounds; round++) {
    const seen = lookAgain(design, draw, generator)
    for (const key of ['plain', 'judged', 'extra'] as const) if (seen[key]) counts[key]++
  }
  return {
    plain: counts.plain / rounds,
    judged: counts.judged / rounds,
    extra: counts.extra / rounds,
  }
}

function lookAgain(design: LookDesign, draw: ChanceModel, generator: SeededGenerator) {
  const { tasks, repetitions, step, looks, kind } = design
  const chances = Array.from({ length: tasks }, () => draw(generator))
  const rows = { a: emptyRow(tasks), b: emptyRow(tasks) }
  const seen = { plain: false, judged: false, extra: false }
  for (let look = 1; look <= looks; look++) {
    const more = look === 1 && kind === 'topped-up' ? repetitions : step
    addRepetitions(rows, chances, more, generator)
    const known = looksAt(design, look)
    // An interim analysis never makes a significant verdict more likely.
    const isPlain = isApart(rows, undefined)
    const isFound = isPlain && (known === undefined || isApart(rows, known))
    seen.plain ||= isPlain
    seen.judged ||= isFound
    seen.extra ||= isFound && known !== undefined
  }
  return seen
}

/** A row's interim analyses as known to the board: undefined = as planned. Only row A is topped up; both rows are watched. */
function looksAt({ kind, tasks, repetitions, looks }: LookDesign, look: number): Looks | undefined {
  if (kind === 'topped-up') return look === 1 ? undefined : { stages: look, states: 1 }
  return look === looks ? undefined : { stages: 1, states: tasks * repetitions }
}

type Row = { taskId: string; solved: number; scored: number }[]

function emptyRow(tasks: number): Row {
  return Array.from({ length: tasks }, (_, task) => ({
    taskId: String(task).padStart(5, '0'),
    solved: 0,
    scored: 0,
  }))
}

function addRepetitions(
  rows: { a: Row; b: Row },
  chances: readonly { a: number; b: number }[],
  repetitions: number,
  generator: SeededGenerator,
): void {
  chances.forEach((chance, task) => {
    for (const side of ['a', 'b'] as const) {
      const tally = rows[side][task] as Row[number]
      tally.solved += drawSolved(repetitions, chance[side], generator)
      tally.scored += repetitions
    }
  })
}

function isApart(
  { a, b }: { a: readonly TaskCounts[]; b: readonly TaskCounts[] },
  looks?: Looks,
): boolean {
  const { rows } = rankRows([
    { key: 'a', label: 'a', tallies: a, looks },
    { key: 'b', label: 'b', tallies: b },
  ])
  return rows[0]?.letters !== rows[1]?.letters
}
