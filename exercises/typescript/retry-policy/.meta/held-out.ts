import type { Random, Scenario, ScenarioContext } from '../../../held-out.ts'
import { RetryError, type RetryOptions, retry } from '../retry-policy.ts'

type Attempt = { number: number; signal: AbortSignal | undefined }
type Options = RetryOptions & { fallback?: (error: RetryError) => unknown }

// One type for both forms.
const start = retry as unknown as (
  task: (attempt: Attempt) => unknown,
  options: Options,
) => Promise<unknown>

/** Tasks that fail now and then, under a clock of their own, to the end or until an abort. */
export const scenario: Scenario = async (context) => {
  for (let round = 0; round < 90; round++) await tryAgain(context)
  for (let round = 0; round < 15; round++) await abortWait(context)
  for (let round = 0; round < 14; round++) await abortEarlier(context)
  await refuseAttempts(context)
}

async function tryAgain({ random, record, settle }: ScenarioContext): Promise<void> {
  let time = random.int(-100, 100_000)
  let chances = 0
  const log: unknown[] = []
  const thrown: unknown[] = []
  const signal = random.chance(0.3) ? new AbortController().signal : undefined
  const lucky = random.int(1, 14)
  const task = (attempt: Attempt): unknown => {
    log.push(['task', attempt.number, attempt.signal === signal])
    time += random.int(0, 3)
    if (attempt.number >= lucky) return resultOf(random, attempt.number)
    thrown.push(someError(random))
    return failWith(random, thrown.at(-1))
  }
  const hopeless = random.chance(0.3) ? random.int(1, 6) : 0
  const options: Options = {
    ...someTiming(random),
    ...(random.chance(0.5) && { fallback: someFallback(random, log) }),
    ...(random.chance(0.6) && {
      shouldRetry: (error: unknown, attempt: number) => {
        log.push(['asked', attempt, Object.is(error, thrown.at(-1))])
        return attempt !== hopeless
      },
    }),
    ...(signal && { signal }),
    random: () => {
      chances++
      return random.int(0, 15) / 16
    },
    now: () => time,
    sleep: (delayMs) => {
      log.push(['sleep', delayMs, chances])
      time += delayMs
      return Promise.resolve()
    },
  }
  await settle(
    'outcome',
    () => start(task, options),
    (error) => describe(error, thrown),
  )
  record('log', log)
}

/** An abort while a wait lasts: it ends at once, and nothing is called any more. */
async function abortWait({ random, record, settle, flush }: ScenarioContext): Promise<void> {
  const controller = new AbortController()
  const waits = random.int(1, 3)
  const log: string[] = []
  let wake = (): void => undefined
  const sleep = (delayMs: number) => {
    log.push(`sleep ${delayMs}`)
    if (log.filter((entry) => entry.startsWith('sleep')).length < waits) return Promise.resolve()
    return new Promise<void>((resolve) => {
      wake = resolve
    })
  }
  const task = ({ number }: Attempt) => {
    log.push(`task ${number}`)
    return failWith(random, 'failed')
  }
  const fallback = () => log.push('fallback')
  const timing = { maxAttempts: random.int(4, 9), baseDelayMs: random.int(1, 9), maxDelayMs: 20 }
  const { signal } = controller
  const promise = start(task, { ...timing, signal, sleep, now: () => 0, fallback })
  let settled = false
  const note = () => {
    settled = true
  }
  void promise.then(note, note)
  await flush()
  record('waiting', [settled, log.length])
  controller.abort(...(random.chance(0.7) ? [someError(random)] : []))
  await flush()
  record('aborted', settled)
  wake()
  await flush()
  await settle(
    'outcome',
    () => promise,
    (error) => Object.is(error, signal.reason),
  )
  record('log', log)
}

/** An abort before the start or during an attempt, which may succeed in spite of it. */
async function abortEarlier({ random, record, settle }: ScenarioContext): Promise<void> {
  const controller = new AbortController()
  const log: unknown[] = []
  const abortAt = random.int(0, 3)
  const succeeds = random.chance(0.4)
  const abort = () => controller.abort(random.pick([new Error('stop'), 'stop', 7, null]))
  if (abortAt === 0) abort()
  const task = ({ number, signal }: Attempt) => {
    if (number === abortAt) abort()
    log.push([number, signal?.aborted])
    return number === abortAt && succeeds ? 'in spite of it' : failWith(random, new Error('no'))
  }
  const { signal } = controller
  const options: Options = {
    ...{ maxAttempts: random.int(3, 5), baseDelayMs: 1, maxDelayMs: 8, signal, now: () => 0 },
    sleep: () => Promise.resolve(),
    fallback: () => log.push('fallback'),
    shouldRetry: (_error, attempt) => log.push(`asked ${attempt}`) > 0,
  }
  await settle(
    'outcome',
    () => start(task, options),
    (error) => Object.is(error, signal.reason),
  )
  record('log', log)
}

async function refuseAttempts({ random, record, settle }: ScenarioContext): Promise<void> {
  let calls = 0
  for (const maxAttempts of [0, -random.int(1, 9), random.int(1, 5) + 0.5, Number.NaN, Infinity]) {
    const sleep = () => Promise.resolve()
    const options = { maxAttempts, baseDelayMs: 1, maxDelayMs: 1, sleep, now: () => 0 }
    const promise = start(() => ++calls, options)
    await settle(
      `${maxAttempts}`,
      () => promise,
      (error) => error instanceof RangeError,
    )
  }
  record('calls', calls)
}

function someTiming(random: Random) {
  return {
    maxAttempts: random.pick([1, 2, 3, 5, 8, 12]),
    baseDelayMs: random.int(0, 6),
    maxDelayMs: random.pick([4, 10, 40, 100, 1000]),
    ...(random.chance(0.5) && { maxElapsedMs: random.int(0, 60) }),
    ...(random.chance(0.7) && { jitter: random.pick([0, 0.25, 0.5, 1]) }),
  }
}

function someError(random: Random): unknown {
  const patience = random.pick([0, 1, 5, random.int(2, 50), -3, Number.NaN, Infinity, '9', null])
  const asks = { retryAfterMs: patience }
  return random.pick<() => unknown>([
    () => new Error('failed'),
    () => random.pick(['text', 7, null, undefined, true, '']),
    () => Object.assign(new Error('busy'), asks),
    () => asks,
    () => Object.create(asks),
  ])()
}

function failWith(random: Random, error: unknown): Promise<never> {
  if (random.chance(0.5)) throw error
  return Promise.reject(error)
}

function resultOf(random: Random, number: number): unknown {
  return random.pick<unknown>([number, { number }, undefined, Promise.resolve(number), null])
}

function someFallback(random: Random, log: unknown[]): (error: RetryError) => unknown {
  const ending = random.int(0, 3)
  return (error) => {
    log.push(['fallback', error.message, error.errors.length])
    if (ending === 0) throw new RangeError('fallback failed')
    return ending === 1 ? Promise.reject('fallback rejected') : resultOf(random, ending)
  }
}

function describe(error: unknown, thrown: readonly unknown[]): unknown {
  if (!(error instanceof RetryError)) return ['other', Object.is(error, thrown.at(-1)), error]
  const { name, message, reason, errors, cause } = error
  const exact =
    errors.length === thrown.length && errors.every((one, i) => Object.is(one, thrown[i]))
  return [name, message, reason, exact, Object.is(cause, thrown.at(-1)), error instanceof Error]
}
