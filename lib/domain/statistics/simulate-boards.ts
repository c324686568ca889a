import { benjaminiHochberg } from './benjamini-hochberg.ts'
import { drawSolved, normal, normalCumulative } from './chance-model.ts'
import { normalQuantile } from './normal-quantile.ts'
import { pairIndex, pairPValues } from './pair-p-values.ts'
import { RANK_OPTIONS, type RankedRow, type RankInput, rankRows } from './rank-rows.ts'
import { scoreMatrix } from './score-matrix.ts'
import { type SeededGenerator, seededGenerator } from './seeded-generator.ts'

/** Boards whose rows have these true mean success rates over the population of tasks. */
export type BoardDesign = {
  name: string
  rates: readonly number[]
  tasks: number
  repetitions: number
  rounds: number
  seed: number
}

/** Shares of simulated boards, 0–1. */
export type BoardErrors = {
  /** Every row's rank set holds all ranks that are truly its own. */
  setsHold: number
  /** Some pair of rows is called different that is equal, or the wrong way round. */
  anyFalse: number
  /** The same, had the pairs been adjusted by Benjamini and Hochberg: what a false discovery rate allows. */
  anyFalseByFdr: number
  /** Of the pairs that truly differ, those found. */
  found: number
}

/** Chances of one task: half of their variance between tasks, two thirds of that common to all rows. */
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
    ...{ name, rates, tasks, repetitions },
    ...{ rounds: 2_000, seed },
  }))

export const BOARD_DESIGNS: readonly BoardDesign[] = [
  ...boardsOf('8 close rows', close, 3001),
  ...boardsOf('8 close rows near the top', high, 3002),
  ...boardsOf('4 good and 4 bad rows', halves, 3003),
  ...boardsOf('8 equal rows', equal, 3004),
]

/** Ranks simulated boards with the code that ranks real ones, and counts what is false. */
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

/** Verdicts as a reader takes them from the letters: rows that share none differ, the upper one being better. */
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
  const { p, leads } = pairPValues(tallies, scoreMatrix(tallies))
  const adjusted = benjaminiHochberg([...p])
  const values = adjusted.ok ? adjusted.value : []
  return rates.some((b, index) =>
    rates.slice(0, index).some((a, other) => {
      const place = pairIndex(other, index)
      return (values[place] ?? 1) <= RANK_OPTIONS.alpha && Math.sign(a - b) !== leads[place]
    }),
  )
}
