import { type ArmRow, pairArms } from '../../../domain/compare/arm-effects.ts'
import { normaliseComparison } from '../../../domain/compare/normalise-comparison.ts'
import { digestJson } from '../../../domain/digest/index.ts'
import { BASELINE_ARM, EMPTY_ARM_DIGEST } from '../../../domain/record/index.ts'
import {
  type CompareVerdict,
  compareRows,
  seededGenerator,
} from '../../../domain/statistics/index.ts'

/** An experiment: a baseline and other arms on the same tasks. */
type ArmDesign = {
  tasks: number
  repetitions: number
  /** Arms besides the baseline. */
  arms: number
  /** Effect of each arm on every task's success probability; 0 = A/A. */
  effect: number
  rounds: number
  seed: number
}

/** The designs whose errors and power are measured; A/A designs must rarely find a difference. */
export const ARM_DESIGNS: readonly ArmDesign[] = [0, 0.2].flatMap((effect) =>
  [
    [25, 1, 1],
    [25, 3, 1],
    [25, 10, 1],
    [25, 3, 3],
    [25, 10, 3],
  ].map(([tasks = 0, repetitions = 0, arms = 0]) => ({
    tasks,
    repetitions,
    arms,
    effect,
    rounds: 1000,
    seed: 6001,
  })),
)

/** Shares of experiments, 0–1. */
type ArmRecord = {
  /** At least one arm was called better. */
  better: number
  /** At least one arm was called worse. */
  worse: number
  /** At least one of both. */
  any: number
}

/**
 * Simulates experiments and judges each as the page does (`compareRows`, arms against their baseline). Success
 * probabilities are between .1 and .7, so that the effect always fits; episodes are independent.
 */
export function simulateArms(design: ArmDesign): ArmRecord {
  const generator = seededGenerator(design.seed)
  const counts = { better: 0, worse: 0, any: 0 }
  for (let round = 0; round < design.rounds; round++) {
    const kinds = playExperiment(design, generator.nextUnit)
    const [isBetter, isWorse] = [kinds.includes('better'), kinds.includes('worse')]
    counts.better += Number(isBetter)
    counts.worse += Number(isWorse)
    counts.any += Number(isBetter || isWorse)
  }
  const { rounds } = design
  return { better: counts.better / rounds, worse: counts.worse / rounds, any: counts.any / rounds }
}

function playExperiment(
  { tasks, repetitions, arms, effect }: ArmDesign,
  chance: () => number,
): CompareVerdict['kind'][] {
  const chances = Array.from({ length: tasks }, () => 0.1 + 0.6 * chance())
  const names = [BASELINE_ARM, ...Array.from({ length: arms }, (_, index) => `arm-${index + 1}`)]
  const rows = names.map((arm) => {
    const added = arm === BASELINE_ARM ? 0 : effect
    return playArm(arm, { chances: chances.map((one) => one + added), repetitions }, chance)
  })
  const counts = rows.map(({ rowId, tasks: tallies }) => ({ key: rowId, tallies }))
  const compared = compareRows(counts)
  return pairArms(rows).flatMap(({ row, baseline }) => {
    const result = normaliseComparison(compared, row.rowId, baseline.rowId)
    return result.ok ? [result.verdict.kind] : []
  })
}

function playArm(
  arm: string,
  { chances, repetitions }: { chances: readonly number[]; repetitions: number },
  chance: () => number,
): ArmRow {
  const tasks = chances.map((own, index) => {
    const draws = Array.from({ length: repetitions }, () => chance() < own)
    const solved = draws.filter(Boolean).length
    return { taskId: `t${String(index).padStart(3, '0')}`, solved, scored: repetitions, voids: 0 }
  })
  const about = {
    kind: 'agent',
    name: 'simulated',
    version: '1.0.0',
    adapterVersion: null,
  } as const
  const armDigest = arm === BASELINE_ARM ? EMPTY_ARM_DIGEST : digestJson(arm)
  const subject = { ...about, provider: null, modelRequested: 'm', arm, armDigest }
  const shape = { least: repetitions, most: repetitions }
  return { rowId: `row_${arm}`, subject, tasks, repetitions: shape, runIds: ['run_simulated'] }
}
