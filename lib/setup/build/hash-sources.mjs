// @ts-check
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'

/**
 * One hash over the names and bytes of all files in `places` (files or folders below `root`; absent ones count as
 * absent). Times do not matter: a file that was touched and not changed is the same.
 * @param {string} root
 * @param {string[]} places
 * @param {(path: string) => boolean} [counts] whether a file matters, by its path from `root`
 */
export function hashSources(root, places, counts = () => true) {
  const hash = createHash('sha256')
  for (const path of places.flatMap((place) => listFiles(join(root, place))).sort()) {
    const name = relative(root, path).replaceAll('\\', '/')
    if (!counts(name)) continue
    const bytes = readFileSync(path)
    hash.update(`${name}\0${bytes.length}\0`).update(bytes)
  }
  return hash.digest('hex')
}

/** @param {string} path @returns {string[]} */
function listFiles(path) {
  const stats = statSync(path, { throwIfNoEntry: false })
  if (stats === undefined) return []
  if (stats.isFile()) return [path]
  return readdirSync(path, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() || entry.isFile() ? listFiles(join(path, entry.name)) : [],
  )
}
