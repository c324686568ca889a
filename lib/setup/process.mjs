// @ts-check
import { spawn } from 'node:child_process'
import {
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { stripVTControlCharacters } from 'node:util'
import { explainUnwritable } from './folders.mjs'
import { ROOT } from './layout.mjs'
import { SetupFailure } from './progress.mjs'
import { watchParents } from './serve/watch-parents.mjs'

/** @typedef {{ code: number, output: string, durationMs: number }} CommandResult */
/** @typedef {{ env?: Record<string, string | undefined>, cwd?: string, onLine?: (line: string) => void, isShown?: boolean, signal?: AbortSignal | undefined }} CommandOptions */

const MAX_OUTPUT_CHARACTERS = 400_000
const GRACE_MS = 3000

/**
 * Functions that end the running commands with their process groups; null = not requested, and commands outlive this
 * process.
 * @type {Set<(signal: NodeJS.Signals) => void> | null}
 */
let running = null
/** A signal is ending this process: it starts nothing, and ignores the results of ended commands. */
let isEnding = false

/**
 * Makes a signal that ends this process end its commands as well, each with its whole group: a terminal signals the
 * whole group, `kill` only this process. The end of its parent, npm or a shell, counts as a signal.
 */
export function endCommandsOnSignal() {
  const commands = new Set()
  running = commands
  const endAll = (/** @type {NodeJS.Signals} */ name) => {
    for (const end of commands) end(name)
  }
  for (const [name, code] of /** @type {const} */ ([
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ]))
    process.once(name, async () => {
      const untilGone = async (/** @type {number} */ ms) => {
        for (const until = Date.now() + ms; commands.size > 0 && Date.now() < until; )
          await wait(50)
      }
      isEnding = true
      endAll('SIGTERM')
      await untilGone(GRACE_MS)
      endAll('SIGKILL')
      // A killed process exists for another moment, and callers expect it to be gone.
      await untilGone(GRACE_MS)
      process.exit(code)
    })
  watchParents(() => process.kill(process.pid, 'SIGHUP'))
}

/**
 * Runs a command to its end and returns its output; with `isShown` it prints to this process's output instead. Never
 * throws: a command that cannot start ends with 127. Never resolves while a signal ends this process.
 * @param {string} command
 * @param {string[]} args
 * @param {CommandOptions} [options]
 * @returns {Promise<CommandResult>}
 */
export function runCommand(
  command,
  args,
  { env, cwd = ROOT, onLine, isShown = false, signal } = {},
) {
  if (isEnding) return new Promise(() => {})
  const startedAt = performance.now()
  const child = spawn(command, args, {
    cwd,
    env: { ...process.env, ...env },
    stdio: isShown ? ['ignore', 'inherit', 'inherit'] : ['ignore', 'pipe', 'pipe'],
    shell: process.platform === 'win32',
    detached: running !== null && process.platform !== 'win32',
  })
  const endGroup = (/** @type {NodeJS.Signals} */ name) => signalGroup(child.pid, name)
  running?.add(endGroup)
  let output = ''
  const take = (/** @type {string} */ text) => {
    output = (output + text).slice(-MAX_OUTPUT_CHARACTERS)
    for (const line of text.split(/\r?\n|\r/)) if (line.trim() !== '') onLine?.(line.trim())
  }
  child.stdout?.setEncoding('utf8').on('data', take)
  child.stderr?.setEncoding('utf8').on('data', take)
  const stop = () => {
    child.kill('SIGTERM')
    setTimeout(() => child.kill('SIGKILL'), GRACE_MS).unref()
  }
  if (signal?.aborted) stop()
  signal?.addEventListener('abort', stop, { once: true })
  return new Promise((resolve) => {
    const end = (/** @type {number} */ code) => {
      signal?.removeEventListener('abort', stop)
      running?.delete(endGroup)
      if (!isEnding) resolve({ code, output, durationMs: performance.now() - startedAt })
    }
    child.on('error', (error) => {
      take(`${error.message}\n`)
      end(127)
    })
    child.on('close', (code) => end(code ?? 1))
  })
}

/** @param {number | undefined} pid @param {NodeJS.Signals} name */
function signalGroup(pid, name) {
  if (pid === undefined) return
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, name)
  } catch {
    // It has ended already.
  }
}

/** Advice for a clone that is not set up and that this user cannot write. */
export const WHO_MAY = 'Run `npm start` as its owner once, or use a clone of your own'

const POLL_MS = 200
const BEAT_MS = 5000
const SILENT_MS = 60_000

/**
 * Runs `work` while no other process holds the lock file. A holder that died, or was silent for a minute, loses it.
 * Throws a SetupFailure when this user cannot write.
 * @template T
 * @param {string} path
 * @param {() => Promise<T>} work
 * @param {{ onWait?: (pid: number) => void }} [options]
 * @returns {Promise<T>}
 */
export async function holdLock(path, work, { onWait } = {}) {
  const closed = explainUnwritable(dirname(path))
  if (closed !== null)
    throw new SetupFailure(`the set-up cannot be completed: ${closed}. ${WHO_MAY}`)
  mkdirSync(dirname(path), { recursive: true })
  let isReported = false
  let own = take(path)
  while (own === null) {
    const holder = readHolder(path)
    if (holder !== null && isGone(holder)) drop(path, holder.text)
    else if (holder !== null && !isReported) {
      isReported = true
      onWait?.(holder.pid)
    }
    await wait(POLL_MS)
    own = take(path)
  }
  const beat = setInterval(() => touch(path), BEAT_MS)
  beat.unref()
  try {
    return await work()
  } finally {
    clearInterval(beat)
    // Another process may hold it by now, if this one was stopped for a minute.
    if (readHolder(path)?.text === own) rmSync(path, { force: true })
  }
}

/**
 * Returns the text of this process's lock; null = another process holds it.
 * @param {string} path
 */
function take(path) {
  const text = `${process.pid} ${Date.now()}\n`
  try {
    writeFileSync(path, text, { flag: 'wx' })
    return text
  } catch (error) {
    if (Reflect.get(Object(error), 'code') === 'EEXIST') return null
    throw error
  }
}

/** @typedef {{ pid: number, text: string, seenAt: number }} Holder */

/** @param {string} path @returns {Holder | null} */
function readHolder(path) {
  try {
    const text = readFileSync(path, 'utf8')
    return { text, pid: Number.parseInt(text, 10) || 0, seenAt: statSync(path).mtimeMs }
  } catch {
    return null
  }
}

/** @param {Holder} holder */
function isGone({ pid, seenAt }) {
  if (Date.now() - seenAt > SILENT_MS) return true
  if (pid === 0) return false
  try {
    process.kill(pid, 0)
    return false
  } catch (error) {
    return Reflect.get(Object(error), 'code') === 'ESRCH'
  }
}

/**
 * Removes the lock that was read; restores one that another process took meanwhile.
 * @param {string} path @param {string} text
 */
function drop(path, text) {
  const aside = `${path}.${process.pid}`
  try {
    renameSync(path, aside)
    if (readFileSync(aside, 'utf8') !== text) linkSync(aside, path)
  } catch {
    // Removed or taken meanwhile: the next round checks again.
  }
  rmSync(aside, { force: true })
}

/** @param {string} path */
function touch(path) {
  try {
    utimesSync(path, new Date(), new Date())
  } catch {
    // It was removed by hand, so there is nothing to renew.
  }
}

/** Held while packages are installed, code generated or the app built: one at a time per clone. */
export const SET_UP_LOCK = join(ROOT, '.proofboard', 'set-up.lock')

/**
 * Returns the end of an output, without escape sequences and empty lines.
 * @param {string} output
 * @param {number} count
 */
export function lastLines(output, count) {
  return stripVTControlCharacters(output)
    .split(/\r?\n|\r/)
    .filter((line) => line.trim() !== '')
    .slice(-count)
    .join('\n')
}
