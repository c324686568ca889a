// @ts-check
import { SetupFailure } from '../setup-failure.mjs'

/**
 * @typedef {object} Address
 * @property {number} port
 * @property {string | undefined} host undefined = all addresses
 * @property {string} url what a person opens
 * @property {string} probeUrl where this machine reaches it for sure
 */

/**
 * Where to listen: PORT (3000 unless told) and HOST (all addresses unless told).
 * @param {Record<string, string | undefined>} env
 * @returns {Address}
 */
export function readAddress(env) {
  const text = env.PORT?.trim() || '3000'
  const port = Number(text)
  if (!/^\d+$/.test(text) || port < 1 || port > 65_535) {
    throw new SetupFailure(`PORT=${text} is not a port: use a number from 1 to 65535`)
  }
  const host = env.HOST?.trim() || undefined
  const isAnywhere = host === undefined || host === '0.0.0.0' || host === '::'
  const name = isAnywhere ? undefined : host.includes(':') ? `[${host}]` : host
  return {
    port,
    host,
    url: `http://${name ?? 'localhost'}:${port}`,
    probeUrl: `http://${name ?? '127.0.0.1'}:${port}`,
  }
}
