import { describe, expect, it } from 'vitest'
import { POLICY_VERSION } from '../../../domain/eligibility/index.ts'
import kept from '../../../domain/reports/methodology/simulation-stops.json' with { type: 'json' }
import { MODEL_DESIGNS, simulateModels } from './simulate-models.ts'
import { STOP_DESIGNS, simulateStops } from './simulate-stops.ts'
import { simulateWorld, WORLD_DESIGNS } from './simulate-worlds.ts'
import { missedStops, type StopRecord } from './stop-record.ts'

const record = kept as StopRecord

describe('stopped plans and boards in other worlds, simulated', () => {
  it('shows every design on the methodology page, and no goal is missed', () => {
    expect(record.stops).toHaveLength(STOP_DESIGNS.length)
    expect(record.worlds).toHaveLength(WORLD_DESIGNS.length)
    expect(record.models).toHaveLength(MODEL_DESIGNS.length)
    expect(record.policyVersion, 'run `npm run simulate`').toBe(POLICY_VERSION)
    expect(missedStops(record)).toEqual([])
  })

  it('stops again', () => {
    const [design] = STOP_DESIGNS
    if (!design) throw new Error('there is no design')
    expect(record.stops[0], 'run `npm run simulate`').toMatchObject(simulateStops(design))
  })

  it('compares again', () => {
    const at = WORLD_DESIGNS.findIndex(({ world }) => world === 'rare')
    const design = WORLD_DESIGNS[at]
    if (!design) throw new Error('there is no design')
    expect(record.worlds[at], 'run `npm run simulate`').toMatchObject(simulateWorld(design))
  })

  it('predicts again', () => {
    const [design] = MODEL_DESIGNS
    if (!design) throw new Error('there is no design')
    expect(record.models[0], 'run `npm run simulate`').toMatchObject(simulateModels(design))
  })

  it('says which goal is missed, a sentence each', () => {
    const [stop, world, model] = [record.stops[0], record.worlds[0], record.models[0]]
    if (!stop || !world || !model) throw new Error('nothing was simulated')
    const spoiled = {
      stops: [{ ...stop, wrong: 0.08, median: 0.8 }],
      worlds: [{ ...world, theseTasks: 0.1, similar: 0.2, coverage: 0.9 }],
      models: [{ ...model, coverage: 0.9 }],
    }
    expect(missedStops(spoiled)).toEqual([
      'Stopped, equal arms, 25 × 10: false in 8.0 %.',
      'Stopped, equal arms, 25 × 10: half of the plans need 80.0 %.',
      'chances drawn apart, equal on average, 12 × 20: false on these tasks in 10.0 %.',
      'chances drawn apart, equal on average, 12 × 20: false on similar tasks in 20.0 %.',
      'chances drawn apart, equal on average, 12 × 20: intervals contain the rate in 90.0 %.',
      'abilities and easiness add up, 25 × 3: modelled intervals contain the rate in 90.0 %.',
    ])
  })
})
