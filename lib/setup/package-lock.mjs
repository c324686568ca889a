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
 * How names of packages begin their word for a C library, and what npm calls it: without it both would be installed.
 * @type {readonly (readonly [string, string])[]}
 */
const LIBRARIES = [
  ['musl', 'musl'],
  ['gnu', 'glibc'],
]

/**
 * The lock with an entry for every optional package of a foreign platform (a version and no checksum: a machine that needs
 * one asks its registry), and with the older compilers that npm 10 asks for and npm 11 leaves out.
 * @param {Lock} lock
 * @returns {{ lock: Lock, added: string[] }}
 */
export function addMissingPackages(lock) {
  const missing = listMissingPackages(lock)
  const entries = missing.map(({ name, version, dev }) => [
    `node_modules/${name}`,
    { version, ...platformOf(name), ...(dev && { dev }), optional: true },
  ])
  const compilers = listMissingCompilers(lock).map((path) => [path, compilerOf(lock)])
  const packages = Object.fromEntries(
    [...Object.entries(lock.packages), ...entries, ...compilers].sort(([a], [b]) =>
      String(a).localeCompare(String(b), 'en'),
    ),
  )
  const added = [...missing.map(({ name }) => name), ...compilers.map(([path]) => String(path))]
  return { lock: { ...lock, packages }, added }
}

const COMPILER = 'node_modules/typescript'
const OLDER_COMPILER = 'node_modules/typescript-gate'

/** @param {Lock} lock */
function compilerOf({ packages }) {
  const { version, integrity, license, bin, engines } = packages[OLDER_COMPILER] ?? {}
  return { version, integrity, license, optional: true, peer: true, bin, engines }
}

/**
 * Places below packages that can use TypeScript (an optional peer) of an older major version than ours. npm 10, which comes
 * with Node 20 and 22, refuses a lock without them.
 * @param {Lock} lock
 * @returns {string[]}
 */
export function listMissingCompilers({ packages }) {
  const [own, older] = [COMPILER, OLDER_COMPILER].map((path) => majorOf(packages[path]?.version))
  return Object.entries(packages).flatMap(([path, { peerDependencies }]) => {
    const asked = /^\^(\d+)/.exec(peerDependencies?.typescript ?? '')?.[1]
    const place = `${path.slice(0, Math.max(0, path.lastIndexOf('/node_modules/')))}/${COMPILER}`
    const isOlder = asked !== undefined && asked !== own && asked === older
    // A peer stands beside its package; at the top our own compiler does.
    return isOlder && !place.startsWith('/') && !packages[place] ? [place] : []
  })
}

/** @param {string | undefined} version */
function majorOf(version) {
  return version?.split('.')[0]
}

/** @param {string} name */
function platformOf(name) {
  const words = name.split(/[/-]/)
  const cpu = PROCESSORS.find((word) => words.includes(word))
  const os = SYSTEMS.find((word) => words.includes(word))
  const libc = LIBRARIES.find(([start]) => words.some((word) => word.startsWith(start)))?.[1]
  return { ...(cpu && { cpu: [cpu] }), ...(libc && { libc: [libc] }), ...(os && { os: [os] }) }
}

/** @typedef {{ version?: string, dev?: boolean, optionalDependencies?: Record<string, string>, peerDependencies?: Record<string, string> }} LockEntry */
/** @typedef {{ packages: Record<string, LockEntry & Record<string, unknown>> }} Lock */
/** @typedef {{ name: string, version: string, dev: boolean }} MissingPackage */

/**
 * Optional packages that an entry asks for by an exact version and the lock does not hold. `npm install` leaves out
 * those that its registry does not offer (other platforms'); `npm ci` then refuses the lock.
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

/** Node's own look-up: beside the package, then beside each folder above it.
 * @param {Lock} lock @param {string} path @param {string} name */
function isHeld(lock, path, name) {
  for (let place = path; ; place = place.replace(/\/?node_modules\/(@[^/]+\/)?[^/]+$/, '')) {
    if (lock.packages[`${place === '' ? '' : `${place}/`}node_modules/${name}`]) return true
    if (place === '') return false
  }
}
