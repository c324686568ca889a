// @ts-check
import { createServer } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { SetupFailure } from '../progress.mjs'

/** @typedef {import('./run-servers.mjs').Address} Address */

/** Time within which a previous server, whose npm was ended, releases its port. */
const PORT_WITHIN_MS = 2000
const POLL_MS = 150

/**
 * Throws a one-line SetupFailure before a server would fail half-way.
 * @param {Address} address
 */
export async function refuseTakenPort(address) {
  for (const until = performance.now() + PORT_WITHIN_MS; performance.now() < until; ) {
    if ((await whyNotListen(address)) !== 'EADDRINUSE') break
    await wait(POLL_MS)
  }
  await refuseAddress(address)
}

/** Throws a SetupFailure if no server could listen there now. @param {Address} address */
export async function refuseAddress({ port, host }) {
  const code = await whyNotListen({ port, host })
  if (code === null) return
  const other = port < 65_535 ? port + 1 : port - 1
  if (code === 'EADDRINUSE')
    throw new SetupFailure(
      `port ${port} is in use: set PORT to a free port, for example \`PORT=${other} npm start\``,
    )
  if (code === 'EACCES')
    throw new SetupFailure(
      `this user may not listen on port ${port}: set PORT to one from 1024 on, and put a proxy before it`,
    )
  throw new SetupFailure(
    `HOST=${host} is not an address of this machine (${code}): use 0.0.0.0 for all of them, or leave it out for this machine alone`,
  )
}

/**
 * Returns whether a server could listen there now.
 * @param {number} port
 * @param {string} [host]
 * @returns {Promise<boolean>}
 */
export async function isPortFree(port, host = '127.0.0.1') {
  return (await whyNotListen({ port, host })) === null
}

/**
 * Returns the system's error code when no server can listen there; null = one can.
 * @param {Pick<Address, 'port' | 'host'>} address
 * @returns {Promise<string | null>}
 */
async function whyNotListen({ port, host }) {
  const code = await tryToListen(port, host)
  if (code !== null || host !== '127.0.0.1') return code
  // Browsers try IPv6 first for `localhost`, and would show another server there. A machine may have none.
  return (await tryToListen(port, '::1')) === 'EADDRINUSE' ? 'EADDRINUSE' : null
}

/** @param {number} port @param {string} host @returns {Promise<string | null>} */
function tryToListen(port, host) {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', (error) => resolve(String(Reflect.get(error, 'code'))))
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(null)))
  })
}
