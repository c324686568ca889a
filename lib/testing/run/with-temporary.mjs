// @ts-check
import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Short, because a browser creates a socket below it, whose path is limited to a hundred characters. */
const ROOT = process.platform === 'darwin' ? '/tmp' : tmpdir()

/**
 * Runs `work` with a temporary folder for all of its processes, and removes it at the end, also when a signal ends this
 * process by `process.exit`. The next run removes the folder of a killed one.
 * @template T
 * @param {(folder: string) => Promise<T>} work
 * @param {string} [root]
 * @returns {Promise<T>}
 */
export async function withTemporary(work, root = ROOT) {
  for (const name of readdirSync(root)) if (isAbandoned(name)) remove(join(root, name))
  const folder = mkdtempSync(join(root, `pb~${process.pid.toString(36)}~`))
  // As open as the default one, because a test may start programs as another user.
  chmodSync(folder, 0o1777)
  const end = () => remove(folder)
  process.once('exit', end)
  try {
    return await work(folder)
  } finally {
    process.off('exit', end)
    end()
  }
}

/** @param {string} name `pb~`, a process id to the base 36, `~` and six letters, as no other program names a folder */
function isAbandoned(name) {
  const pid = Number.parseInt(/^pb~([0-9a-z]{1,6})~\w{6}$/.exec(name)?.[1] ?? '', 36)
  try {
    return pid > 0 && !process.kill(pid, 0)
  } catch (error) {
    return Reflect.get(Object(error), 'code') === 'ESRCH'
  }
}

/**
 * Removes a folder. The next run removes what remains, since a failure here concerns no test. @param {string} folder
 */
function remove(folder) {
  try {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
  } catch {
    // A process that ends late may still write there.
  }
}
