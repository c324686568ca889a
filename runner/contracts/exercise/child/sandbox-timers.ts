const { apply } = Reflect

type Callback = (...given: unknown[]) => void
type Real = ReturnType<typeof setTimeout>

/** What a timer call returns: like Node's, but without the links that lead to the timers of the harness. */
class Timeout {
  #real: Real
  constructor(real: Real) {
    this.#real = real
  }
  static real(value: unknown): Real | undefined {
    return typeof value === 'object' && value !== null && #real in value ? value.#real : undefined
  }
  ref(): this {
    this.#real.ref?.()
    return this
  }
  unref(): this {
    this.#real.unref?.()
    return this
  }
  hasRef(): boolean {
    return this.#real.hasRef?.() ?? false
  }
  refresh(): this {
    this.#real.refresh?.()
    return this
  }
  close(): this {
    clearTimeout(this.#real)
    return this
  }
  [Symbol.toPrimitive](): number {
    return (
      (this.#real as unknown as { [Symbol.toPrimitive]?(): number })[Symbol.toPrimitive]?.() ?? 0
    )
  }
}

/** Timer functions for the sandbox, over the real ones as they were before any solution loaded. */
export function createTimers(): Record<string, unknown> {
  const real = {
    setTimeout,
    setInterval,
    setImmediate,
    clearTimeout,
    clearInterval,
    clearImmediate,
  }
  const start =
    (begin: (run: () => void, delay: number) => unknown) =>
    (callback: Callback, delay?: number, ...given: unknown[]) => {
      if (typeof callback !== 'function')
        throw new TypeError('The "callback" argument must be of type function')
      const handle: Timeout = new Timeout(
        begin(() => void apply(callback, handle, given), Number(delay)) as Real,
      )
      return handle
    }
  const stop = (end: (handle: never) => void) => (handle: unknown) => {
    const known = Timeout.real(handle) ?? (typeof handle === 'object' ? undefined : handle)
    if (known !== undefined) end(known as never)
  }
  const immediate = start((run) => real.setImmediate(run))
  Object.freeze(Timeout.prototype)
  return {
    setTimeout: start((run, delay) => real.setTimeout(run, delay)),
    setInterval: start((run, delay) => real.setInterval(run, delay)),
    setImmediate: (callback: Callback, ...given: unknown[]) => immediate(callback, 0, ...given),
    clearTimeout: stop(real.clearTimeout),
    clearInterval: stop(real.clearInterval),
    clearImmediate: stop(real.clearImmediate),
  }
}
