// @ts-check
import { createServer } from 'node:net'
import { ensureBuilt } from '../build.mjs'
import { SetupFailure } from '../progress.mjs'
import { startChild } from './start-child.mjs'
import { HEALTHY_WITHIN_MS, waitForHealth } from './supervise.mjs'

const GRACE_MS = 7000

/**
 * Starts only the production web server, on a free port that other machines cannot reach, for a command that renders
 * pages. It ends with this process.
 * @param {Record<string, string>} env
 * @returns {Promise<{ url: string, stop: () => Promise<void> }>}
 */
export async function startSite(env) {
  await ensureBuilt()
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const child = startChild(
    ['node_modules/next/dist/bin/next', 'start', '--hostname', '127.0.0.1', '--port', `${port}`],
    { env: { ...env, PORT: String(port) }, onLine: () => {} },
  )
  const over = new AbortController()
  void child.ended.then(() => over.abort())
  if (await waitForHealth(url, { limitMs: HEALTHY_WITHIN_MS, signal: over.signal }))
    return { url, stop: () => child.stop(GRACE_MS) }
  await child.stop(GRACE_MS)
  throw new SetupFailure('The web server that renders the pages did not start.', child.lastOutput())
}

/** @returns {Promise<number>} */
function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => {
        if (address !== null && typeof address === 'object') resolve(address.port)
        else reject(new Error('no port was given'))
      })
    })
  })
}
