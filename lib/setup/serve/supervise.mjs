// @ts-check

import { setTimeout as wait } from 'node:timers/promises'
import { formatElapsed, SetupFailure } from '../progress.mjs'
import { NEEDS_PERSON } from './exit-codes.mjs'
import { refuseAddress, refuseTakenPort } from './listen.mjs'
import { startChild } from './start-child.mjs'

/** @typedef {import('./run-servers.mjs').Address} Address */
/** @typedef {import('./start-child.mjs').Child} Child */
/**
 * @typedef {object} Supervision
 * @property {readonly ('web' | 'worker')[]} roles
 * @property {Address} address
 * @property {string[]} webArgs node's arguments that start the web server, without the address
 * @property {Record<string, string>} env
 * @property {AbortSignal} signal stop normally
 * @property {AbortSignal} hurry stop at once
 * @property {(line: string) => void} say
 * @property {() => void} onReady
 */

/** Prefix of web server lines that a user must read: the one-time link to the first account. */
const SET_UP = 'set up: '
/** The web server's line once it listens and its database is up to date (lib/server/http/boot-server.ts). */
const BOOTED = 'booted'
/** Timeout for a server that hangs, long enough for the first start on a slow machine. */
export const HEALTHY_WITHIN_MS = 180_000
// Slightly longer than each needs at most: the web server 5 s, the worker 20 s for a runner that closes its attempts.
const GRACES_MS = { web: 7000, worker: 23_000 }

/** Starts of a web server that is killed before it is healthy. */
const MAX_STARTS = 3

/**
 * Runs the requested servers until `signal` fires; returns when they are gone. A server that dies is started again,
 * including a web server that is killed before it is healthy, as by the system when memory is short. Throws a
 * SetupFailure, and ends everything, when one ends by itself before that, never becomes healthy, or needs a person.
 * @param {Supervision} supervision
 */
export async function supervise(supervision) {
  const { roles, env, signal, hurry, say, onReady } = supervision
  const tell = (/** @type {string} */ line) => say(`  ${line}`)
  const startWorker = () =>
    startChild(['lib/worker/worker.mjs'], {
      env,
      keys: 'all',
      onLine: (line) => say(renderLine('worker', line)),
    })
  if (roles.includes('web')) await refuseTakenPort(supervision.address)
  /** @type {Map<'web' | 'worker', Keeper>} */
  const servers = new Map()
  let isOver = false
  const stuck = new AbortController()
  const over = AbortSignal.any([signal, stuck.signal])
  const giveUp = (/** @type {Child} */ child) => stuck.abort(new SetupFailure(lastMessage(child)))
  const addWorker = () => {
    if (!isOver && !signal.aborted && roles.includes('worker') && !servers.has('worker'))
      servers.set('worker', restartOnExit('worker', startWorker, { say: tell, giveUp }))
  }
  // A web server that cannot listen ends everything, and until it is healthy no worker claims a job.
  const web = roles.includes('web')
    ? startWeb({ ...supervision, signal: over }, tell, addWorker)
    : null
  if (web) servers.set('web', web)
  else addWorker()
  const killAll = () => {
    for (const one of servers.values()) one.kill()
  }
  hurry.addEventListener('abort', killAll, { once: true })
  try {
    const isUp = !web || (await web.isHealthy())
    if (isUp) onReady()
    if (web && isUp) {
      for (const line of web.forPeople) say(line)
      const first = web.child()
      servers.set('web', restartOnExit('web server', web.start, { say: tell, giveUp, first }))
    }
    await whenAborted(over)
    if (!signal.aborted) throw stuck.signal.reason
  } finally {
    isOver = true
    await Promise.all([...servers].map(([role, one]) => one.stop(GRACES_MS[role])))
  }
}

/**
 * Starts the web server, and passes on its one-time link to the first account.
 * @param {Supervision} supervision
 * @param {(line: string) => void} tell
 * @param {() => void} onBooted
 */
function startWeb({ address, webArgs, env, signal, say }, tell, onBooted) {
  const { port, host, probeUrl } = address
  let isReady = false
  const booted = new AbortController()
  booted.signal.addEventListener('abort', onBooted, { once: true })
  /** @type {string[]} */
  const forPeople = []
  const start = () =>
    startChild([...webArgs, '--port', String(port), '--hostname', host], {
      env: { ...env, PORT: String(port) },
      // One line replaces Next's start-up output, which is kept for a failure.
      onLine: (line) => {
        if (line === BOOTED) booted.abort()
        else if (isReady) say(renderLine('web', line))
        else if (line.startsWith(SET_UP)) forPeople.push(`  ${line.slice(SET_UP.length)}`)
      },
    })
  let child = start()
  // Another server on this port would respond too, so this one first has to report that it listens.
  const isServing = async (/** @type {AbortSignal} */ over) => {
    await whenAborted(AbortSignal.any([booted.signal, over]), HEALTHY_WITHIN_MS)
    return waitForHealth(probeUrl, { limitMs: HEALTHY_WITHIN_MS, signal: over })
  }
  return {
    start,
    child: () => child,
    forPeople,
    kill: () => child.kill(),
    stop: (/** @type {number} */ graceMs) => child.stop(graceMs),
    /** False when it was stopped before. Throws a SetupFailure if it never becomes healthy. */
    async isHealthy() {
      for (let starts = 1; ; starts++) {
        const over = anyEnd(child, signal)
        isReady = await isServing(over)
        if (signal.aborted) return false
        if (isReady) return true
        const { failure, killedBy } = await describeFailure(child, over, address)
        if (!killedBy || starts === MAX_STARTS) throw new SetupFailure(failure, child.lastOutput())
        tell(`the web server was killed (${killedBy}) before it was ready: starting it again`)
        forPeople.length = 0 // the next start prints them again
        child = start()
      }
    },
  }
}

/**
 * Throws a SetupFailure if its port was taken.
 * @param {Child} web
 * @param {AbortSignal} over fires when it has ended
 * @param {Address} address
 */
async function describeFailure(web, over, address) {
  if (!over.aborted) return { failure: 'The web server did not become healthy.', killedBy: null }
  const { code, signal: killedBy } = await web.ended
  if (code === NEEDS_PERSON) throw new SetupFailure(lastMessage(web))
  if (!killedBy) await refuseAddress(address)
  return { failure: `The web server ended (${killedBy ?? `exit ${code}`}).`, killedBy }
}

/** Returns `signal` combined with the child's end. @param {Child} child @param {AbortSignal} signal */
function anyEnd(child, signal) {
  const ended = new AbortController()
  void child.ended.then(() => ended.abort())
  return AbortSignal.any([signal, ended.signal])
}

/** @param {AbortSignal} signal @param {number} [limitMs] @returns {Promise<void>} */
function whenAborted(signal, limitMs) {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve()
    const timer = limitMs === undefined ? undefined : setTimeout(resolve, limitMs)
    const end = () => {
      clearTimeout(timer)
      resolve()
    }
    signal.addEventListener('abort', end, { once: true })
  })
}

/** Returns the last message of a child, without the frame of a log line. @param {Child} child */
function lastMessage(child) {
  const [line = ''] = child.lastOutput().split('\n').slice(-1)
  return parseEntry(line)?.message ?? line
}

/** @typedef {{ stop: (graceMs: number) => Promise<void>, kill: () => void }} Keeper */

/**
 * Restarts a child whenever it ends, after a pause that grows while it keeps failing. Gives up on one that only a
 * person can fix.
 * @param {string} name
 * @param {() => Child} start
 * @param {{ say: (line: string) => void, giveUp?: (child: Child) => void, first?: Child | undefined }} options
 *   `first`: one that runs already
 * @returns {Keeper}
 */
export function restartOnExit(name, start, { say, giveUp, first = start() }) {
  const stopping = new AbortController()
  const { signal } = stopping
  let child = first
  const loop = (async () => {
    let delayMs = 0
    while (true) {
      const startedAt = performance.now()
      const ended = await child.ended
      if (signal.aborted) return
      if (ended.code === NEEDS_PERSON && giveUp) return giveUp(child)
      delayMs = nextDelay(delayMs, performance.now() - startedAt)
      say(`the ${name} ended (${formatEnd(ended)}): starting it again in ${formatElapsed(delayMs)}`)
      await wait(delayMs, undefined, { signal }).catch(() => {})
      if (signal.aborted) return
      child = start()
    }
  })()
  return {
    kill: () => child.kill(),
    async stop(graceMs) {
      stopping.abort()
      await child.stop(graceMs)
      await loop
    },
  }
}

/** @param {{ code: number | null, signal: string | null }} ended */
function formatEnd({ code, signal }) {
  return signal ?? `exit ${code}`
}

const MIN_DELAY_MS = 250
const MAX_DELAY_MS = 30_000
const STEADY_MS = 5000

/**
 * Returns the delay before a restart: doubles while the child keeps failing early, and is short for one that ran.
 * @param {number} lastDelayMs 0 = it has not been restarted yet
 * @param {number} livedMs
 */
export function nextDelay(lastDelayMs, livedMs) {
  if (lastDelayMs === 0 || livedMs >= STEADY_MS) return MIN_DELAY_MS
  return Math.min(lastDelayMs * 2, MAX_DELAY_MS)
}

const POLL_MS = 150
const ANSWER_MS = 15_000

/**
 * Polls `/api/v1/health` until it responds with 200. Returns false after `limitMs`, or when `signal` fires.
 * @param {string} url
 * @param {{ limitMs: number, signal: AbortSignal }} options
 * @returns {Promise<boolean>}
 */
export async function waitForHealth(url, { limitMs, signal }) {
  const deadline = performance.now() + limitMs
  while (performance.now() < deadline && !signal.aborted) {
    try {
      const answer = await fetch(`${url}/api/v1/health`, { signal: AbortSignal.timeout(ANSWER_MS) })
      await answer.arrayBuffer()
      if (answer.ok) return true
    } catch {
      // Not listening yet.
    }
    await wait(POLL_MS, undefined, { signal }).catch(() => {})
  }
  return false
}

const QUIET = new Set(['at', 'level', 'component', 'message', 'workerId', 'stack'])
const MAX_WIDTH = 240

/**
 * Formats a child's output for a person: its JSON log lines as `who  message  key=value`, anything else unchanged.
 * @param {string} who
 * @param {string} line
 */
export function renderLine(who, line) {
  const entry = parseEntry(line)
  if (entry === null) return `  ${who.padEnd(7)} ${line}`
  const { level, message } = entry
  const fields = Object.entries(entry)
    .filter(([key, value]) => !QUIET.has(key) && value !== null && value !== undefined)
    .map(([key, value]) => `${key}=${renderValue(value)}`)
  const alarm = level === 'warn' || level === 'error' ? `${level}: ` : ''
  return [`  ${who.padEnd(7)} ${alarm}${message}`, ...fields].join('  ')
}

/** @param {string} line @returns {Record<string, unknown> & { message: string } | null} */
function parseEntry(line) {
  if (!line.startsWith('{')) return null
  try {
    const entry = JSON.parse(line)
    return typeof entry.message === 'string' && typeof entry.level === 'string' ? entry : null
  } catch {
    return null
  }
}

/** @param {unknown} value */
function renderValue(value) {
  if (typeof value === 'string') return value.slice(0, MAX_WIDTH)
  const message = Reflect.get(Object(value), 'message')
  return (typeof message === 'string' ? message : JSON.stringify(value)).slice(0, MAX_WIDTH)
}
