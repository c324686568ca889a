// @ts-check
import { formatSeconds } from './format-seconds.mjs'
import { explainInstallFailure } from './install/explain-install-failure.mjs'
import { isInstalled, writeStamp } from './install/is-installed.mjs'
import { holdLock } from './process/hold-lock.mjs'
import { lastLines } from './process/last-lines.mjs'
import { runCommand } from './process/run-command.mjs'
import { SET_UP_LOCK } from './process/set-up-lock.mjs'
import { showProgress } from './process/show-progress.mjs'
import { SetupFailure } from './setup-failure.mjs'

const ARGS = [
  'ci',
  '--include=dev',
  '--foreground-scripts',
  '--no-audit',
  '--no-fund',
  '--loglevel=notice',
]

/**
 * Makes sure that the packages are there, as package-lock.json says; costs a few milliseconds when they are.
 * Uses nothing but node, and says nothing on stdout. Throws a SetupFailure.
 * @param {{ signal?: AbortSignal }} [options]
 * @returns {Promise<boolean>} whether anything was installed
 */
export async function ensureInstalled({ signal } = {}) {
  if (isInstalled()) return false
  const onWait = (/** @type {number} */ pid) =>
    say(`another setup (pid ${pid}) is running: waiting`)
  return holdLock(SET_UP_LOCK, () => (isInstalled() ? Promise.resolve(false) : install(signal)), {
    onWait,
  })
}

/** @param {AbortSignal | undefined} signal */
async function install(signal) {
  say('installing packages (once per clone, 1 to 3 minutes)')
  const progress = showProgress('packages')
  let compiling = false
  const onLine = (/** @type {string} */ line) => {
    if (compiling || !/node-gyp|gyp info/.test(line)) return
    compiling = true
    progress.note('compiling better-sqlite3')
    say('no prebuilt better-sqlite3 for this machine: compiling it (about a minute)')
  }
  const { code, output, durationMs } = await runCommand('npm', ARGS, { onLine, signal })
  progress.stop()
  if (code !== 0) {
    throw new SetupFailure(
      `\`npm ci\` failed (exit ${code}). ${explainInstallFailure(output)}`,
      lastLines(output, 20),
    )
  }
  writeStamp()
  say(`packages installed in ${formatSeconds(durationMs)}`)
  return true
}

/** @param {string} line */
function say(line) {
  process.stderr.write(`${process.stderr.isTTY ? '\r\u001b[2K' : ''}  ${line}\n`)
}
