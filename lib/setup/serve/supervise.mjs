// @ts-check
import { SetupFailure } from '../setup-failure.mjs'
import { keepRunning } from './keep-running.mjs'
import { refuseTakenPort } from './refuse-taken-port.mjs'
import { renderLine } from './render-line.mjs'
import { startChild } from './start-child.mjs'
import { waitForHealth } from './wait-for-health.mjs'

/** @typedef {import('./read-address.mjs').Address} Address */
/** @typedef {import('./start-child.mjs').Child} Child */
/**
 * @typedef {object} Supervision
 * @property {Address} address
 * @property {string[]} webArgs node's arguments that start the web server, without the address
 * @property {Record<string, string>} env
 * @property {AbortSignal} signal stop in order
 * @property {AbortSignal} hurry stop at once
 * @property {(line: string) => void} say
 * @property {() => void} onReady
 */

/** How the web server begins a line that somebody has to read: the one-time link to the first account. */
const SET_UP = 'set up: '
const HEALTHY_WITHIN_MS = 90_000
// A little longer than each needs at most: the web server 5 s, the worker 20 s for a runner that closes its attempts.
const GRACES_MS = [7000, 23_000]

/**
 * Runs the web server and the worker until `signal` fires; returns when both are gone. Whichever dies is started again;
 * only a web server that never became healthy ends everything with a SetupFailure.
 * @param {Supervision} supervision
 */
export async function supervise({ address, webArgs, env, signal, hurry, say, onReady }) {
  await refuseTakenPort(address)
  const { port, host, probeUrl } = address
  let isReady = false
  /** @type {string[]} */
  const forPeople = []
  const listen = ['--port', String(port), ...(host ? ['--hostname', host] : [])]
  const startWeb = () =>
    startChild([...webArgs, ...listen], {
      env: { ...env, PORT: String(port) },
      // What Next says while it starts is told by our own line; it is kept for a failure.
      onLine: (line) => {
        if (isReady) say(renderLine('web', line))
        else if (line.startsWith(SET_UP)) forPeople.push(`  ${line.slice(SET_UP.length)}`)
      },
    })
  const web = startWeb()
  const startWorker = () =>
    startChild(['lib/jobs/worker.mjs'], {
      env,
      keys: 'all',
      onLine: (line) => say(renderLine('worker', line)),
    })
  const tell = (/** @type {string} */ line) => say(`  ${line}`)
  const worker = keepRunning('worker', startWorker, tell)
  /** @type {{ stop: (graceMs: number) => Promise<void>, kill: () => void }[]} */
  let servers = [web, worker]
  const killAll = () => {
    for (const one of servers) one.kill()
  }
  hurry.addEventListener('abort', killAll, { once: true })
  try {
    const over = anyEnd(web, signal)
    isReady = await waitForHealth(probeUrl, { limitMs: HEALTHY_WITHIN_MS, signal: over })
    if (signal.aborted) return
    if (!isReady) throw new SetupFailure(await describeFailure(web, over), web.lastWords())
    onReady()
    for (const line of forPeople) say(line)
    servers = [keepRunning('web server', startWeb, tell, web), worker]
    await whenAborted(signal)
  } finally {
    await Promise.all(servers.map((one, place) => one.stop(GRACES_MS[place] ?? 0)))
  }
}

/** @param {Child} web @param {AbortSignal} over fires when it has ended */
async function describeFailure(web, over) {
  if (!over.aborted) return 'The web server did not become healthy.'
  const { code, signal: killedBy } = await web.ended
  return `The web server ended (${killedBy ?? `exit ${code}`}).`
}

/** Fires when we are asked to stop or the child ended. @param {Child} child @param {AbortSignal} signal */
function anyEnd(child, signal) {
  const ended = new AbortController()
  void child.ended.then(() => ended.abort())
  return AbortSignal.any([signal, ended.signal])
}

/** @param {AbortSignal} signal @returns {Promise<void>} */
function whenAborted(signal) {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
}
