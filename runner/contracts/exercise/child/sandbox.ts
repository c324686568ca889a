import { createBuiltins } from './builtin-modules.ts'
import { createConsole } from './captured-console.ts'
import { lockIntrinsics } from './lock-intrinsics.ts'
import { setSandboxGlobals } from './sandbox-globals.ts'
import { createSandboxProcess } from './sandbox-process.ts'
import { createTimers } from './sandbox-timers.ts'

export type RealRequire = (name: string) => object

/**
 * Turns this process's one realm into the sandbox: globals chosen, real process out of reach, language locked.
 * Done ahead of the work, so that a prewarmed process only waits for its input.
 */
export function makeSandbox(realProcess: NodeJS.Process, realRequire: RealRequire) {
  const process = createSandboxProcess(realProcess)
  const timers = createTimers()
  const console = createConsole()
  const performance = createPerformance()
  const crypto = createCrypto(realRequire)
  hideRealProcess(realProcess, realRequire)
  const { Buffer } = globalThis
  const builtin = createBuiltins(realRequire, {
    process,
    console,
    timers,
    perf_hooks: { performance },
  })
  setSandboxGlobals({
    process,
    console,
    performance,
    crypto,
    Buffer,
    ...timers,
  })
  lockIntrinsics([Buffer, queueMicrotask, structuredClone, timers, performance, crypto])
  return { builtin }
}

/**
 * `EventEmitter.prototype` is handed to solutions as part of node:events. The real process inherits from it, so a
 * patched `emit` would be called with the real process as `this`: it gets a copy of its own to inherit from.
 */
function hideRealProcess(realProcess: NodeJS.Process, realRequire: RealRequire): void {
  const { prototype } = realRequire('node:events') as unknown as { prototype: object }
  const copy = Object.create(
    Object.prototype,
    Object.getOwnPropertyDescriptors(prototype),
  ) as object
  Object.setPrototypeOf(Object.getPrototypeOf(realProcess), copy)
}

function createPerformance(): object {
  const real = performance
  const { timeOrigin } = real
  return { now: () => real.now(), timeOrigin, mark: () => undefined, measure: () => undefined }
}

/** The part of web crypto that makes random values; loaded when first used, since it costs start-up time. */
function createCrypto(realRequire: RealRequire): object {
  const load = () => realRequire('node:crypto') as typeof import('node:crypto')
  return {
    randomUUID: () => load().randomUUID(),
    getRandomValues: (target: Uint8Array) => load().getRandomValues(target),
  }
}
