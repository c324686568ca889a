// @ts-check
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { ROOT } from '../layout.mjs'
import { lastLines } from '../process.mjs'
import { KEY_NAMES, KEYS_FD, takeKeys } from '../take-keys.mjs'

/** A URL, because in a path node would interpret `#`, `?` and `%`. */
const PRELOAD = new URL('./exit-with-parent.mjs', import.meta.url).href
const MAX_LINES = 40

/** @typedef {{ code: number | null, signal: NodeJS.Signals | null }} Ending */
/**
 * @typedef {object} Child
 * @property {Promise<Ending>} ended
 * @property {() => string} lastOutput
 * @property {(graceMs: number) => Promise<void>} stop SIGTERM, and after the grace SIGKILL to its whole group
 * @property {() => void} kill SIGKILL to its whole group, at once
 */

/**
 * Starts the web server or the worker: in its own process group (Ctrl-C reaches only the supervisor), with a pipe on
 * its stdin that ends it when this process is gone.
 * @param {string[]} args of node
 * @param {{ env?: Record<string, string>, keys?: 'all' | 'names', onLine: (line: string) => void }} options
 *   `keys`: the worker gets the provider keys, the web server only their names
 * @returns {Child}
 */
export function startChild(args, { env, keys = 'names', onLine }) {
  const held = takeKeys()
  const child = spawn(process.execPath, ['--import', PRELOAD, ...args], {
    cwd: ROOT,
    env: {
      ...process.env,
      NODE_ENV: 'production',
      NEXT_TELEMETRY_DISABLED: '1',
      PROOFBOARD_SUPERVISED: '1',
      // The child watches this process, even if this process is supervised too.
      PROOFBOARD_SUPERVISED_PID: '',
      ...(keys === 'all' ? { [KEYS_FD]: '3' } : { [KEY_NAMES]: Object.keys(held).join(',') }),
      ...env,
    },
    stdio: keys === 'all' ? ['pipe', 'pipe', 'pipe', 'pipe'] : ['pipe', 'pipe', 'pipe'],
    detached: true,
  })
  if (keys === 'all') sendKeys(child.stdio[3], held)
  /** @type {string[]} */
  const words = []
  const take = (/** @type {string} */ line) => {
    words.push(line)
    if (words.length > MAX_LINES) words.shift()
    onLine(line)
  }
  for (const stream of [child.stdout, child.stderr])
    createInterface({ input: stream }).on('line', take)
  child.stdin.on('error', () => {})
  /** @type {Promise<Ending>} */
  const ended = new Promise((resolve) => {
    child.once('error', () => resolve({ code: 127, signal: null }))
    child.once('close', (code, signal) => resolve({ code, signal }))
  })
  const killGroup = () => kill(child.pid && -child.pid, 'SIGKILL')
  return {
    ended,
    lastOutput: () => lastLines(words.join('\n'), MAX_LINES),
    kill: killGroup,
    // Its stdin stays open: closing it would be a second request to end.
    async stop(graceMs) {
      kill(child.pid, 'SIGTERM')
      const timer = setTimeout(killGroup, graceMs)
      await ended
      clearTimeout(timer)
    },
  }
}

/** @param {unknown} pipe @param {Readonly<Record<string, string>>} keys */
function sendKeys(pipe, keys) {
  const writable = /** @type {import('node:stream').Writable} */ (pipe)
  writable.on('error', () => {}) // it may end before it has read
  writable.end(JSON.stringify(keys))
}

/** @param {number | undefined} pid @param {NodeJS.Signals} signal */
function kill(pid, signal) {
  if (!pid) return
  try {
    process.kill(pid, signal)
  } catch {
    // It has ended already.
  }
}
