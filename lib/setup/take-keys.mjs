// @ts-check
import { closeSync, readFileSync, statSync } from 'node:fs'

// Provider keys are never in an environment: a process that gets some moves them into its memory before it starts
// anything, and passes them on through a pipe. One slot per process, because bundles do not share their modules.

const SLOT = Symbol.for('proofboard.provider-keys')
/** Names of variables that are part of a provider's address, which a runner gets unchanged. */
const PLACES_SLOT = Symbol.for('proofboard.provider-places')

/** Keys of model providers, by the names of their variables. */
const PROVIDER_KEY = /^[A-Z][A-Z0-9_]*_API_KEY$/
/** Variables in a file of providers: a key by its bare name, a part of an address as ${NAME}. */
const PLACE = /\$\{([A-Z][A-Z0-9_]*)/g
const NAMED_KEY = /\b[A-Z][A-Z0-9]*_[A-Z0-9_]+\b/g
/** Variables that child processes need, or must not be overwritten with. */
const NOT_OURS = /^(PROOFBOARD|NODE|NPM|LD|LC|DYLD|XDG)_|^(PATH|HOME|TMPDIR)$/
/** The runner refuses a longer file of providers. */
const MAX_BYTES = 1 << 20
const SHIPPED = new URL('../../runner/providers/providers.yaml', import.meta.url)

/** Variable with the descriptor of the pipe that provides the keys, as JSON. */
export const KEYS_FD = 'PROOFBOARD_KEYS_FD'
/** Variable with the names of another process's keys: enough to show whether a key exists. */
export const KEY_NAMES = 'PROOFBOARD_KEY_NAMES'

const HELD_ELSEWHERE = 'held by the worker'

/** @typedef {Record<string, string>} Keys */

/**
 * Returns the provider keys of this process. The first call removes them from the environment.
 * @returns {Readonly<Keys>}
 */
export function takeKeys() {
  const slots = /** @type {Record<symbol, Keys | undefined>} */ (globalThis)
  const known = slots[SLOT]
  if (known !== undefined) return known
  const named = readNames()
  const isKey = (/** @type {string} */ name) => PROVIDER_KEY.test(name) || named.keys.has(name)
  const taken = { ...fromNames(isKey), ...fromEnvironment(isKey), ...fromPipe(isKey) }
  slots[SLOT] = taken
  Object.assign(globalThis, { [PLACES_SLOT]: named.places })
  return taken
}

/**
 * Lists the variables named in the files of providers. Matches patterns, because no YAML parser may be installed yet;
 * the runner checks the files themselves (runner/providers/provider-file.ts).
 */
function readNames() {
  const text = [SHIPPED, process.env.PROOFBOARD_PROVIDERS || null].map(readQuietly).join('\n')
  const code = text.replace(/(^|\s)#.*$/gm, '')
  const find = (/** @type {string} */ where, /** @type {RegExp} */ pattern) =>
    [...where.matchAll(pattern)]
      .map(([whole, name = whole]) => name)
      .filter((name) => !NOT_OURS.test(name))
  return { places: find(code, PLACE), keys: new Set(find(code.replace(PLACE, ''), NAMED_KEY)) }
}

/** @param {URL | string | null} file */
function readQuietly(file) {
  try {
    // A pipe or a device would never end, and no command could start.
    if (file === null || !statSync(file).isFile() || statSync(file).size > MAX_BYTES) return ''
    return readFileSync(file, 'utf8')
  } catch {
    return '' // the runner reports what is wrong with it, when it is needed
  }
}

/**
 * Removes variables from the environment like keys: those that an agent's definition declares.
 * @param {readonly string[]} names
 */
export function concealVariables(names) {
  const keys = /** @type {Keys} */ (takeKeys())
  const there = names.filter((name) => process.env[name])
  for (const name of there) {
    keys[name] = process.env[name] ?? ''
    delete process.env[name]
  }
}

/** @param {(name: string) => boolean} isKey @returns {Keys} */
function fromEnvironment(isKey) {
  /** @type {Keys} */
  const found = {}
  for (const [name, value] of Object.entries(process.env)) {
    if (!isKey(name)) continue
    if (value) found[name] = value
    delete process.env[name]
  }
  return found
}

/** @param {(name: string) => boolean} isKey @returns {Keys} */
function fromNames(isKey) {
  const names = process.env[KEY_NAMES]?.split(',').filter(isKey) ?? []
  delete process.env[KEY_NAMES]
  return Object.fromEntries(names.map((name) => [name, HELD_ELSEWHERE]))
}

/** @param {(name: string) => boolean} isKey @returns {Keys} */
function fromPipe(isKey) {
  const descriptor = Number(process.env[KEYS_FD])
  delete process.env[KEYS_FD]
  if (!Number.isInteger(descriptor) || descriptor < 3) return {}
  try {
    const sent = JSON.parse(readFileSync(descriptor, 'utf8'))
    closeSync(descriptor)
    return Object.fromEntries(
      Object.entries(sent).filter(([name, value]) => isKey(name) && value !== ''),
    )
  } catch {
    return {} // none were sent: a run that needs one names it
  }
}
