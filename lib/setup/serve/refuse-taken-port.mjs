// @ts-check
import { SetupFailure } from '../setup-failure.mjs'
import { isPortFree } from './is-port-free.mjs'

/**
 * One clear line instead of a server that fails half-way.
 * @param {import('./read-address.mjs').Address} address
 */
export async function refuseTakenPort({ port, host }) {
  if (await isPortFree(port, host)) return
  const other = port < 65_535 ? port + 1 : port - 1
  throw new SetupFailure(
    `port ${port} is in use: set PORT to a free port, for example \`PORT=${other} npm start\``,
  )
}
