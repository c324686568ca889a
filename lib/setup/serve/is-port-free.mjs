// @ts-check
import { createServer } from 'node:net'

/**
 * Whether a server could listen there now. Without a host: on all addresses, as `next start` does.
 * @param {number} port
 * @param {string} [host]
 * @returns {Promise<boolean>}
 */
export async function isPortFree(port, host) {
  const hosts = host === undefined ? [undefined, '127.0.0.1'] : [host]
  for (const each of hosts) if (!(await canListen(port, each))) return false
  return true
}

/** @param {number} port @param {string | undefined} host @returns {Promise<boolean>} */
function canListen(port, host) {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(true)))
  })
}
