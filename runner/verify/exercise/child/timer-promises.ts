import { domException } from './web-events.ts'

type Callback = (...given: unknown[]) => void
type Start = (callback: Callback, delay?: number) => object
export type Timers = { setTimeout: Start; setImmediate: Start; clearTimeout(handle: object): void }
type Signal = {
  aborted: boolean
  reason?: unknown
  addEventListener(type: string, listen: () => void): void
  removeEventListener(type: string, listen: () => void): void
}
type Options = { signal?: Signal } | undefined

const NativePromise = Promise

/** Symbol by which functions define their `promisify` version: timers, whose callback comes first. */
export const PROMISED = Symbol.for('nodejs.util.promisify.custom')

/** `node:timers/promises` over the timers of the sandbox, which `promisify` then uses too. */
export function createTimerPromises({ setTimeout, setImmediate, clearTimeout }: Timers) {
  const sleep = (delay?: number, value?: unknown, options?: Options): Promise<unknown> =>
    settle((done) => setTimeout(done, delay), clearTimeout, { value, options })
  const tick = (value?: unknown, options?: Options): Promise<unknown> =>
    settle(setImmediate, () => undefined, { value, options })
  async function* every(delay?: number, value?: unknown, options?: Options) {
    for (;;) yield await sleep(delay, value, options)
  }
  Object.defineProperty(setTimeout, PROMISED, { value: sleep })
  Object.defineProperty(setImmediate, PROMISED, { value: tick })
  const scheduler = {
    wait: (delay?: number, options?: Options) => sleep(delay, undefined, options),
    yield: () => tick(),
  }
  return { setTimeout: sleep, setImmediate: tick, setInterval: every, scheduler }
}

/** Wraps a timer in a promise; an abort stops the timer and rejects, as in node. */
function settle(
  start: (done: Callback) => object,
  stop: (handle: object) => void,
  { value, options }: { value: unknown; options: Options },
): Promise<unknown> {
  const signal = options?.signal
  return new NativePromise((resolve, reject) => {
    const refuse = () => reject(aborted(signal?.reason))
    if (signal?.aborted) return refuse()
    const abort = () => {
      stop(handle)
      refuse()
    }
    const handle = start(() => {
      signal?.removeEventListener('abort', abort)
      resolve(value)
    })
    signal?.addEventListener('abort', abort)
  })
}

function aborted(cause: unknown): Error {
  const error = domException('The operation was aborted', 'AbortError')
  return Object.assign(error, { cause })
}
