import { type ChanceModel, chanceModel, drawSolved } from './chance-model.ts'
import type { Looks } from './looks.ts'
import { ASSUMED_VARIANCES } from './plan-power.ts'
import { rankRows } from './rank-rows.ts'
import { type SeededGenerator, seededGenerator } from './seeded-generator.ts'
import type { TaskTally } from './task-tally.ts'

/** Two equal rows, looked at again and again. `topped-up`: further plans add samples; `watched`: one plan is watched. */
export type LookDesign = {
  kind: 'topped-up' | 'watched'
  tasks: number
  /** Repetitions of the first plan, and of each further one; of a watched plan, all and those of each look. */
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
 * Shares of pairs of equal rows that are called different at some look: by the plain test, as rows are judged (looks
 * paid for), and as rows are judged at the looks after the first or before the last plan was finished.
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
    // A look never makes a verdict easier.
    const isPlain = isApart(rows, undefined)
    const isFound = isPlain && (known === undefined || isApart(rows, known))
    seen.plain ||= isPlain
    seen.judged ||= isFound
    seen.extra ||= isFound && known !== undefined
  }
  return seen
}

/** What the board knows of a row's looks: undefined = as planned. Only row A is topped up; both rows are watched. */
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
  { a, b }: { a: readonly TaskTally[]; b: readonly TaskTally[] },
  looks?: Looks,
): boolean {
  const { rows } = rankRows([
    { key: 'a', label: 'a', tallies: a, looks },
    { key: 'b', label: 'b', tallies: b },
  ])
  return rows[0]?.letters !== rows[1]?.letters
}
