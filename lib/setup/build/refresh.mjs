// @ts-check
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { holdLock } from '../process/hold-lock.mjs'
import { lastLines } from '../process/last-lines.mjs'
import { SET_UP_LOCK } from '../process/set-up-lock.mjs'
import { showProgress } from '../process/show-progress.mjs'
import { SetupFailure } from '../setup-failure.mjs'

/** @typedef {import('../process/run-command.mjs').CommandResult} CommandResult */
/**
 * @typedef {object} Product something made from sources
 * @property {string} label
 * @property {string} stampPath where the hash of its sources is kept
 * @property {() => string} hash of the sources as they are now
 * @property {() => boolean} exists
 * @property {() => Promise<CommandResult>} make
 */

/**
 * Makes a product again when its sources changed. Two processes at once make it once.
 * @param {Product} product
 * @returns {Promise<boolean>} whether it was made
 */
export async function refresh(product) {
  if (isFresh(product)) return false
  const onWait = (/** @type {number} */ pid) =>
    process.stderr.write(`  another setup (pid ${pid}) is running: waiting\n`)
  return holdLock(SET_UP_LOCK, () => (isFresh(product) ? Promise.resolve(false) : make(product)), {
    onWait,
  })
}

/** @param {Product} product */
function isFresh({ exists, stampPath, hash }) {
  try {
    return exists() && readFileSync(stampPath, 'utf8').trim() === hash()
  } catch {
    return false
  }
}

/** @param {Product} product */
async function make({ label, stampPath, hash, make }) {
  // Taken before: a source that changes meanwhile makes the product stale at once.
  const before = hash()
  rmSync(stampPath, { force: true })
  const progress = showProgress(label)
  const { code, output } = await make().finally(() => progress.stop())
  if (code !== 0) throw new SetupFailure(`${label} failed (exit ${code}).`, lastLines(output, 40))
  mkdirSync(dirname(stampPath), { recursive: true })
  writeFileSync(stampPath, `${before}\n`)
  return true
}
