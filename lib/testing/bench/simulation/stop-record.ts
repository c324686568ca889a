import { POLICY_VERSION } from '../../../domain/eligibility/index.ts'
import { STOP_GOALS } from '../../../domain/reports/methodology/simulation-goals.ts'
import { MODEL_DESIGNS, simulateModels } from './simulate-models.ts'
import { STOP_DESIGNS, simulateStops } from './simulate-stops.ts'
import { simulateWorld, WORLD_DESIGNS } from './simulate-worlds.ts'
import { worldOf } from './simulated-worlds.ts'

/** Simulates stopping rules, boards in populations that violate the tests' assumptions, and modelled rates. */
export function stopRecord() {
  return {
    policyVersion: POLICY_VERSION,
    stops: STOP_DESIGNS.map((design) => ({
      title: worldOf(design.world).title,
      ...design,
      ...simulateStops(design),
    })),
    worlds: WORLD_DESIGNS.map((design) => ({
      title: worldOf(design.world).title,
      ...design,
      ...simulateWorld(design),
    })),
    models: MODEL_DESIGNS.map((design) => ({ ...design, ...simulateModels(design) })),
  }
}
export type StopRecord = ReturnType<typeof stopRecord>

/** Returns one sentence per goal that the record misses. */
export function missedStops({
  stops,
  worlds,
  models,
}: Pick<StopRecord, 'stops' | 'worlds' | 'models'>): string[] {
  const { wrong, medians, theseTasks, similar, coverage, modelled } = STOP_GOALS
  const percent = (share: number) => `${(100 * share).toFixed(1)} %`
  const size = (one: { title: string; tasks: number; repetitions: number }) =>
    `${one.title}, ${one.tasks} × ${one.repetitions}`
  return [
    ...stops.flatMap((one) =>
      one.wrong <= wrong ? [] : [`Stopped, ${size(one)}: false in ${percent(one.wrong)}.`],
    ),
    ...stops.flatMap((one) => {
      const goal = one.tasks === 25 ? medians[one.world] : undefined
      if (goal === undefined || one.median <= goal) return []
      return [`Stopped, ${size(one)}: half of the plans need ${percent(one.median)}.`]
    }),
    ...worlds.flatMap((one) =>
      one.theseTasks <= theseTasks
        ? []
        : [`${size(one)}: false on these tasks in ${percent(one.theseTasks)}.`],
    ),
    ...worlds.flatMap((one) =>
      one.similar === null || one.similar <= similar
        ? []
        : [`${size(one)}: false on similar tasks in ${percent(one.similar)}.`],
    ),
    ...worlds.flatMap((one) =>
      one.coverage === null || one.coverage >= coverage
        ? []
        : [`${size(one)}: intervals contain the rate in ${percent(one.coverage)}.`],
    ),
    ...models.flatMap((one) =>
      one.coverage >= modelled
        ? []
        : [`${size(one)}: modelled intervals contain the rate in ${percent(one.coverage)}.`],
    ),
  ]
}
