import { createBuiltins, freezeReachable } from './builtin-modules.ts'
import { LANGUAGE_GLOBALS } from './guard-writes.ts'
import { lockIntrinsics } from './lock-intrinsics.ts'
import { createConsole, createSandboxProcess } from './sandbox-process.ts'
import { createTimerPromises, type Timers } from './timer-promises.ts'
import { createWebEvents } from './web-events.ts'
import { createWebText } from './web-text.ts'

export type RealRequire = (name: string) => object

/**
 * Turns this process's one realm into the sandbox: globals chosen, real process unreachable, language locked. Done
 * before the work arrives, so that a prewarmed process only waits for its input.
 */
export function makeSandbox(realProcess: NodeJS.Process, realRequire: RealRequire) {
  const process = createSandboxProcess(realProcess)
  const timers = createTimers()
  const timerPromises = createTimerPromises(timers)
  const console = createConsole()
  const performance = createPerformance()
  const web = { ...createWebEvents(), ...createWebText() }
  hideRealProcess(realProcess, realRequire)
  const load = closeModules(realRequire)
  const crypto = createCrypto(load)
  const { Buffer } = globalThis
  const builtin = createBuiltins(load, {
    process,
    console,
    timers,
    'timers/promises': timerPromises,
    perf_hooks: { performance },
  })
  for (const name of ['compileStreaming', 'instantiateStreaming'])
    Reflect.deleteProperty(WebAssembly, name)
  for (const name of Reflect.ownKeys(console)) freezeReachable(Reflect.get(console, name))
  freezeFunctions(process)
  setSandboxGlobals({ process, console, performance, crypto, Buffer, ...web, ...timers })
  lockIntrinsics([Buffer, ...Object.values(web), timers, performance, crypto])
  return { builtin }
}

/** Programs may write to `process.env` and the like; its functions are ours and stay unchanged. */
function freezeFunctions(process: object): void {
  for (const { value, get } of Object.values(Object.getOwnPropertyDescriptors(process))) {
    if (typeof value === 'function') freezeReachable(value)
    if (get) Object.freeze(get)
  }
}

/**
 * Members of the real process that only an escape would use. Node itself does not need them once a program has started.
 */
const DANGEROUS = [
  ...['binding', '_linkedBinding', 'dlopen', 'mainModule', 'getBuiltinModule', 'reallyExit'],
  ...['kill', '_kill', 'abort', '_debugProcess', '_debugEnd', 'report', 'chdir', 'umask', 'env'],
  ...['stdin', 'openStdin', '_getActiveHandles', '_getActiveRequests', 'getActiveResourcesInfo'],
  ...[
    'setuid',
    'setgid',
    'seteuid',
    'setegid',
    'setgroups',
    'initgroups',
    '_eval',
    'moduleLoadList',
  ],
]

/**
 * The real process is exposed nowhere. If a solution reaches it through an overlooked part of node, it is an empty
 * shell: no bindings, no modules, no exits, and its own prototype.
 */
function hideRealProcess(realProcess: NodeJS.Process, realRequire: RealRequire): void {
  const { prototype } = realRequire('node:events') as unknown as { prototype: object }
  const copy = Object.create(
    Object.prototype,
    Object.getOwnPropertyDescriptors(prototype),
  ) as object
  Object.setPrototypeOf(Object.getPrototypeOf(realProcess), copy)
  for (const name of DANGEROUS) {
    Reflect.deleteProperty(realProcess, name)
    if (name in realProcess) Reflect.set(realProcess, name, undefined)
  }
}

/** From here on only the returned function can load a module, even with access to node's loader. */
function closeModules(realRequire: RealRequire): RealRequire {
  const modules = realRequire('node:module') as unknown as Record<string, unknown>
  const realLoad = modules._load as (...given: unknown[]) => object
  let isOpen = false
  for (const name of ['_resolveFilename', 'createRequire', 'wrap', 'runMain'])
    Reflect.set(modules, name, undefined)
  modules._load = (...given: unknown[]): object => {
    if (!isOpen) throw new Error('modules cannot be loaded here')
    return Reflect.apply(realLoad, modules, given)
  }
  return (name) => {
    isOpen = true
    try {
      return realRequire(name)
    } finally {
      isOpen = false
    }
  }
}

function createPerformance(): object {
  const real = performance
  const { timeOrigin } = real
  return { now: () => real.now(), timeOrigin, mark: () => undefined, measure: () => undefined }
}

/** The part of web crypto that creates random values; loaded on first use, since it costs start-up time. */
function createCrypto(realRequire: RealRequire): object {
  const load = () => realRequire('node:crypto') as typeof import('node:crypto')
  return {
    randomUUID: () => load().randomUUID(),
    getRandomValues: (target: Uint8Array) => load().getRandomValues(target),
  }
}

const { defineProperty, getOwnPropertyDescriptor } = Object
const { ownKeys } = Reflect

/** Everything else that node adds is deleted or replaced by our objects: no network, no channels, no workers. */
const KEPT: readonly string[] = ['globalThis', 'global']

/** Restricts the global object to what a solution and its tests may see; everything named stays as it is now. */
function setSandboxGlobals(replacements: Record<string, unknown>): void {
  const language = new Set<PropertyKey>([...LANGUAGE_GLOBALS, ...KEPT])
  for (const key of ownKeys(globalThis)) {
    if (language.has(key)) lockGlobal(key)
    else if (typeof key === 'string' && !(key in replacements))
      Reflect.deleteProperty(globalThis, key)
  }
  for (const [key, value] of Object.entries(replacements)) {
    const writable = key === 'console'
    Reflect.deleteProperty(globalThis, key)
    defineProperty(globalThis, key, { value, writable, enumerable: false, configurable: false })
  }
}

function lockGlobal(key: PropertyKey): void {
  const found = getOwnPropertyDescriptor(globalThis, key)
  if (!found?.configurable || !('value' in found)) return
  defineProperty(globalThis, key, { ...found, writable: false, configurable: false })
}

const { apply } = Reflect

type Callback = (...given: unknown[]) => void
type Real = ReturnType<typeof setTimeout>

/** The result of a timer call: like Node's, but without the links that lead to the timers of the harness. */
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

/** Creates timer functions for the sandbox from the original ones, captured before any solution loaded. */
function createTimers(): Timers & Record<string, unknown> {
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
