import { writeSync } from 'node:fs'
import { inspect } from 'node:util'

const write = writeSync
const show = inspect
const { apply } = Reflect
const { defineProperty } = Object

const LIMIT = 128 * 1024
const FLUSH_AT = 8 * 1024

let waiting = ''
let total = 0

/** Keeps text for the gate's log; past the limit it is dropped. Plain concatenation: safe while a solution loads. */
export function capture(text: string): void {
  if (total > LIMIT) return
  total += text.length
  waiting += total > LIMIT ? '\n[console output cut]\n' : text
  if (waiting.length > FLUSH_AT) flushConsole()
}

/** Writes what waits to the real stdout. */
export function flushConsole(): void {
  const text = waiting
  waiting = ''
  try {
    if (text !== '') write(1, text)
  } catch {
    // The runner has closed the pipe: nobody reads it.
  }
}

/** One value as text, without calling anything that belongs to it. */
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

/** The sandbox's console. Its methods are ordinary writable properties, so that tests can spy on them. */
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
