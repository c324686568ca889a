import { writeSync } from 'node:fs'
import { inspect } from 'node:util'
import { addFinding } from './findings.ts'

const { apply } = Reflect

const ENDINGS = ['exit', 'abort', 'kill', 'reallyExit', '_kill', 'dlopen'] as const

/**
 * The sandbox's `process`: facts, a clock and an output that is captured. Exits are refused and recorded. It shares no
 * prototype and no function with the real one.
 */
export function createSandboxProcess(real: NodeJS.Process): object {
  const { platform, arch, version, release } = real
  const versions = { ...real.versions }
  const tick = real.nextTick.bind(real)
  const hrtime = Object.assign((since?: [number, number]) => real.hrtime(since), {
    bigint: () => real.hrtime.bigint(),
  })
  const facts = {
    platform,
    arch,
    version,
    versions,
    hrtime,
    release: { name: release.name },
    env: {},
    argv: ['node', 'test'],
    argv0: 'node',
    execArgv: [],
    execPath: 'node',
    title: 'node',
    pid: 1,
    ppid: 0,
    exitCode: undefined,
    cwd: () => '/',
    uptime: () => real.uptime(),
    memoryUsage: memoryUsageOf(real),
    cpuUsage: () => ({ ...real.cpuUsage() }),
    nextTick: (callback: (...given: unknown[]) => void, ...given: unknown[]) => {
      if (typeof callback !== 'function')
        throw new TypeError('The "callback" argument must be of type function')
      tick(() => void apply(callback, undefined, given))
    },
    emitWarning: () => undefined,
    stdout: outputStream(),
    stderr: outputStream(),
  }
  return trapped({ ...facts, ...endings(), ...listeners() })
}

/** Access to node's internals that the real process has. A program of an exercise needs none. */
const INTERNALS = [
  ...['binding', '_linkedBinding', 'getBuiltinModule', '_getActiveHandles', '_getActiveRequests'],
  ...['_debugProcess', '_rawDebug', 'report', 'permission', 'moduleLoadList', 'channel'],
] as const

/** In a sandbox without /proc the system reports only the peak memory of this process. */
function memoryUsageOf(real: NodeJS.Process): object {
  const rss = (): number => real.resourceUsage().maxRSS * 1024
  const usage = (): object => {
    try {
      return { ...real.memoryUsage() }
    } catch {
      const most = rss()
      return { rss: most, heapTotal: most, heapUsed: most, external: 0, arrayBuffers: 0 }
    }
  }
  return Object.assign(usage, { rss })
}

function trapped(process: object): object {
  for (const name of INTERNALS) trap(process, name, `process.${name}`)
  // Programs compare it with their own module, which is not an escape attempt.
  const mainModule = Object.create(null) as object
  for (const name of ['require', 'constructor', 'children', 'paths', 'load'])
    trap(mainModule, name, `process.mainModule.${name}`)
  Object.defineProperty(process, 'mainModule', { value: Object.freeze(mainModule) })
  return process
}

function trap(object: object, name: string, path: string): void {
  const get = () => addFinding('reached-for-internals', `${path} was asked for`)
  Object.defineProperty(object, name, { get: Object.freeze(get), enumerable: false })
}

function outputStream(): object {
  return {
    isTTY: false,
    columns: 80,
    write: (text: unknown) => {
      capture(typeof text === 'string' ? text : '[bytes]')
      return true
    },
  }
}

function endings(): Record<string, unknown> {
  const refused: Record<string, unknown> = {}
  for (const name of ENDINGS) {
    refused[name] = () => {
      addFinding('exit-attempt', `process.${name}() was called`)
      throw new Error(`process.${name}() is not available here`)
    }
  }
  return refused
}

/** Subscriptions are accepted and never fire. */
function listeners(): Record<string, unknown> {
  const names = [
    'on',
    'once',
    'off',
    'addListener',
    'removeListener',
    'removeAllListeners',
    'prependListener',
  ]
  const inert: Record<string, unknown> = {
    emit: () => false,
    listeners: () => [],
    listenerCount: () => 0,
  }
  for (const name of names) {
    inert[name] = function (this: unknown) {
      return this
    }
  }
  return inert
}

const write = writeSync
const show = inspect
const { defineProperty } = Object

const LIMIT = 128 * 1024
const FLUSH_AT = 8 * 1024

let waiting = ''
let total = 0

/**
 * Keeps text for the verifier's log; past the limit it is dropped. Plain concatenation: safe while a solution loads.
 */
function capture(text: string): void {
  if (total > LIMIT) return
  total += text.length
  waiting += total > LIMIT ? '\n[console output cut]\n' : text
  if (waiting.length > FLUSH_AT) flushConsole()
}

/** Writes pending text to the real stdout. */
export function flushConsole(): void {
  const text = waiting
  waiting = ''
  try {
    if (text !== '') write(1, text)
  } catch {
    // The runner has closed the pipe.
  }
}

/** Formats one value as text, without calling any of its members. */
function toText(value: unknown): string {
  if (typeof value === 'string') return value
  try {
    return show(value, {
      __proto__: null,
      customInspect: false,
      showProxy: true,
      depth: 3,
    } as object)
  } catch {
    return '[value that cannot be shown]'
  }
}

function print(...values: unknown[]): void {
  if (total > LIMIT) return
  let line = ''
  for (let index = 0; index < values.length; index++)
    line += (index ? ' ' : '') + toText(values[index])
  capture(`${line}\n`)
}

const NAMES = [
  'log',
  'info',
  'warn',
  'error',
  'debug',
  'trace',
  'dir',
  'dirxml',
  'table',
  'group',
  'groupCollapsed',
]
const SILENT = [
  'groupEnd',
  'time',
  'timeEnd',
  'timeLog',
  'timeStamp',
  'count',
  'countReset',
  'clear',
  'profile',
  'profileEnd',
]

/** Creates the sandbox's console. Its methods are ordinary writable properties, so that tests can spy on them. */
export function createConsole(): object {
  const console = {}
  const add = (name: string, value: unknown): void => {
    defineProperty(console, name, { value, writable: true, enumerable: true, configurable: true })
  }
  for (const name of NAMES) add(name, (...values: unknown[]) => apply(print, undefined, values))
  for (const name of SILENT) add(name, () => undefined)
  add('assert', (truth: unknown, ...values: unknown[]) => {
    if (!truth) print('Assertion failed', ...values)
  })
  return console
}
