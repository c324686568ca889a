// @ts-check

/** @typedef {{ packages: Record<string, { version?: string, optional?: boolean, devOptional?: boolean, peer?: boolean }> }} Lock */

/**
 * Paths whose installed version is not the one that the lock asks for. Optional packages may be absent.
 * @param {Lock} lock package-lock.json
 * @param {Lock} laid node_modules/.package-lock.json, which npm writes last
 * @returns {string[]}
 */
export function listDifferences(lock, laid) {
  return Object.entries(lock.packages)
    .filter(([path, { version, optional, devOptional, peer }]) => {
      const there = laid.packages[path]
      if (path === '') return false
      if (there === undefined) return !(optional || devOptional || peer)
      return there.version !== version
    })
    .map(([path]) => path)
}
