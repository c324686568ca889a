// @ts-check
import { closeSync, readFileSync } from 'node:fs'
import { hideVariables } from './hide-variables.mjs'

// Provider keys stand in no environment: a process that is given some moves them into its memory before it starts
// anything, and hands them on through a pipe. One slot for each process, because bundles do not share their modules.

const SLOT = Symbol.for('proofboard.provider-keys')

/** Keys of model providers, by the names of their variables. */
const PROVIDER_KEY = /^[A-Z][A-Z0-9_]*_API_KEY$/

/** The descriptor of the pipe that the keys come through, as JSON. */
export const KEYS_FD = 'PROOFBOARD_KEYS_FD'
/** Names of keys that somebody else holds: enough to say whether a key is there. */
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
