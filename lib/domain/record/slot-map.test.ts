import { describe, expect, it } from 'vitest'
import { listMissing } from './slot-map.ts'

const slot = (repetition: number, runId = 'run_a') => ({ runId, taskId: 'one', repetition })
const planned = [slot(1), slot(2), slot(3)]
const ended = [
  { ...slot(1), status: 'solved' as const },
  { ...slot(2), status: 'cancelled' as const },
]

describe('listMissing', () => {
  it('lists what has not ended, again after an episode more', () => {
    expect(listMissing(ended, planned)).toEqual([slot(2), slot(3)])
    expect(listMissing(ended, planned)).toEqual([slot(2), slot(3)])
    expect(listMissing(ended, planned.slice(0, 2))).toEqual([slot(2)])
    const more = [...ended, { ...slot(3), status: 'void' as const }]
    expect(listMissing(more, planned)).toEqual([slot(2)])
    expect(listMissing([], planned)).toEqual(planned)
  })

  it('reads episodes in any order, with several of one slot or of none', () => {
    const planned = [slot(1), slot(2), slot(4), slot(1, 'run_b')]
    const facts = [slot(1, 'run_b'), slot(3), slot(2), slot(1), slot(2)].map((one, at) => ({
      ...one,
      status: at === 2 ? ('cancelled' as const) : ('solved' as const),
    }))
    expect(listMissing(facts, planned)).toEqual([slot(4)])
    expect(listMissing(facts.slice(0, 4), planned)).toEqual([slot(2), slot(4)])
  })
})
