import { describe, expect, it } from 'vitest'
import { watchWorkspace } from './watch-progress.ts'

/** Stamps that a test hands out one by one, and the number of pending ones. */
function handOut(first: string | null) {
  const waiting: ((stamp: string | null) => void)[] = []
  let isFirst = true
  const stamp = () => {
    if (!isFirst) return new Promise<string | null>((resolve) => waiting.push(resolve))
    isFirst = false
    return Promise.resolve(first)
  }
  const give = async (value: string | null) => {
    expect(waiting).toHaveLength(1)
    waiting.shift()?.(value)
    await new Promise((done) => setImmediate(done))
  }
  return { stamp, give, waiting }
}

describe('watching a workspace', () => {
  it('reports for each step what its tools did until the end of the next one', async () => {
    const { stamp, give } = handOut('a')
    const watch = await watchWorkspace(stamp)
    watch.stepEnded()
    watch.stepEnded()
    await give('b')
    watch.stepEnded()
    await give('b')
    const changes = watch.finish()
    await new Promise((done) => setImmediate(done))
    await give('c')
    expect(await changes).toEqual([true, false, true])
  })

  it('takes one stamp at a time, and steps that ended meanwhile share the next', async () => {
    const { stamp, give, waiting } = handOut('a')
    const watch = await watchWorkspace(stamp)
    for (let step = 0; step < 5; step++) watch.stepEnded()
    expect(waiting).toHaveLength(1)
    await give('a')
    await give('b')
    const changes = watch.finish()
    await new Promise((done) => setImmediate(done))
    await give('b')
    expect(await changes).toEqual([false, null, null, true, false])
  })

  it('does not know what a stamp cannot say', async () => {
    const { stamp, give } = handOut(null)
    const watch = await watchWorkspace(stamp)
    watch.stepEnded()
    const changes = watch.finish()
    await new Promise((done) => setImmediate(done))
    await give('a')
    expect(await changes).toEqual([null])
  })

  it('reports nothing for an attempt without a step', async () => {
    const watch = await watchWorkspace(async () => 'a')
    expect(await watch.finish()).toEqual([])
  })
})
