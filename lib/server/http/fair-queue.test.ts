import { describe, expect, it } from 'vitest'
import { FairQueue } from './fair-queue.ts'

const { signal: stays } = new AbortController()

const queueOf = (total: number, waiting: number, perNetwork = total) =>
  new FairQueue({ total, perNetwork, waiting })

/** Enters the queue and records its name when it may run; it runs until `end` is called. */
function play(queue: FairQueue) {
  const order: string[] = []
  const ends: (() => void)[] = []
  const enter = async (name: string, network: string) => {
    const entered = await queue.enter(stays, network)
    order.push(typeof entered === 'function' ? name : `${name} is ${entered}`)
    if (typeof entered === 'function') ends.push(entered)
  }
  const end = async () => {
    await new Promise(setImmediate)
    ends.shift()?.()
    await new Promise(setImmediate)
  }
  return { order, enter, end }
}

describe('the queue of renders', () => {
  it('lets as many in as it may, in order, and forgets readers that left', async () => {
    const queue = queueOf(1, 2)
    const leaves = new AbortController()
    const first = await queue.enter(stays, 'a')
    const second = queue.enter(leaves.signal, 'a')
    const third = queue.enter(stays, 'a')
    expect(await queue.enter(stays, 'a')).toBe('full')
    leaves.abort()
    expect(await second).toBe('gone')
    expect(await queue.enter(leaves.signal, 'a')).toBe('gone')
    if (typeof first === 'function') first()
    expect(await third).toBeTypeOf('function')
  })

  it('lets networks take turns', async () => {
    const { order, enter, end } = play(queueOf(1, 100))
    for (let page = 0; page < 20; page++) void enter(`flood ${page}`, 'flood')
    for (const reader of ['b', 'c']) void enter(reader, reader)
    for (let turn = 0; turn < 4; turn++) await end()
    expect(order).toEqual(['flood 0', 'b', 'c', 'flood 1', 'flood 2'])
  })

  it('leaves room for others, however much one network asks for', async () => {
    const { order, enter, end } = play(queueOf(4, 100, 2))
    for (let page = 0; page < 20; page++) void enter(`flood ${page}`, 'flood')
    for (const page of ['b 0', 'b 1', 'b 2']) void enter(page, 'b')
    await new Promise(setImmediate)
    expect(order).toEqual(['flood 0', 'flood 1', 'b 0', 'b 1'])
    await end()
    expect(order.slice(4)).toEqual(['flood 2'])
  })

  it('refuses who waits for most when it is full', async () => {
    const { order, enter, end } = play(queueOf(1, 3))
    for (let page = 0; page < 5; page++) void enter(`flood ${page}`, 'flood')
    void enter('reader', 'reader')
    await new Promise(setImmediate)
    expect(order).toEqual(['flood 0', 'flood 4 is full', 'flood 3 is full'])
    await end()
    await end()
    expect(order.slice(3)).toEqual(['reader', 'flood 1'])
  })
})
