// @ts-check
// The name of this machine among those that share a database or a folder: a process id means something only beside it.
import { readFileSync } from 'node:fs'
import { hostname } from 'node:os'

/** Where Linux writes down an id of the machine; a container has one of its own or none. */
const MACHINE_IDS = ['/etc/machine-id', '/var/lib/dbus/machine-id']

/**
 * PROOFBOARD_HOST_ID, else the machine's id with its host name: copies of one machine have the same id, and containers
 * often none. Stays the same over restarts.
 * @returns {string}
 */
export function hostId() {
  const named = process.env.PROOFBOARD_HOST_ID
  return named ? named : `${readMachineId()}${hostname()}`.replace(/[^\w.-]/g, '-').slice(0, 64)
}

function readMachineId() {
  for (const file of MACHINE_IDS) {
    try {
      const id = readFileSync(/* turbopackIgnore: true */ file, 'utf8').trim().slice(0, 12)
      if (id !== '') return `${id}.`
    } catch {
      // The next one may be there.
    }
  }
  return ''
}
