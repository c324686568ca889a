import { setTimeout as pause } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, expect, it } from 'vitest'
import { listMissing } from './slot-map.ts'

const slot = (repetition: number) => ({ runId: 'run_a', taskId: 'one', repetition })
const planned = [slot(1), slot(2), slot(3)]
const ended = () => [
  { ...slot(1), status: 'solved' as const },
  { ...slot(2), status: 'cancelled' as const },
]

describe('listMissing', () => {
  it('lists what has not ended, again after an episode more', () => {
    const facts = ended()
    expect(listMissing(facts, planned)).toEqual([slot(2), slot(3)])
    expect(listMissing(facts, planned)).toEqual([slot(2), slot(3)])
    const more = [...facts, { ...slot(3), status: 'void' as const }]
    expect(listMissing(more, planned)).toEqual([slot(2)])
  })

  it('keeps no episodes for the planned slots, which a server has as long as it runs', async () => {
    setFlagsFromString('--expose-gc')
    const collect: unknown = runInNewContext('gc')
    if (typeof collect !== 'function') throw new Error('there is no way to collect garbage')
    const facts = new WeakRef(askOnce())
    for (let turn = 0; turn < 20 && facts.deref() !== undefined; turn++) {
      await pause(1)
      collect()
    }
    expect(facts.deref()).toBeUndefined()
    expect(listMissing(ended(), planned)).toEqual([slot(2), slot(3)])
  })
})

function askOnce(): ReturnType<typeof ended> {
  const facts = ended()
  listMissing(facts, planned)
  return facts
}
