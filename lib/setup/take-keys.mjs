// @ts-check
import { closeSync, openSync, readFileSync, writeSync } from 'node:fs'

// Provider keys stand in no environment: a process that is given some moves them into its memory before it starts
// anything, and hands them on through a pipe. One slot for each process, because bundles do not share their modules.

const SLOT = Symbol.for('proofboard.provider-keys')

/** Keys of model providers, by the names of their variables. */
const PROVIDER_KEY = /^[A-Z][A-Z0-9_]*_API_KEY$/

/** The descriptor of the pipe that the keys come through, as JSON. */
export const KEYS_FD = 'PROOFBOARD_KEYS_FD'
/** Names of keys that another process has: enough to say whether a key exists. */
export const KEY_NAMES = 'PROOFBOARD_KEY_NAMES'

const HELD_ELSEWHERE = 'held by the worker'

/** @typedef {Record<string, string>} Keys */

/**
 * The provider keys of this process. The first call takes them out of the environment, also out of the copy that the
 * kernel shows to other programs of the same user.
 * @returns {Readonly<Keys>}
 */
export function takeKeys() {
  const slots = /** @type {Record<symbol, Keys | undefined>} */ (globalThis)
  const known = slots[SLOT]
  if (known !== undefined) return known
  const taken = { ...fromNames(), ...fromEnvironment(), ...fromPipe() }
  slots[SLOT] = taken
  return taken
}

/**
 * Moves variables out of the environment like keys: those that an agent's own definition calls so.
 * @param {readonly string[]} names
 */
export function concealVariables(names) {
  const keys = /** @type {Keys} */ (takeKeys())
  const there = names.filter((name) => process.env[name])
  for (const name of there) {
    keys[name] = process.env[name] ?? ''
    delete process.env[name]
  }
  hideVariables(there)
}

/** @returns {Keys} */
function fromEnvironment() {
  /** @type {Keys} */
  const found = {}
  for (const [name, value] of Object.entries(process.env)) {
    if (!PROVIDER_KEY.test(name)) continue
    if (value) found[name] = value
    delete process.env[name]
  }
  hideVariables(Object.keys(found))
  return found
}

/** @returns {Keys} */
function fromNames() {
  const names = process.env[KEY_NAMES]?.split(',').filter((name) => PROVIDER_KEY.test(name)) ?? []
  delete process.env[KEY_NAMES]
  return Object.fromEntries(names.map((name) => [name, HELD_ELSEWHERE]))
}

/** @returns {Keys} */
function fromPipe() {
  const descriptor = Number(process.env[KEYS_FD])
  delete process.env[KEYS_FD]
  if (!Number.isInteger(descriptor) || descriptor < 3) return {}
  try {
    const told = JSON.parse(readFileSync(descriptor, 'utf8'))
    closeSync(descriptor)
    return Object.fromEntries(
      Object.entries(told).filter(([name, value]) => PROVIDER_KEY.test(name) && value !== ''),
    )
  } catch {
    return {} // nobody sent any: a run that needs one says so by name
  }
}

// Where in /proc/self/stat, behind the program's name, the kernel says where the environment begins.
const ENVIRONMENT_START = 47

/**
 * Blots variables out of /proc/<pid>/environ, which keeps what a process was started with even when the variable is
 * deleted, and which every program of the same user can read. Linux only; elsewhere, and where it is refused, nothing.
 * @param {readonly string[]} names no longer in `process.env`
 */
export function hideVariables(names) {
  if (process.platform !== 'linux' || names.length === 0) return
  try {
    const shown = readFileSync('/proc/self/environ')
    const stat = readFileSync('/proc/self/stat', 'latin1')
    const start = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[ENVIRONMENT_START])
    if (!(start > 0)) return
    const memory = openSync('/proc/self/mem', 'r+')
    try {
      for (const { from, length } of findValues(shown, names))
        writeSync(memory, Buffer.alloc(length, '*'), 0, length, start + from)
    } finally {
      closeSync(memory)
    }
  } catch {
    // The kernel forbids it: what remains readable is said in the documentation.
  }
}

/** @param {Buffer} shown @param {readonly string[]} names */
function findValues(shown, names) {
  const found = []
  for (let from = 0; from < shown.length; ) {
    const end = shown.indexOf(0, from)
    const to = end === -1 ? shown.length : end
    const entry = shown.subarray(from, to).toString('latin1')
    const at = entry.indexOf('=') + 1
    if (at > 0 && names.includes(entry.slice(0, at - 1)))
      found.push({ from: from + at, length: to - from - at })
    from = to + 1
  }
  return found
}
