// @ts-check
// The name of this machine among those that share a database or a folder: a process id means something only beside it.
import { randomUUID } from 'node:crypto'
import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'

/**
 * Returns the host part of a URL that reaches a server of this machine by the address that it listens on.
 * @param {string | undefined} host undefined = this machine alone; an address or a name
 * @returns {string}
 */
export function hostInUrl(host) {
  if (!host || host === '0.0.0.0' || host === '::') return 'localhost'
  return host.includes(':') ? `[${host}]` : host
}

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

/** How often a process writes the note again that says it works in a folder. */
export const BEAT_MS = 20_000
/** Without a sign of life for this long, who noted it on another machine is gone: killed, or a container that was replaced. */
const SILENT_MS = 15 * BEAT_MS

/**
 * Whether nobody wrote a note again for that long. By the clock of its file system, since those of machines differ; a file
 * that is not there is silent.
 * @param {string} file
 * @returns {boolean}
 */
export function isSilent(file) {
  const written = statSync(file, { throwIfNoEntry: false })
  return written === undefined || clockBeside(file) - written.mtimeMs > SILENT_MS
}

/** @param {string} file */
function clockBeside(file) {
  const probe = `${file}.${randomUUID()}`
  try {
    writeFileSync(probe, '')
    return statSync(probe).mtimeMs
  } catch {
    return Date.now() // a folder that can only be read
  } finally {
    rmSync(probe, { force: true })
  }
}
