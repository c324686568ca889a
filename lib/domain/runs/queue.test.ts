import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  countUsedSlots,
  planQueue,
  providerLimit,
  type QueuedJob,
  type QueueLimits,
  slotsOf,
} from './queue.ts'

const LIMITS: QueueLimits = {
  concurrency: 4,
  providers: new Map([
    ['*', 2],
    ['anthropic', 3],
    ['paused', 0],
  ]),
}
const job = (jobId: string, concurrency = 1, provider: string | null = null): QueuedJob => ({
  jobId,
  concurrency,
  provider,
  isCancelled: false,
})
const waits = (running: QueuedJob[], queued: QueuedJob[]) =>
  planQueue(running, queued, LIMITS).map(({ wait }) => wait?.kind ?? null)

describe('the order in which jobs start', () => {
  it('starts what fits, and never lets a job overtake one that waits for the machine', () => {
    expect(waits([job('r', 2)], [job('a', 1), job('b', 2), job('c', 1)])).toEqual([
      null,
      'machine',
      'line',
    ])
  })

  it('a job of other machines waits for none of them, wherever it stands', () => {
    const queued = [job('a', 4), job('b', 1), job('elsewhere', 0), job('c', 1)]
    expect(waits([job('r', 2)], queued)).toEqual(['machine', 'line', null, 'line'])
    expect(waits([job('r', 4), job('s', 4)], [job('elsewhere', 0)])).toEqual([null])
  })

  it('passes over a job that waits for its provider, but not within that provider', () => {
    const queued = [job('a', 2, 'openai'), job('b', 1, 'openai'), job('c', 1, 'anthropic')]
    expect(waits([job('r', 1, 'openai')], queued)).toEqual(['provider', 'line', null])
  })

  it('clips a job that asks for more than there is, which then runs alone', () => {
    expect(slotsOf(job('a', 64), LIMITS)).toBe(4)
    expect(waits([], [job('a', 64), job('b')])).toEqual([null, 'machine'])
    expect(waits([job('r')], [job('a', 64)])).toEqual(['machine'])
    expect(slotsOf(job('a', 64, 'openai'), LIMITS)).toBe(2)
  })

  it('never starts a job of a provider that has no slot at all', () => {
    expect(waits([], [job('a', 1, 'paused'), job('b')])).toEqual(['provider', null])
  })

  it('takes a cancelled job at once: it is only wound up', () => {
    expect(waits([job('r', 4)], [{ ...job('a', 4), isCancelled: true }, job('b')])).toEqual([
      null,
      'machine',
    ])
  })

  it('never exceeds a limit, and always starts the first of an empty machine', () => {
    const anyJob = fc.record({
      concurrency: fc.integer({ min: 1, max: 9 }),
      provider: fc.constantFrom(null, 'anthropic', 'openai', 'google'),
    })
    fc.assert(
      fc.property(fc.array(anyJob, { maxLength: 8 }), (requested) => {
        const queued = requested.map((one, place) => ({ ...job(`j${place}`), ...one }))
        const places = planQueue([], queued, LIMITS)
        const started = queued.filter((_, place) => places[place]?.wait === null)
        const used = countUsedSlots(started, LIMITS)
        expect(used.machine).toBeLessThanOrEqual(LIMITS.concurrency)
        for (const [provider, slots] of used.providers)
          expect(slots).toBeLessThanOrEqual(providerLimit(LIMITS, provider))
        if (queued.length > 0) expect(places[0]?.wait).toBeNull()
      }),
      { seed: 7 },
    )
  })
})
