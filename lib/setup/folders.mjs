// @ts-check
// Explains whether this process may use a folder, and if not, why: as a part of a sentence that names the folder and
// its owner.
import { accessSync, constants, existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { dirname, join } from 'node:path'

const { R_OK, W_OK, X_OK } = constants

/**
 * Explains why this user may not read a file or list a folder; null = it may, or nothing is there.
 * @param {string} path
 * @returns {string | null}
 */
export function explainClosed(path) {
  const stats = statOf(path)
  if (stats !== null) return explain(path, stats.isDirectory() ? R_OK | X_OK : R_OK)
  return path === dirname(path) ? null : explainClosed(dirname(path))
}

/**
 * Explains why this user cannot write into a folder, or create it; null = it can.
 * @param {string} folder
 * @returns {string | null}
 */
export function explainUnwritable(folder) {
  if (!existsSync(folder) && folder !== dirname(folder)) return explainUnwritable(dirname(folder))
  return explain(folder, R_OK | W_OK | X_OK)
}

/**
 * Explains in a sentence why the suites of a clone cannot be read; null = they can. A run as root at `--isolation
 * local` closes them to all other users (`closeAnswers` of the runner).
 * @param {string} folder
 * @returns {string | null}
 */
export function explainSuites(folder) {
  const below = () =>
    readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map((entry) => explainClosed(join(folder, entry.name)))
  const reason = explainClosed(folder) ?? below().find((one) => one !== null)
  if (!reason) return null
  return `the suites cannot be read: ${reason}. Use a clone of your own, or have root run \`chmod -R go+rX ${folder}\` (a run as root at --isolation local closes them to other users)`
}

/** Folders whose files other users may have installed, and all may read. */
const SHARED = new Set(['agents', 'images'])

/**
 * Explains in a sentence why this process cannot work in a data folder; null = it can, or can create it.
 * @param {string} folder
 * @returns {string | null}
 */
export function explainDataFolder(folder) {
  const entries = () => readdirSync(folder, { withFileTypes: true })
  const reason =
    explainUnwritable(folder) ??
    (existsSync(folder) ? entries() : [])
      .filter(({ name }) => !SHARED.has(name))
      .map((entry) => explainEntry(join(folder, entry.name), entry.isDirectory()))
      .find((one) => one !== null)
  if (!reason) return null
  return `the data folder ${folder} cannot be used: ${reason}. Set PROOFBOARD_DATA_DIR to a folder of yours, or start as its owner`
}

/** Null also for an entry that was removed meanwhile. @param {string} path @param {boolean} isFolder */
function explainEntry(path, isFolder) {
  return statOf(path) && explain(path, isFolder ? R_OK | W_OK | X_OK : R_OK | W_OK)
}

/**
 * Explains in a sentence why the temporary folder cannot be used; null = it can.
 * @returns {string | null}
 */
export function explainTemporaryFolder() {
  const folder = tmpdir()
  const reason = existsSync(folder) ? explainUnwritable(folder) : `${folder} does not exist`
  if (reason === null) return null
  return `there is no usable temporary folder: ${reason}. Set TMPDIR to a folder that you can write to, or unset it`
}

/** @param {string} path @param {number} mode @returns {string | null} */
function explain(path, mode) {
  if ((mode & X_OK) !== 0 && statOf(path)?.isDirectory() === false) return `${path} is not a folder`
  try {
    accessSync(path, mode)
    return null
  } catch (error) {
    return explainRefusal(path, Reflect.get(Object(error), 'code'))
  }
}

/** @param {string} path @param {unknown} code error code of the system */
function explainRefusal(path, code) {
  if (code === 'EROFS') return `${path} is on a read-only file system`
  const stats = statOf(path)
  if (stats === null) return explainClosed(path) ?? `${path} cannot be used (${code})`
  const own = process.getuid?.()
  if (stats.uid !== own)
    return `${path} belongs to ${nameUser(stats.uid)}, and this process runs as ${nameUser(own)}`
  return `${path} is closed to its owner (mode ${(stats.mode & 0o777).toString(8).padStart(4, '0')})`
}

/** Null = it does not exist, or a folder above it is closed. @param {string} path */
function statOf(path) {
  try {
    return statSync(path)
  } catch {
    return null
  }
}

/** @param {number | undefined} uid */
function nameUser(uid) {
  if (uid === undefined) return userInfo().username
  return findName(uid) ?? `user ${uid}`
}

/** @param {number} uid */
function findName(uid) {
  try {
    const entries = readFileSync('/etc/passwd', 'utf8').split('\n')
    return entries.find((entry) => entry.split(':')[2] === String(uid))?.split(':')[0] ?? null
  } catch {
    return uid === 0 ? 'root' : null
  }
}
