import { describe, expect, it } from '@jest/globals'
import { type AddOptions, AsyncQueue } from './async-queue.ts'

/** Lets everything happen that needs no timer. */
async function flush(): Promise<void> {
  for (let round = 0; round < 50; round++) await Promise.resolve()
}

/** Follows a promise without waiting for it, so that a test never hangs. */
function observe(promise: Promise<unknown>): { state: string; result?: unknown } {
  const observed: { state: string; result?: unknown } = { state: 'pending' }
  promise.then(
    (result) => Object.assign(observed, { state: 'fulfilled', result }),
    (result) => Object.assign(observed, { state: 'rejected', result }),
  )
  return observed
}

interface Handle {
  outcome: { state: string; result?: unknown }
  finish: (result?: unknown) => Promise<void>
  fail: (error: unknown) => Promise<void>
  signal: AbortSignal | undefined
}

function setUp(concurrency: number) {
  const queue = new AsyncQueue({ concurrency })
  const started: string[] = []

  /** Adds a task that runs until the test lets it finish or fail. */
  function add(name: string, options?: AddOptions): Handle {
    let resolve: ((result: unknown) => void) | undefined
    let reject: ((error: unknown) => void) | undefined
    const handle: Handle = {
      outcome: { state: 'not added' },
      signal: undefined,
      finish: (result) => {
        resolve?.(result)
        return flush()
      },
      fail: (error) => {
        reject?.(error)
        return flush()
      },
    }
    const task = (signal: AbortSignal) => {
      started.push(name)
      handle.signal = signal
      return new Promise<unknown>((...functions) => {
        ;[resolve, reject] = functions
      })
    }
    handle.outcome = observe(queue.add(task, options))
    return handle
  }

  return { queue, started, add, counts: () => [queue.waiting, queue.running] }
}

describe('running tasks', () => {
  it('passes the value of a task on', async () => {
    const { add } = setUp(1)
    const a = add('a')
    await a.finish('result')
    expect(a.outcome).toEqual({ state: 'fulfilled', result: 'result' })
  })

  it('starts a task at once if a slot is free', () => {
    const { add, started, counts } = setUp(2)
    add('a')
    expect(started).toEqual(['a'])
    expect(counts()).toEqual([0, 1])
  })

  it('never runs more tasks than allowed', async () => {
    const { add, started, counts } = setUp(2)
    const [a, b] = ['a', 'b', 'c', 'd'].map((name) => add(name))
    await flush()
    expect(started).toEqual(['a', 'b'])
    expect(counts()).toEqual([2, 2])
    await b.finish()
    expect(started).toEqual(['a', 'b', 'c'])
    expect(counts()).toEqual([1, 2])
    await a.finish()
    expect(started).toEqual(['a', 'b', 'c', 'd'])
    expect(counts()).toEqual([0, 2])
  })

  it('runs tasks one after the other with a concurrency of 1', async () => {
    const queue = new AsyncQueue({ concurrency: 1 })
    const log: string[] = []
    for (const name of ['a', 'b', 'c']) {
      observe(
        queue.add(async () => {
          log.push(`${name} starts`)
          await Promise.resolve()
          log.push(`${name} ends`)
        }),
      )
    }
    await flush()
    expect(log).toEqual(['a starts', 'a ends', 'b starts', 'b ends', 'c starts', 'c ends'])
  })

  it('accepts tasks that return plain values', async () => {
    const { queue } = setUp(1)
    const outcomes = [1, 2, 3].map((value) => observe(queue.add(() => value)))
    await flush()
    expect(outcomes.map((outcome) => outcome.result)).toEqual([1, 2, 3])
    expect(queue.running).toBe(0)
  })

  it('accepts tasks added by a running task', async () => {
    const { queue, add, started } = setUp(1)
    let inner: Handle | undefined
    const outer = observe(
      queue.add(() => {
        inner = add('inner')
        return 'outer'
      }),
    )
    expect(started).toEqual([])
    await flush()
    expect(outer).toEqual({ state: 'fulfilled', result: 'outer' })
    expect(started).toEqual(['inner'])
    await inner?.finish()
    expect(queue.running).toBe(0)
  })

  it('rejects a concurrency that is not a positive integer', () => {
    for (const concurrency of [0, -1, 1.5, NaN, Infinity]) {
      expect(() => new AsyncQueue({ concurrency })).toThrow(RangeError)
    }
  })
})

describe('priorities', () => {
  it('the greatest priority goes first', async () => {
    const { add, started } = setUp(1)
    const tasks = [
      add('running', { priority: -9 }),
      add('low', { priority: -1 }),
      add('normal'),
      add('high', { priority: 10 }),
      add('raised', { priority: 0.5 }),
    ]
    for (const index of [0, 3, 4, 2, 1]) await tasks[index].finish()
    expect(started).toEqual(['running', 'high', 'raised', 'normal', 'low'])
  })

  it('equal priorities keep the order of adding', async () => {
    const { add, started } = setUp(1)
    const first = add('running')
    const b1 = add('b1', { priority: 1 })
    const a1 = add('a1', { priority: 2 })
    const b2 = add('b2', { priority: 1 })
    const a2 = add('a2', { priority: 2 })
    add('b3', { priority: 1 })
    for (const task of [first, a1, a2, b1, b2]) await task.finish()
    expect(started).toEqual(['running', 'a1', 'a2', 'b1', 'b2', 'b3'])
  })

  it('a task of great priority does not displace a running one', async () => {
    const { add, started, counts } = setUp(1)
    const running = add('running')
    add('urgent', { priority: 100 })
    await flush()
    expect(started).toEqual(['running'])
    expect(counts()).toEqual([1, 1])
    await running.finish()
    expect(running.outcome.state).toBe('fulfilled')
    expect(started).toEqual(['running', 'urgent'])
  })
})

describe('failing tasks', () => {
  it('pass their error on and free their slot', async () => {
    const { add, started, counts } = setUp(1)
    const error = new Error('failed')
    const a = add('a')
    const b = add('b')
    await a.fail(error)
    expect(a.outcome).toEqual({ state: 'rejected', result: error })
    expect(started).toEqual(['a', 'b'])
    expect(counts()).toEqual([0, 1])
    await b.finish('fine')
    expect(b.outcome).toEqual({ state: 'fulfilled', result: 'fine' })
  })

  it('may throw before they return anything', async () => {
    const { queue, add, started } = setUp(1)
    const error = new Error('thrown')
    const broken = () => {
      throw error
    }
    const first = observe(queue.add(broken))
    const second = observe(queue.add(broken))
    add('next')
    await flush()
    expect(first).toEqual({ state: 'rejected', result: error })
    expect(second).toEqual({ state: 'rejected', result: error })
    expect(started).toEqual(['next'])
  })
})

describe('cancelling', () => {
  it('a task whose signal is aborted already is never started', async () => {
    const { add, started, counts } = setUp(1)
    const a = add('a', { signal: AbortSignal.abort('too late') })
    expect(counts()).toEqual([0, 0])
    await flush()
    expect(a.outcome).toEqual({ state: 'rejected', result: 'too late' })
    expect(started).toEqual([])
  })

  it('a waiting task leaves the queue at once', async () => {
    const { add, started, counts } = setUp(1)
    const controller = new AbortController()
    const reason = new Error('changed my mind')
    const a = add('a')
    const b = add('b', { signal: controller.signal })
    add('c')
    controller.abort(reason)
    expect(counts()).toEqual([1, 1])
    await flush()
    expect(b.outcome).toEqual({ state: 'rejected', result: reason })
    await a.finish()
    expect(started).toEqual(['a', 'c'])
  })

  it('the order of the remaining tasks stays the same', async () => {
    const { add, started } = setUp(1)
    const controller = new AbortController()
    const a = add('a')
    const b = add('b', { priority: 1 })
    add('c', { priority: 1, signal: controller.signal })
    const d = add('d', { priority: 1 })
    add('e')
    controller.abort()
    for (const task of [a, b, d]) await task.finish()
    expect(started).toEqual(['a', 'b', 'd', 'e'])
  })

  it('a running task is told and its promise is rejected at once', async () => {
    const { add } = setUp(1)
    const controller = new AbortController()
    const a = add('a', { signal: controller.signal })
    expect(a.signal?.aborted).toBe(false)
    controller.abort('stop')
    expect(a.signal?.aborted).toBe(true)
    expect(a.signal?.reason).toBe('stop')
    await flush()
    expect(a.outcome).toEqual({ state: 'rejected', result: 'stop' })
  })

  it('a cancelled running task keeps its slot until it has settled', async () => {
    const { add, started, counts } = setUp(1)
    const controller = new AbortController()
    const a = add('a', { signal: controller.signal })
    add('b')
    controller.abort('stop')
    await flush()
    expect(started).toEqual(['a'])
    expect(counts()).toEqual([1, 1])
    await a.finish('ignored')
    expect(a.outcome).toEqual({ state: 'rejected', result: 'stop' })
    expect(started).toEqual(['a', 'b'])
    expect(counts()).toEqual([0, 1])
  })

  it('a cancelled running task that fails is ignored and frees one slot only', async () => {
    const { add, started, counts } = setUp(1)
    const controller = new AbortController()
    const a = add('a', { signal: controller.signal })
    const b = add('b')
    add('c')
    controller.abort('stop')
    await a.fail(new Error('ignored'))
    expect(a.outcome).toEqual({ state: 'rejected', result: 'stop' })
    expect(started).toEqual(['a', 'b'])
    expect(counts()).toEqual([1, 1])
    await b.finish()
    expect(started).toEqual(['a', 'b', 'c'])
  })

  it('aborting after the task has settled has no effect', async () => {
    const { add, started, counts } = setUp(1)
    const controller = new AbortController()
    const a = add('a', { signal: controller.signal })
    await a.finish('done')
    add('b')
    add('c')
    controller.abort('too late')
    await flush()
    expect(a.outcome).toEqual({ state: 'fulfilled', result: 'done' })
    expect(started).toEqual(['a', 'b'])
    expect(counts()).toEqual([1, 1])
  })

  it('one signal cancels many tasks without starting any of them', async () => {
    const { add, started, counts } = setUp(2)
    const controller = new AbortController()
    const { signal } = controller
    const cancelled = ['a', 'b', 'c', 'd'].map((name) => add(name, { signal }))
    const kept = add('kept', { priority: -1 })
    controller.abort('all')
    expect(counts()).toEqual([1, 2])
    await flush()
    for (const task of cancelled) {
      expect(task.outcome).toEqual({ state: 'rejected', result: 'all' })
    }
    expect(started).toEqual(['a', 'b'])
    await cancelled[1].finish()
    expect(started).toEqual(['a', 'b', 'kept'])
    expect(kept.outcome.state).toBe('pending')
  })

  it('a task without a signal is given one that is not aborted', async () => {
    const { add } = setUp(1)
    const controller = new AbortController()
    const a = add('a')
    add('b', { signal: controller.signal })
    controller.abort()
    expect(a.signal).toBeInstanceOf(AbortSignal)
    expect(a.signal?.aborted).toBe(false)
  })
})

describe('waiting for the queue', () => {
  it('an empty queue is drained and idle', async () => {
    const { queue } = setUp(1)
    const outcomes = [observe(queue.whenDrained()), observe(queue.whenIdle())]
    await flush()
    expect(outcomes.map((outcome) => outcome.state)).toEqual(['fulfilled', 'fulfilled'])
  })

  it('is drained when the last waiting task has been started', async () => {
    const { queue, add } = setUp(1)
    const a = add('a')
    const b = add('b')
    const drained = observe(queue.whenDrained())
    await flush()
    expect(drained.state).toBe('pending')
    await a.finish()
    expect(drained).toEqual({ state: 'fulfilled', result: undefined })
    expect(queue.running).toBe(1)
    await b.finish()
  })

  it('is idle when the last running task has settled', async () => {
    const { queue, add } = setUp(2)
    const a = add('a')
    const b = add('b')
    const idle = [observe(queue.whenIdle()), observe(queue.whenIdle())]
    await a.finish()
    expect(idle.map((outcome) => outcome.state)).toEqual(['pending', 'pending'])
    await b.fail(new Error('failed'))
    expect(idle.map((outcome) => outcome.state)).toEqual(['fulfilled', 'fulfilled'])
    expect(queue.running).toBe(0)
  })

  it('is drained when the last waiting task is cancelled', async () => {
    const { queue, add } = setUp(1)
    const controller = new AbortController()
    add('a')
    add('b', { signal: controller.signal })
    const drained = observe(queue.whenDrained())
    const idle = observe(queue.whenIdle())
    controller.abort()
    await flush()
    expect(drained.state).toBe('fulfilled')
    expect(idle.state).toBe('pending')
  })

  it('is not idle while a cancelled task is still running', async () => {
    const { queue, add } = setUp(1)
    const controller = new AbortController()
    const a = add('a', { signal: controller.signal })
    controller.abort()
    const idle = observe(queue.whenIdle())
    await flush()
    expect(idle.state).toBe('pending')
    await a.finish()
    expect(idle.state).toBe('fulfilled')
  })

  it('can be waited for again after more work', async () => {
    const { queue, add } = setUp(1)
    await add('a').finish()
    const b = add('b')
    const c = add('c')
    const idle = observe(queue.whenIdle())
    const drained = observe(queue.whenDrained())
    await flush()
    expect([idle.state, drained.state]).toEqual(['pending', 'pending'])
    await b.finish()
    expect([idle.state, drained.state]).toEqual(['pending', 'fulfilled'])
    await c.finish()
    expect(idle.state).toBe('fulfilled')
  })
})
