// @ts-check
import { accessSync, constants, existsSync } from 'node:fs'
import { lastLines } from '../process/last-lines.mjs'
import { runCommand } from '../process/run-command.mjs'
import { showProgress } from '../process/show-progress.mjs'
import { SetupFailure } from '../setup-failure.mjs'
import { listBrowserPaths } from './list-browser-paths.mjs'

const APT = '/usr/bin/apt-get'
const WHAT_TO_DO =
  'No Chromium was found: install one (Debian: apt-get install chromium; macOS: brew install --cask chromium), or set PROOFBOARD_CHROMIUM to the path of one.'

/**
 * The path of a Chromium for the browser tests; installs the distribution's package where that is allowed. Throws a
 * SetupFailure that says what to install.
 * @returns {Promise<string>}
 */
export async function ensureBrowser() {
  const found = findBrowser()
  if (found !== null) return found
  if (process.env.PROOFBOARD_CHROMIUM) {
    throw new SetupFailure(
      `PROOFBOARD_CHROMIUM=${process.env.PROOFBOARD_CHROMIUM} is not an executable program`,
    )
  }
  if (!mayInstall()) throw new SetupFailure(WHAT_TO_DO)
  await installPackage()
  const installed = findBrowser()
  if (installed === null) throw new SetupFailure(WHAT_TO_DO)
  return installed
}

function findBrowser() {
  return listBrowserPaths(process.env).find(isProgram) ?? null
}

/** @param {string} path */
function isProgram(path) {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** Root on Debian or Ubuntu (a container, a CI machine), or whoever asks for it. */
function mayInstall() {
  if (!existsSync(APT)) return false
  return process.getuid?.() === 0 || process.env.PROOFBOARD_INSTALL_BROWSER === '1'
}

async function installPackage() {
  const sudo = process.getuid?.() === 0 ? [] : ['sudo', '-n']
  const progress = showProgress('installing the package chromium')
  try {
    for (const args of [['update'], ['install', '-y', '--no-install-recommends', 'chromium']]) {
      const [command = APT, ...rest] = [...sudo, APT, ...args]
      const { code, output } = await runCommand(command, rest, {
        env: { DEBIAN_FRONTEND: 'noninteractive' },
      })
      if (code !== 0)
        throw new SetupFailure(
          `\`apt-get ${args.join(' ')}\` failed. ${WHAT_TO_DO}`,
          lastLines(output, 15),
        )
    }
  } finally {
    progress.stop()
  }
}
