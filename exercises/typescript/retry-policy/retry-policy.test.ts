import { describe, it, expect } from '@jest/globals'
import { retry, RetryError, type Attempt, type RetryOptions } from './retry-policy.ts'

type Equal<A, B> =
  (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
function expectType<_T extends true>(): void {}

interface World {
  readonly options: RetryOptions
  /** The waits so far. */
  readonly waits: number[]
  /** Lets time pass without a wait. */
  pass(milliseconds: number): void
}

/** A world in which time passes only where somebody waits. */
function worldWith(overrides: Partial<RetryOptions> = {}): World {
  const waits: number[] = []
  let time = 1_000_000
  return {
    waits,
    pass: (milliseconds) => {
      time += milliseconds
    },
    options: {
      maxAttempts: 3,
      baseDelayMs: 100,
      maxDelayMs: 10_000,
      random: () => 0.5,
      now: () => time,
      sleep: async (delayMs) => {
        waits.push(delayMs)
        time += delayMs
      },
      ...overrides,
    },
  }
}

/** Fails with each of the errors in turn, then succeeds. */
function failing(...errors: unknown[]): {
  task: (attempt: Attempt) => Promise<string>
  calls: Attempt[]
} {
  const calls: Attempt[] = []
  const task = async (attempt: Attempt): Promise<string> => {
    calls.push(attempt)
    if (calls.length <= errors.length) throw errors[calls.length - 1]
    return 'done'
  }
  return { task, calls }
}

const failures = (count: number): Error[] =>
  Array.from({ length: count }, (_, i) => new Error(`failure ${i + 1}`))

async function rejectionOf(promise: Promise<unknown>): Promise<unknown> {
  let result: unknown
  try {
    result = await promise
  } catch (error) {
    return error
  }
  throw new Error(`Expected a rejection, but got ${String(result)}`)
}

async function giveUpOf(promise: Promise<unknown>): Promise<RetryError> {
  const error = await rejectionOf(promise)
  expect(error).toBeInstanceOf(RetryError)
  return error as RetryError
}

describe('trying', () => {
  it('returns the first success without waiting', async () => {
    const { options, waits } = worldWith()
    const { task, calls } = failing()
    expect(await retry(task, options)).toBe('done')
    expect(calls.map(({ number }) => number)).toEqual([1])
    expect(waits).toEqual([])
  })

  it('tries again until it succeeds and counts the attempts', async () => {
    const { options } = worldWith()
    const { task, calls } = failing(...failures(2))
    expect(await retry(task, options)).toBe('done')
    expect(calls.map(({ number }) => number)).toEqual([1, 2, 3])
  })

  it('treats a task that throws like one that rejects', async () => {
    const { options, waits } = worldWith()
    let calls = 0
    const task = (): number => {
      calls += 1
      if (calls < 2) throw new Error('at once')
      return calls
    }
    expect(await retry(task, options)).toBe(2)
    expect(waits).toEqual([100])
  })

  it('calls the task as often as allowed and not once more', async () => {
    const { options, waits } = worldWith({ maxAttempts: 4 })
    const { task, calls } = failing(...failures(9))
    await giveUpOf(retry(task, options))
    expect(calls.length).toBe(4)
    expect(waits.length).toBe(3)
  })

  it('gives up with all errors, the last one as the cause', async () => {
    const { options } = worldWith()
    const errors = failures(3)
    const error = await giveUpOf(retry(failing(...errors).task, options))
    expect(error.reason).toBe('attempts')
    expect(error.cause).toBe(errors[2])
    expect(error.errors.length).toBe(3)
    expect(error.errors.every((each, i) => each === errors[i])).toBe(true)
    expect(error.name).toBe('RetryError')
    expect(error.message).toBe('Gave up after 3 attempts: attempts')
  })

  it('keeps whatever was thrown, even if it is no error', async () => {
    const { options } = worldWith({ maxAttempts: 2 })
    const error = await giveUpOf(retry(failing('text', undefined).task, options))
    expect(error.errors).toEqual(['text', undefined])
    expect(error.cause).toBe(undefined)
  })

  it('can be limited to one attempt', async () => {
    const { options, waits } = worldWith({ maxAttempts: 1 })
    const error = await giveUpOf(retry(failing(...failures(1)).task, options))
    expect(error.message).toBe('Gave up after 1 attempt: attempts')
    expect(waits).toEqual([])
  })

  it('rejects a number of attempts that makes no sense', async () => {
    for (const maxAttempts of [0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY]) {
      const { task, calls } = failing()
      const error = await rejectionOf(retry(task, worldWith({ maxAttempts }).options))
      expect(error).toBeInstanceOf(RangeError)
      expect(calls).toEqual([])
    }
  })
})

describe('errors that are not worth another try', () => {
  it('are passed on as they are', async () => {
    const hopeless = new TypeError('hopeless')
    const { options, waits } = worldWith({ shouldRetry: (error) => error !== hopeless })
    const { task, calls } = failing(new Error('passing'), hopeless)
    expect(await rejectionOf(retry(task, options))).toBe(hopeless)
    expect(calls.length).toBe(2)
    expect(waits).toEqual([100])
  })

  it('are passed on even after the last attempt', async () => {
    const hopeless = new TypeError('hopeless')
    const { options } = worldWith({ maxAttempts: 2, shouldRetry: (error) => error !== hopeless })
    expect(await rejectionOf(retry(failing(new Error('x'), hopeless).task, options))).toBe(hopeless)
  })

  it('are found by asking about each error with its attempt', async () => {
    const asked: [unknown, number][] = []
    const shouldRetry = (error: unknown, attempt: number): boolean => {
      asked.push([error, attempt])
      return true
    }
    const { options } = worldWith({ shouldRetry })
    await rejectionOf(retry(failing('a', 'b', 'c').task, options))
    expect(asked).toEqual([
      ['a', 1],
      ['b', 2],
      ['c', 3],
    ])
  })
})

describe('waiting', () => {
  it('doubles the wait after each failure, up to the largest', async () => {
    const { options, waits } = worldWith({ maxAttempts: 7, maxDelayMs: 1000 })
    await retry(failing(...failures(6)).task, options)
    expect(waits).toEqual([100, 200, 400, 800, 1000, 1000])
  })

  it('never waits longer than the largest wait, not even the first time', async () => {
    const { options, waits } = worldWith({ baseDelayMs: 700, maxDelayMs: 500 })
    await retry(failing(...failures(2)).task, options)
    expect(waits).toEqual([500, 500])
  })

  it('lets chance take off no more than its share', async () => {
    const chances = [0, 0.5, 0.75]
    const { options, waits } = worldWith({
      maxAttempts: 4,
      jitter: 0.5,
      random: () => chances.shift() ?? 0,
    })
    await retry(failing(...failures(3)).task, options)
    expect(waits).toEqual([100, 150, 250])
  })

  it('lets chance shorten the largest wait too', async () => {
    const { options, waits } = worldWith({
      maxAttempts: 5,
      maxDelayMs: 300,
      jitter: 1,
      random: () => 0.5,
    })
    await retry(failing(...failures(4)).task, options)
    expect(waits).toEqual([50, 100, 150, 150])
  })

  it('asks for one random number a wait and does not round', async () => {
    let asked = 0
    const random = (): number => {
      asked += 1
      return 0.125
    }
    const { options, waits } = worldWith({ baseDelayMs: 5, jitter: 0.5, random })
    await retry(failing(...failures(2)).task, options)
    expect(waits).toEqual([4.6875, 9.375])
    expect(asked).toBe(2)
  })

  it('is as patient as the error asks, whatever the largest wait and chance say', async () => {
    const { options, waits } = worldWith({ maxDelayMs: 200, jitter: 1 })
    const busy = Object.assign(new Error('busy'), { retryAfterMs: 7000 })
    await retry(failing(busy, new Error('other')).task, options)
    expect(waits).toEqual([7000, 100])
  })

  it('is more patient than the error asks if the computed wait is longer', async () => {
    const { options, waits } = worldWith()
    await retry(failing(new Error('first'), { retryAfterMs: 150 }).task, options)
    expect(waits).toEqual([100, 200])
  })

  it('finds inherited patience and ignores nonsense', async () => {
    class BusyError extends Error {
      get retryAfterMs(): number {
        return 5000
      }
    }
    const { options, waits } = worldWith({ maxAttempts: 8, maxDelayMs: 100 })
    const { task } = failing(
      new BusyError(),
      { retryAfterMs: '9000' },
      { retryAfterMs: Number.NaN },
      { retryAfterMs: Number.POSITIVE_INFINITY },
      { retryAfterMs: -1 },
      null,
      'retryAfterMs',
    )
    await retry(task, options)
    expect(waits).toEqual([5000, 100, 100, 100, 100, 100, 100])
  })
})

describe('the time in all', () => {
  it('forbids a wait that would end too late', async () => {
    const { options, waits } = worldWith({ maxAttempts: 9, maxElapsedMs: 699 })
    const errors = failures(9)
    const { task, calls } = failing(...errors)
    const error = await giveUpOf(retry(task, options))
    expect(error.reason).toBe('elapsed')
    expect(error.message).toBe('Gave up after 3 attempts: elapsed')
    expect(error.cause).toBe(errors[2])
    expect(calls.length).toBe(3)
    expect(waits).toEqual([100, 200])
  })

  it('allows a wait that ends in time to the millisecond', async () => {
    const { options, waits } = worldWith({ maxAttempts: 9, maxElapsedMs: 700 })
    await giveUpOf(retry(failing(...failures(9)).task, options))
    expect(waits).toEqual([100, 200, 400])
  })

  it('includes the work of the task', async () => {
    const world = worldWith({ maxAttempts: 9, maxElapsedMs: 1000 })
    const task = async (): Promise<never> => {
      world.pass(300)
      throw new Error('slow')
    }
    const error = await giveUpOf(retry(task, world.options))
    expect(error.reason).toBe('elapsed')
    expect(world.waits).toEqual([100, 200])
  })

  it('does not let patience overrun it', async () => {
    const { options, waits } = worldWith({ maxElapsedMs: 5000 })
    const error = await giveUpOf(retry(failing({ retryAfterMs: 5001 }).task, options))
    expect(error.reason).toBe('elapsed')
    expect(waits).toEqual([])
  })

  it('is not the reason after the last attempt', async () => {
    const { options } = worldWith({ maxAttempts: 1, maxElapsedMs: 0 })
    expect((await giveUpOf(retry(failing('x').task, options))).reason).toBe('attempts')
  })
})

describe('aborting', () => {
  it('prevents even the first call', async () => {
    const reason = new Error('not today')
    const { options } = worldWith({ signal: AbortSignal.abort(reason) })
    const { task, calls } = failing()
    expect(await rejectionOf(retry(task, options))).toBe(reason)
    expect(calls).toEqual([])
  })

  it('hands the signal to the task and lets it succeed all the same', async () => {
    const controller = new AbortController()
    const { options } = worldWith({ signal: controller.signal })
    const seen: unknown[] = []
    const task = async ({ signal }: Attempt): Promise<string> => {
      seen.push(signal)
      controller.abort()
      return 'finished'
    }
    expect(await retry(task, options)).toBe('finished')
    expect(seen.length).toBe(1)
    expect(seen[0]).toBe(controller.signal)
  })

  it('counts for more than the failure, whatever the reason is', async () => {
    const controller = new AbortController()
    const asked: unknown[] = []
    const { options, waits } = worldWith({
      maxAttempts: 1,
      signal: controller.signal,
      shouldRetry: (error) => {
        asked.push(error)
        return false
      },
    })
    const task = async (): Promise<never> => {
      controller.abort('enough')
      throw new Error('failed')
    }
    expect(await rejectionOf(retry(task, options))).toBe('enough')
    expect(asked).toEqual([])
    expect(waits).toEqual([])
  })

  it('ends a wait at once and calls the task no more', async () => {
    const controller = new AbortController()
    const reason = new Error('stop')
    let isWaitOver = false
    const { options } = worldWith({
      signal: controller.signal,
      sleep: async () => {
        setTimeout(() => controller.abort(reason), 1)
        await new Promise((resolve) => setTimeout(resolve, 25))
        isWaitOver = true
      },
    })
    const { task, calls } = failing(...failures(2))
    expect(await rejectionOf(retry(task, options))).toBe(reason)
    expect(isWaitOver).toBe(false)
    expect(calls.length).toBe(1)
    await new Promise((resolve) => setTimeout(resolve, 40))
    expect(calls.length).toBe(1)
  })
})

describe('falling back', () => {
  it('takes the place of giving up', async () => {
    const { options } = worldWith()
    const seen: RetryError[] = []
    const fallback = async (error: RetryError): Promise<number> => {
      seen.push(error)
      return -1
    }
    expect(await retry(failing('a', 'b', 'c').task, { ...options, fallback })).toBe(-1)
    expect(seen.length).toBe(1)
    expect(seen[0]).toBeInstanceOf(RetryError)
    expect(seen[0].errors).toEqual(['a', 'b', 'c'])
  })

  it('is used when time is up, but not after a success', async () => {
    const fallback = (error: RetryError): string => `fallback: ${error.reason}`
    const { options } = worldWith({ maxElapsedMs: 50 })
    expect(await retry(failing('a').task, { ...options, fallback })).toBe('fallback: elapsed')
    expect(await retry(failing().task, { ...options, fallback })).toBe('done')
  })

  it('does not hide hopeless errors and aborts', async () => {
    const fallback = (): string => 'hidden'
    const { options } = worldWith({ shouldRetry: () => false })
    expect(await rejectionOf(retry(failing('hopeless').task, { ...options, fallback }))).toBe(
      'hopeless',
    )
    const signal = AbortSignal.abort('aborted')
    expect(await rejectionOf(retry(failing().task, { ...options, signal, fallback }))).toBe(
      'aborted',
    )
  })

  it('may fail itself', async () => {
    const { options } = worldWith({ maxAttempts: 1 })
    const broken = new Error('broken')
    const fallback = (): string => {
      throw broken
    }
    expect(await rejectionOf(retry(failing('a').task, { ...options, fallback }))).toBe(broken)
  })
})

describe('the types', () => {
  it('give the result of the task, asynchronous or not', async () => {
    const { options } = worldWith()
    const text = retry(async () => 'text', options)
    const length = retry(() => 'text'.length, options)
    const pair = retry(() => Promise.resolve({ id: 7, tags: ['a'] }), options)
    expectType<Equal<typeof text, Promise<string>>>()
    expectType<Equal<typeof length, Promise<number>>>()
    expectType<Equal<typeof pair, Promise<{ id: number; tags: string[] }>>>()
    expect(await Promise.all([text, length, pair])).toEqual(['text', 4, { id: 7, tags: ['a'] }])
  })

  it('add the type of the fallback only if there is one', async () => {
    const { options } = worldWith()
    const maybe = retry(async () => 'text', { ...options, fallback: () => null })
    const either = retry(() => 'text', { ...options, fallback: async () => 4 })
    expectType<Equal<typeof maybe, Promise<string | null>>>()
    expectType<Equal<typeof either, Promise<string | number>>>()
    expect(await maybe).toBe('text')
    expect(await either).toBe('text')
    // @ts-expect-error the fallback may have taken the place of the text
    const certain: string = await maybe
    expect(certain).toBe('text')
  })

  it('make everybody look at an error before using it', () => {
    const { options } = worldWith()
    const careless = (): Promise<string> =>
      retry(async () => 'text', {
        ...options,
        // @ts-expect-error an error may be anything
        shouldRetry: (error) => error.status === 503,
      })
    expect(typeof careless).toBe('function')
    expectType<Equal<RetryError['errors'], readonly unknown[]>>()
    expectType<Equal<RetryError['reason'], 'attempts' | 'elapsed'>>()
  })

  it('tell the task and the fallback what they get', () => {
    const { options } = worldWith()
    const call = (): Promise<string | number> =>
      retry(
        (attempt) => {
          expectType<Equal<typeof attempt, Attempt>>()
          return `attempt ${attempt.number}`
        },
        {
          ...options,
          fallback: (error) => {
            expectType<Equal<typeof error, RetryError>>()
            return error.errors.length
          },
        },
      )
    expect(typeof call).toBe('function')
  })
})
