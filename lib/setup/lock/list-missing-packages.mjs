// @ts-check

/** @typedef {{ version?: string, dev?: boolean, optionalDependencies?: Record<string, string> }} LockEntry */
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
