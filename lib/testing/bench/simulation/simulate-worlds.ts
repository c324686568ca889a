import { compareRows } from '../../../domain/statistics/paired-difference.ts'
import { rowInterval } from '../../../domain/statistics/row-interval.ts'
import { seededGenerator } from '../../../domain/statistics/seeded-generator.ts'
import { drawSolved } from '../../../domain/statistics/simulated-power.ts'
import type { TaskCounts } from '../../../domain/statistics/task-counts.ts'
import { type Chances, drawShocks, shocked, type WorldName, worldOf } from './simulated-worlds.ts'

/** Boards with two alternating kinds of rows, all equal over the population of tasks. */
type WorldDesign = {
  world: WorldName
  tasks: number
  repetitions: number
  rows: number
  rounds: number
  seed: number
}

const SIZES = [
  [12, 20],
  [25, 10],
  [50, 3],
] as const

export const WORLD_DESIGNS: readonly WorldDesign[] = (
  ['drawn', 'shape', 'rare', 'families', 'shocks'] as const
).flatMap((world) =>
  SIZES.map(([tasks, repetitions]) => ({
    // At least six families, so that the family is the unit.
    world,
    repetitions,
    rows: 6,
    rounds: 300,
    seed: 8001,
    tasks: world === 'families' ? Math.max(30, tasks) : tasks,
  })),
)

/** Shares of simulated boards, and of their rows, 0–1. */
type WorldRecord = {
  /** Share of boards with a false *better on these tasks*. */
  theseTasks: number
  /** Share of boards with a false *and on similar tasks*: all rows are equal there. Null = the tasks are fixed. */
  similar: number | null
  /**
   * Share of rows whose interval contains the true rate over the population; null = the tasks are fixed, or days
   * differ.
   */
  coverage: number | null
}

/** Compares the rows of simulated boards with the production code, and counts false verdicts. */
export function simulateWorld(design: WorldDesign): WorldRecord {
  const { world: name, tasks, repetitions, rows, rounds } = design
  const world = worldOf(name)
  const generator = seededGenerator(design.seed)
  const counts = { theseTasks: 0, similar: 0, covered: 0 }
  for (let round = 0; round < rounds; round++) {
    const chances = world.draw(generator, tasks)
    const shocks = drawShocks(world, repetitions, generator)
    const sides = Array.from({ length: rows }, (_, row) => (row % 2 === 0 ? 'a' : 'b'))
    const drawn = sides.map((side) =>
      chances.map((chance, task): TaskCounts => {
        const draws = shocks.map((shock) => drawSolved(1, shocked(chance[side], shock), generator))
        const solved =
          world.shock === undefined
            ? drawSolved(repetitions, chance[side], generator)
            : draws.reduce((sum, one) => sum + one, 0)
        const family = world.family && { family: `f${Math.floor(task / world.family)}` }
        return { taskId: String(task).padStart(5, '0'), solved, scored: repetitions, ...family }
      }),
    )
    const seen = judge(drawn, sides, chances)
    if (seen.theseTasks) counts.theseTasks++
    if (seen.similar) counts.similar++
    counts.covered += drawn.filter((row) => contains(row, world.mean)).length
  }
  return {
    theseTasks: shareOf(counts.theseTasks, rounds),
    similar: name === 'shape' ? null : shareOf(counts.similar, rounds),
    coverage: world.mean === undefined ? null : shareOf(counts.covered, rounds * rows),
  }
}

/** Rounds a share to a hundredth of a per cent. */
function shareOf(count: number, of: number): number {
  return Math.round((1e4 * count) / of) / 1e4
}

type Side = keyof Chances

function judge(
  rows: readonly (readonly TaskCounts[])[],
  sides: readonly Side[],
  chances: readonly Chances[],
) {
  const { pairs } = compareRows(rows.map((tallies, row) => ({ key: String(row), tallies })))
  const rate = (side: Side) => chances.reduce((sum, chance) => sum + chance[side], 0)
  const found = { theseTasks: false, similar: false }
  for (const { a, b, result } of pairs) {
    if (!result.ok) continue
    const [left, right] = [sides[Number(a)] as Side, sides[Number(b)] as Side]
    const truth = left === right ? 0 : rate(left) - rate(right)
    const { kind } = result.value.verdict
    const isFalse = (kind === 'better' && truth <= NOISE) || (kind === 'worse' && truth >= -NOISE)
    found.theseTasks ||= isFalse
    found.similar ||= result.similar.isDecided
  }
  return found
}

/** Smaller differences are rounding errors of sums. */
const NOISE = 1e-9

function contains(row: readonly TaskCounts[], mean: number | undefined): boolean {
  if (mean === undefined) return false
  const interval = rowInterval(row)
  return interval.ok && interval.value.low <= mean && mean <= interval.value.high
}
