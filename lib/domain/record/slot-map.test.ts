import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
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

  it('keeps no episodes for planned slots, which a server has as long as it runs', () => {
    setFlagsFromString('--expose-gc')
    const collect: unknown = runInNewContext('gc')
    if (typeof collect !== 'function') throw new Error('there is no way to collect garbage')
    const plans = Array.from({ length: 100 }, (_, run) => [slot(1, `run_${run}`)])
    collect()
    const before = process.memoryUsage().heapUsed
    // Synchronous, as a board is built: memory that is only released after the job is held too long.
    for (const slots of plans) listMissing(manyEnded(slots[0]?.runId ?? ''), slots)
    collect()
    expect((process.memoryUsage().heapUsed - before) / 1e6).toBeLessThan(10)
    expect(plans).toHaveLength(100)
  })
})

/** Allocates more than half a megabyte. */
function manyEnded(runId: string) {
  return Array.from({ length: 5000 }, (_, index) => ({
    ...slot(index + 1, runId),
    status: 'solved' as const,
    padding: [index, runId],
  }))
}
