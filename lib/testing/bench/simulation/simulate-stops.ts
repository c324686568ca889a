import {
  type SeededGenerator,
  seededGenerator,
} from '../../../domain/statistics/seeded-generator.ts'
import { drawSolved } from '../../../domain/statistics/simulated-power.ts'
import { lookAtPair, type StopVerdict, stopLooks } from '../../../domain/statistics/stop-rule.ts'
import { type Chances, drawShocks, shocked, type WorldName, worldOf } from './simulated-worlds.ts'

/** Plans with two sides that stop once decided. */
type StopDesign = {
  world: WorldName
  tasks: number
  repetitions: number
  /** The smallest relevant difference, 0–1. */
  smallest: number
  rounds: number
  seed: number
}

const WORLDS: readonly WorldName[] = [
  ...(['equal', 'better', 'drawn', 'drawn-better', 'shape'] as const),
  ...(['rare', 'families', 'shocks', 'coins'] as const),
]

/** The planner's design: 25 × 10 detects 20 points with 80 % power if it is not stopped. */
export const STOP_DESIGNS: readonly StopDesign[] = [
  ...WORLDS.map((world) => ({ world, tasks: 25, repetitions: 10, rounds: 10_000 })),
  ...(['equal', 'better', 'coins'] as const).map((world) => ({
    world,
    tasks: 10,
    repetitions: 10,
    rounds: 10_000,
  })),
].map((design) => ({ ...design, smallest: 0.2, seed: 7001 }))

/** Shares of trials, 0–1. */
type StopRecord = {
  /** Share of verdicts that are false for these tasks. */
  wrong: number
  better: number
  worse: number
  noLarger: number
  /** Median of the share of planned episodes that ran. */
  median: number
}

/**
 * Simulates plans look by look, with the rule that stops real runs, and counts verdicts that are false for their own
 * tasks.
 */
export function simulateStops(design: StopDesign): StopRecord {
  const generator = seededGenerator(design.seed)
  const counts = { wrong: 0, better: 0, worse: 0, 'no-larger-than': 0 }
  const shares: number[] = []
  for (let round = 0; round < design.rounds; round++) {
    const { verdict, share, truth } = playPlan(design, generator)
    shares.push(share)
    if (verdict === null) continue
    counts[verdict]++
    if (isWrong(verdict, truth, design.smallest)) counts.wrong++
  }
  shares.sort((a, b) => a - b)
  const { rounds } = design
  return {
    wrong: counts.wrong / rounds,
    better: counts.better / rounds,
    worse: counts.worse / rounds,
    noLarger: counts['no-larger-than'] / rounds,
    median: shares[Math.floor(rounds / 2)] ?? 1,
  }
}

/** Smaller differences are rounding errors of sums. */
const NOISE = 1e-9

function isWrong(verdict: StopVerdict, truth: number, smallest: number): boolean {
  if (verdict === 'better') return truth <= NOISE
  if (verdict === 'worse') return truth >= -NOISE
  return Math.abs(truth) >= smallest - NOISE
}

type Played = { verdict: StopVerdict | null; share: number; truth: number }

function playPlan(
  { world: name, tasks, repetitions, smallest }: StopDesign,
  generator: SeededGenerator,
): Played {
  const world = worldOf(name)
  const chances = world.draw(generator, tasks)
  const shocks = drawShocks(world, repetitions, generator)
  const truth = chances.reduce((sum, { a, b }) => sum + a - b, 0) / tasks
  const looks = stopLooks(tasks, tasks * repetitions)
  const rule = { difference: smallest, alpha: 0.05, looks }
  const sides = { a: emptySide(tasks), b: emptySide(tasks) }
  let pairs = 0
  let verdict: StopVerdict | null = null
  for (const look of looks) {
    addEpisodes(sides, { from: pairs, to: look / 2 }, { chances, shocks }, generator)
    pairs = look / 2
    verdict = lookAtPair(sides.a, sides.b, rule)?.verdict ?? null
    if (verdict !== null) break
  }
  return { verdict, share: pairs / (tasks * repetitions), truth }
}

type Sides = Record<'a' | 'b', ReturnType<typeof emptySide>>

/** Adds the pairs at these positions in the plan's order, all repetitions of a task in a round at once. */
function addEpisodes(
  sides: Sides,
  { from, to }: { from: number; to: number },
  { chances, shocks }: { chances: readonly Chances[]; shocks: readonly number[] },
  generator: SeededGenerator,
): void {
  const isSteady = shocks.every((shock) => shock === 0)
  chances.forEach((chance, task) => {
    const [first, last] = [from, to].map((at) => Math.ceil((at - task) / chances.length))
    const [start, end] = [Math.max(0, first ?? 0), Math.max(0, last ?? 0)]
    for (const side of ['a', 'b'] as const) {
      const own = sides[side][task] as Sides['a'][number]
      own.scored += end - start
      if (isSteady) own.solved += drawSolved(end - start, chance[side], generator)
      for (let round = start; round < end && !isSteady; round++)
        own.solved += drawSolved(1, shocked(chance[side], shocks[round] ?? 0), generator)
    }
  })
}

function emptySide(tasks: number) {
  return Array.from({ length: tasks }, (_, task) => ({
    taskId: String(task).padStart(5, '0'),
    solved: 0,
    scored: 0,
  }))
}
