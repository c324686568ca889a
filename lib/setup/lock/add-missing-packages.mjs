// @ts-check
import { listMissingPackages } from './list-missing-packages.mjs'

/** @typedef {import('./list-missing-packages.mjs').Lock} Lock */

const SYSTEMS = [
  'darwin',
  'win32',
  'linux',
  'android',
  'freebsd',
  'openbsd',
  'netbsd',
  'sunos',
  'aix',
  'openharmony',
]
const PROCESSORS = [
  'arm64',
  'x64',
  'ia32',
  'arm',
  'wasm32',
  'riscv64',
  'ppc64',
  's390x',
  'loong64',
  'mips64el',
]

/**
 * The lock with an entry for every optional package of a foreign platform. The entries carry a version and no
 * checksum: a machine that needs one asks its registry.
 * @param {Lock} lock
 * @returns {{ lock: Lock, added: string[] }}
 */
export function addMissingPackages(lock) {
  const missing = listMissingPackages(lock)
  const entries = missing.map(({ name, version, dev }) => [
    `node_modules/${name}`,
    { version, ...platformOf(name), ...(dev && { dev }), optional: true },
  ])
  const packages = Object.fromEntries(
    [...Object.entries(lock.packages), ...entries].sort(([a], [b]) => (a < b ? -1 : 1)),
  )
  return { lock: { ...lock, packages }, added: missing.map(({ name }) => name) }
}

/** @param {string} name */
function platformOf(name) {
  const words = name.split(/[/-]/)
  const cpu = PROCESSORS.find((word) => words.includes(word))
  const os = SYSTEMS.find((word) => words.includes(word))
  return { ...(cpu && { cpu: [cpu] }), ...(os && { os: [os] }) }
}
