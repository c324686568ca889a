// @ts-check
// Identifies this machine among those that share a database or a folder: a process id is only unique together with it.
import { randomUUID } from 'node:crypto'
import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'

/**
 * Returns the host part of a URL for a server of this machine, from the address that it listens on.
 * @param {string | undefined} host undefined = this machine only; an address or a name
 * @returns {string}
 */
export function hostInUrl(host) {
  if (!host || host === '0.0.0.0' || host === '::') return 'localhost'
  return host.includes(':') ? `[${host}]` : host
}

/** Files with the machine's id on Linux; a container has its own or none. */
const MACHINE_IDS = ['/etc/machine-id', '/var/lib/dbus/machine-id']

/**
 * Returns PROOFBOARD_HOST_ID, else the machine's id with its host name: copies of one machine have the same id, and
 * containers often none. Stable over restarts.
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
      // Tries the next file.
    }
  }
  return ''
}

/** Interval at which a process renews its note in a folder. */
export const BEAT_MS = 20_000
/** Time after which a note of another machine is abandoned: the process was killed, or its container replaced. */
const SILENT_MS = 15 * BEAT_MS

/**
 * Returns whether a note was not renewed for that long. Uses the clock of its file system, since those of machines
 * differ; a missing file counts as silent.
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
    return statSync(/* turbopackIgnore: true */ probe).mtimeMs
  } catch {
    return Date.now() // a read-only folder
  } finally {
    rmSync(probe, { force: true })
  }
}
