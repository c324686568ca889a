// @ts-check

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
 * Prefixes by which package names state a C library, and npm's name for it: without it both would be installed.
 * @type {readonly (readonly [string, string])[]}
 */
const LIBRARIES = [
  ['musl', 'musl'],
  ['gnu', 'glibc'],
]

/**
 * Returns the lock with an entry for every optional package of another platform (a version without checksum: a machine
 * that needs one asks its registry).
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
    [...Object.entries(lock.packages), ...entries].sort(([a], [b]) =>
      String(a).localeCompare(String(b), 'en'),
    ),
  )
  const added = missing.map(({ name }) => name)
  return { lock: { ...lock, packages }, added }
}

/** @param {string} name */
function platformOf(name) {
  const words = name.split(/[/-]/)
  const cpu = PROCESSORS.find((word) => words.includes(word))
  const os = SYSTEMS.find((word) => words.includes(word))
  const libc = LIBRARIES.find(([start]) => words.some((word) => word.startsWith(start)))?.[1]
  return { ...(cpu && { cpu: [cpu] }), ...(libc && { libc: [libc] }), ...(os && { os: [os] }) }
}

/** @typedef {{ version?: string, dev?: boolean, optionalDependencies?: Record<string, string> }} LockEntry */
/** @typedef {{ packages: Record<string, LockEntry & Record<string, unknown>> }} Lock */
/** @typedef {{ name: string, version: string, dev: boolean }} MissingPackage */

/**
 * Lists optional packages that an entry requires by an exact version and the lock lacks. `npm install` leaves out those
 * that its registry does not offer (other platforms'); `npm ci` then refuses the lock.
 * @param {Lock} lock
 * @returns {MissingPackage[]}
 */
export function listMissingPackages(lock) {
  const missing = new Map()
  for (const [path, entry] of Object.entries(lock.packages)) {
    if (path === '') continue
    for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
      if (!/^\d/.test(version) || isHeld(lock, path, name)) continue
      missing.set(name, {
        name,
        version,
        dev: entry.dev === true && missing.get(name)?.dev !== false,
      })
    }
  }
  return [...missing.values()]
}

/**
 * Implements Node's own look-up: beside the package, then beside each folder above it.
 * @param {Lock} lock @param {string} path @param {string} name
 */
function isHeld(lock, path, name) {
  for (let place = path; ; place = place.replace(/\/?node_modules\/(@[^/]+\/)?[^/]+$/, '')) {
    if (lock.packages[`${place === '' ? '' : `${place}/`}node_modules/${name}`]) return true
    if (place === '') return false
  }
}
