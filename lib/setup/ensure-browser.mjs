// @ts-check
import { accessSync, constants, existsSync, readdirSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { lastLines, runCommand } from './process.mjs'
import { SetupFailure, showProgress } from './progress.mjs'

const APT = '/usr/bin/apt-get'
const INSTALL = ['install', '-y', '--no-install-recommends']
/** Without a network a download is given up soon. */
const PATIENCE = ['http', 'https'].flatMap((kind) => ['-o', `Acquire::${kind}::Timeout=20`])
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
  // Selenium and webdriverio need the driver; everything else works without it.
  await installPackages('chromium', ['chromium-driver'])
  const installed = findBrowser()
  if (installed === null) throw new SetupFailure(WHAT_TO_DO)
  return installed
}

/**
 * The path of a Chromium that tests look at pages with: its headless shell, the same engine without the windows of a
 * browser, where there is one or the distribution's package may be installed; else `browser`. A page costs a third.
 * @param {string} browser what `ensureBrowser` found
 * @returns {Promise<string>}
 */
export async function ensureShell(browser) {
  if (process.env.PROOFBOARD_CHROMIUM) return browser
  const find = () => listShellPaths(process.env).find(isProgram)
  const found = find()
  if (found !== undefined) return found
  if (mayInstall()) await installPackages('chromium-headless-shell').catch(ignoreFailure)
  return find() ?? browser
}

function findBrowser() {
  return listBrowserPaths(process.env).find(isProgram) ?? null
}

/** Not every distribution has the package. @param {unknown} error */
function ignoreFailure(error) {
  if (!(error instanceof SetupFailure)) throw error
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

/** @param {string} name @param {string[]} [optional] what may be missing */
async function installPackages(name, optional = []) {
  const sudo = process.getuid?.() === 0 ? [] : ['sudo', '-n']
  const progress = showProgress(`installing the package ${name}`)
  try {
    const steps = [['update'], ...[name, ...optional].map((one) => [...INSTALL, one])]
    for (const args of steps) {
      const [command = APT, ...rest] = [...sudo, APT, ...PATIENCE, ...args]
      const { code, output } = await runCommand(command, rest, {
        env: { DEBIAN_FRONTEND: 'noninteractive' },
      })
      if (code !== 0 && !optional.some((one) => args.includes(one)))
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
const SHELL_NAMES = ['chromium-headless-shell', 'chrome-headless-shell']
/** Below one `chromium-1234` folder of Playwright's cache. */
const CACHED = [
  'chrome-linux/chrome',
  'chrome-linux64/chrome',
  'chrome-mac/Chromium.app/Contents/MacOS/Chromium',
  'chrome-mac-arm64/Google Chrome for Testing.app/Contents/MacOS/Google Chrome for Testing',
]

/** Below one `chromium_headless_shell-1234` folder. */
const CACHED_SHELL = [
  'chrome-linux/headless_shell',
  'chrome-headless-shell-linux64/chrome-headless-shell',
  'chrome-mac/headless_shell',
  'chrome-headless-shell-mac-arm64/chrome-headless-shell',
]

/**
 * Possible paths of a Chromium, best first: PROOFBOARD_CHROMIUM alone when it is set.
 * @param {Record<string, string | undefined>} env
 * @returns {string[]}
 */
export function listBrowserPaths(env) {
  if (env.PROOFBOARD_CHROMIUM) return [env.PROOFBOARD_CHROMIUM]
  return [...listOnPath(env, NAMES), ...MAC_APPS, ...listCached(env, 'chromium', CACHED)]
}

/**
 * Possible paths of a headless shell, best first.
 * @param {Record<string, string | undefined>} env
 * @returns {string[]}
 */
export function listShellPaths(env) {
  const cached = listCached(env, 'chromium_headless_shell', CACHED_SHELL)
  return [...listOnPath(env, SHELL_NAMES), ...cached]
}

/** @param {Record<string, string | undefined>} env @param {string[]} names */
function listOnPath(env, names) {
  const folders = (env.PATH ?? '').split(delimiter).filter((folder) => folder !== '')
  return names.flatMap((name) => folders.map((folder) => join(folder, name)))
}

/** @param {Record<string, string | undefined>} env @param {string} kind @param {string[]} paths */
function listCached(env, kind, paths) {
  const home = env.HOME ?? ''
  const caches = [
    env.PLAYWRIGHT_BROWSERS_PATH,
    join(home, '.cache', 'ms-playwright'),
    join(home, 'Library', 'Caches', 'ms-playwright'),
  ]
  return caches.flatMap((cache) =>
    cache
      ? listFolders(cache, kind).flatMap((folder) => paths.map((path) => join(cache, folder, path)))
      : [],
  )
}

/** Newest first. @param {string} cache @param {string} kind */
function listFolders(cache, kind) {
  const isKind = new RegExp(`^${kind}-\\d+$`)
  try {
    return readdirSync(cache)
      .filter((name) => isKind.test(name))
      .sort()
      .reverse()
  } catch {
    return []
  }
}
