// @ts-check
import { accessSync, constants, existsSync, readdirSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { lastLines, runCommand } from './process.mjs'
import { SetupFailure, showProgress } from './progress.mjs'

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

/** Root on Debian or Ubuntu (a container, a CI machine), or on request. */
function mayInstall() {
  if (!existsSync(APT)) return false
  return process.getuid?.() === 0 || process.env.PROOFBOARD_INSTALL_BROWSER === '1'
}

async function installPackage() {
  const sudo = process.getuid?.() === 0 ? [] : ['sudo', '-n']
  const progress = showProgress('installing the package chromium')
  try {
    const install = ['install', '-y', '--no-install-recommends']
    // Selenium and webdriverio need the driver; everything else works without it.
    for (const args of [['update'], [...install, 'chromium'], [...install, 'chromium-driver']]) {
      const [command = APT, ...rest] = [...sudo, APT, ...args]
      const { code, output } = await runCommand(command, rest, {
        env: { DEBIAN_FRONTEND: 'noninteractive' },
      })
      if (code !== 0 && !args.includes('chromium-driver'))
        throw new SetupFailure(
          `\`apt-get ${args.join(' ')}\` failed. ${WHAT_TO_DO}`,
          lastLines(output, 15),
        )
    }
  } finally {
    progress.stop()
  }
}

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome']
const MAC_APPS = [
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]
/** Below one `chromium-1234` folder of Playwright's cache. */
const CACHED = [
  'chrome-linux/chrome',
  'chrome-linux64/chrome',
  'chrome-mac/Chromium.app/Contents/MacOS/Chromium',
  'chrome-mac-arm64/Google Chrome for Testing.app/Contents/MacOS/Google Chrome for Testing',
]

/**
 * Possible paths of a Chromium, best first: PROOFBOARD_CHROMIUM alone when it is set.
 * @param {Record<string, string | undefined>} env
 * @returns {string[]}
 */
export function listBrowserPaths(env) {
  if (env.PROOFBOARD_CHROMIUM) return [env.PROOFBOARD_CHROMIUM]
  const folders = (env.PATH ?? '').split(delimiter).filter((folder) => folder !== '')
  const onPath = NAMES.flatMap((name) => folders.map((folder) => join(folder, name)))
  return [...onPath, ...MAC_APPS, ...listCached(env)]
}

/** @param {Record<string, string | undefined>} env */
function listCached(env) {
  const home = env.HOME ?? ''
  const caches = [
    env.PLAYWRIGHT_BROWSERS_PATH,
    join(home, '.cache', 'ms-playwright'),
    join(home, 'Library', 'Caches', 'ms-playwright'),
  ]
  return caches.flatMap((cache) =>
    cache
      ? listFolders(cache).flatMap((folder) => CACHED.map((path) => join(cache, folder, path)))
      : [],
  )
}

/** Newest first. @param {string} cache */
function listFolders(cache) {
  try {
    return readdirSync(cache)
      .filter((name) => /^chromium-\d+$/.test(name))
      .sort()
      .reverse()
  } catch {
    return []
  }
}
