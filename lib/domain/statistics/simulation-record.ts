import { POLICY_VERSION } from '../eligibility/policy.ts'
import { SIMULATION_DESIGNS, simulateIntervals } from './simulate-intervals.ts'

/** What `npm run simulate` writes down and the methodology page shows: designs and what they gave. Shares lie in 0–1. */
export function simulationRecord(designs = SIMULATION_DESIGNS) {
  const results = designs.map((design) => ({ ...design, ...simulateIntervals(design) }))
  return { policyVersion: POLICY_VERSION, results }
}
export type SimulationRecord = ReturnType<typeof simulationRecord>
