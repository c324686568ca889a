import { createBuiltins } from './builtin-modules.ts'
import { createConsole } from './captured-console.ts'
import { lockIntrinsics } from './lock-intrinsics.ts'
import { setSandboxGlobals } from './sandbox-globals.ts'
import { createSandboxProcess } from './sandbox-process.ts'
import { createTimers } from './sandbox-timers.ts'
import { createWebEvents } from './web-events.ts'
import { createWebText } from './web-text.ts'

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
  const web = { ...createWebEvents(), ...createWebText() }
  hideRealProcess(realProcess, realRequire)
  const load = closeModules(realRequire)
  const crypto = createCrypto(load)
  const { Buffer } = globalThis
  const builtin = createBuiltins(load, {
    process,
    console,
    timers,
    perf_hooks: { performance },
  })
  for (const name of ['compileStreaming', 'instantiateStreaming'])
    Reflect.deleteProperty(WebAssembly, name)
  setSandboxGlobals({ process, console, performance, crypto, Buffer, ...web, ...timers })
  lockIntrinsics([Buffer, ...Object.values(web), timers, performance, crypto])
  return { builtin }
}

/** What of the real process only an escape would look for. Node itself does without once a program has started. */
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
 * The real process is handed to nobody. Should a solution reach it all the same, through a part of node that was not
 * thought of, it is an empty shell: no bindings, no modules, no ways out, and a prototype of its own.
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

/** From here on only the function that this answers with can load a module, whoever got hold of node's loader. */
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

/** The part of web crypto that makes random values; loaded when first used, since it costs start-up time. */
function createCrypto(realRequire: RealRequire): object {
  const load = () => realRequire('node:crypto') as typeof import('node:crypto')
  return {
    randomUUID: () => load().randomUUID(),
    getRandomValues: (target: Uint8Array) => load().getRandomValues(target),
  }
}
