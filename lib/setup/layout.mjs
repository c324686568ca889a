// @ts-check
// Paths of the project: in a clone, or in the package that `npm run pack` makes. The only place that knows both
// layouts.
// Plain JavaScript: it runs before anything is built, and is also part of bundles, which are in deeper folders.
import { createHash } from 'node:crypto'
import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
} from 'node:fs'
import { homedir } from 'node:os'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * The folder of the clone or of the installed package: the nearest one above with the exercises and a package.json. A
 * bundle may be outside of the clone that it was made in, so the bundler (bundle.mjs) replaces this variable.
 */
export const ROOT =
  process.env.PROOFBOARD_BUNDLED_IN ?? findRoot(dirname(fileURLToPath(import.meta.url)))

/**
 * Facts that `npm run pack` wrote into the package's package.json; null in a clone.
 * @typedef {{ commit: string | null, dirty: boolean | null, packages: Record<string, string>, serverCommands: Record<string, string> }} PackageFacts
 * @type {PackageFacts | null}
 */
export const PACKAGE =
  JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).proofboard ?? null

/**
 * Folder of bundles and code caches: below node_modules, or in HOME when that is read-only. An installed package may be
 * read-only, and must not change.
 */
export const CACHE = PACKAGE === null ? chooseCache() : join(homeCache(), 'proofboard')

/**
 * Creates the cache's folders, and opens closed ones of this user to every user: a run has a private umask, and may be
 * the first to need the cache, whose programs other users start.
 */
export function makeCache(cache = CACHE) {
  const made = mkdirSync(cache, { recursive: true })
  const first = made ?? (PACKAGE === null ? dirname(cache) : cache)
  for (let path = cache; path.length >= first.length; path = dirname(path))
    if ((statSync(path).mode & OPEN) !== OPEN) chmodSync(path, OPEN)
  if (PACKAGE === null && !cache.startsWith(`${ROOT}/`)) linkPackages(dirname(cache))
}

function chooseCache() {
  const inClone = join(ROOT, 'node_modules', '.cache', 'proofboard')
  if (mayWrite(inClone)) return inClone
  const clone = createHash('sha256').update(ROOT).digest('hex').slice(0, 12)
  return join(homeCache(), 'proofboard', clone, 'bundles')
}

function homeCache() {
  return process.env.XDG_CACHE_HOME || join(homedir(), '.cache')
}

/** Returns whether this user can write a folder or create it. @param {string} folder @returns {boolean} */
function mayWrite(folder) {
  if (!existsSync(folder)) return folder !== dirname(folder) && mayWrite(dirname(folder))
  try {
    accessSync(folder, constants.W_OK | constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** Links to the clone's packages, so that bundles in HOME find them. @param {string} folder */
function linkPackages(folder) {
  try {
    symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  } catch (error) {
    if (Reflect.get(Object(error), 'code') !== 'EEXIST') throw error
  }
}

const OPEN = 0o755

/**
 * Default data folder, for runs and imported suites (PROOFBOARD_DATA_DIR overrides it); in a package, below the
 * project's folder.
 */
export const DEFAULT_DATA_FOLDER = join(PACKAGE === null ? ROOT : process.cwd(), '.proofboard')

/** The node_modules folder with this project's packages: inside a clone, around an installed package. */
export const MODULES =
  PACKAGE !== null && basename(dirname(ROOT)) === 'node_modules'
    ? dirname(ROOT)
    : join(ROOT, 'node_modules')

/** Folder of a package with the type declarations that tests of exercises are compiled with, in a node_modules. */
export const TYPES_FOLDER = join('dist', 'types')

/**
 * Returns the folder of an installed package, or where it would be.
 * @param {string} name
 */
export function findModule(name) {
  const own = [ROOT, join(ROOT, TYPES_FOLDER)].map((folder) => join(folder, 'node_modules', name))
  return own.find(existsSync) ?? join(MODULES, name)
}

/** Digests of all files of a package when it was made, by path. */
export const FILE_LIST = 'dist/files.json'
/** Installed packages and files that Next writes while it serves; git ignores both in a clone. */
const NOT_OURS = /^(node_modules|\.next)\//

/**
 * Digests all current files of a package by path, without the list of digests.
 * @param {string} root
 * @returns {Record<string, string>}
 */
export function digestFiles(root) {
  const paths = readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
    .filter((path) => !NOT_OURS.test(path) && path !== FILE_LIST)
  return Object.fromEntries(paths.sort().map((path) => [path, digestFile(join(root, path))]))
}

/** @param {string} path */
const digestFile = (path) => createHash('sha256').update(readFileSync(path)).digest('hex')

/**
 * Returns the prebuilt file of a package for a source, by the same path below `dist`; null when there is none.
 * @param {string} source absolute, or relative to the root
 */
export function findReady(source) {
  if (PACKAGE === null) return null
  const path = join(ROOT, 'dist', relative(ROOT, resolve(ROOT, source)).replace(/\.ts$/, '.mjs'))
  return existsSync(path) ? path : null
}

/** @param {string} from @returns {string} */
function findRoot(from) {
  for (let folder = from; folder !== dirname(folder); folder = dirname(folder))
    if (existsSync(join(folder, 'exercises')) && existsSync(join(folder, 'package.json')))
      return folder
  throw new Error(`there is no Proofboard around ${from}`)
}
