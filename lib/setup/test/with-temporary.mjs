// @ts-check
import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const NAME = 'pb-tests-'
/** Short, because a browser keeps a socket there, whose path may have a hundred characters. */
const ROOT = process.platform === 'darwin' ? '/tmp' : tmpdir()

/**
 * Gives `work` a temporary folder of its own, for everything below it, and removes it at the end. A run that was killed
 * leaves its folder behind: the next one removes it.
 * @template T
 * @param {(folder: string) => Promise<T>} work
 * @param {string} [root]
 * @returns {Promise<T>}
 */
export async function withTemporary(work, root = ROOT) {
  for (const name of readdirSync(root)) if (isAbandoned(name)) remove(join(root, name))
  const folder = mkdtempSync(join(root, `${NAME}${process.pid}-`))
  // As open as the usual one: what a test starts may be another user.
  chmodSync(folder, 0o1777)
  try {
    return await work(folder)
  } finally {
    remove(folder)
  }
}

/** @param {string} name */
function isAbandoned(name) {
  if (!name.startsWith(NAME)) return false
  const pid = Number.parseInt(name.slice(NAME.length), 10)
  try {
    return pid > 0 && !process.kill(pid, 0)
  } catch (error) {
    return Reflect.get(Object(error), 'code') === 'ESRCH'
  }
}

/** What cannot be removed is for the next run: it says nothing about the tests. @param {string} folder */
function remove(folder) {
  try {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
  } catch {
    // A process that ends late may still write there.
  }
}
