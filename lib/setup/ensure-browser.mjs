// @ts-check
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { ensureProgram, isProgram, listOnPath } from './ensure-program.mjs'
import { SetupFailure } from './progress.mjs'

/**
 * Returns the path of a Chromium for the browser tests; installs the distribution's package where that is allowed.
 * Throws a SetupFailure that says what to install.
 * @returns {Promise<string>}
 */
export async function ensureBrowser() {
  if (process.env.PROOFBOARD_CHROMIUM && findBrowser() === null)
    throw new SetupFailure(
      `PROOFBOARD_CHROMIUM=${process.env.PROOFBOARD_CHROMIUM} is not an executable program`,
    )
  return ensureProgram({
    find: findBrowser,
    package: 'chromium',
    // Selenium and webdriverio need the driver; everything else works without it.
    optional: ['chromium-driver'],
    advice:
      'No Chromium was found: install one (Debian: apt-get install chromium; macOS: brew install --cask chromium), or set PROOFBOARD_CHROMIUM to the path of one.',
  })
}

/**
 * Returns the path of a Chromium for tests that read pages: its headless shell, the same engine without windows, if
 * there is one or the distribution's package may be installed; else `browser`. A page takes a third of the time.
 * @param {string} browser result of `ensureBrowser`
 * @returns {Promise<string>}
 */
export async function ensureShell(browser) {
  if (process.env.PROOFBOARD_CHROMIUM) return browser
  return ensureProgram({
    find: () => listShellPaths(process.env).find(isProgram) ?? null,
    package: 'chromium-headless-shell',
    advice: '',
  }).catch((error) => {
    // Not every distribution has the package.
    if (!(error instanceof SetupFailure)) throw error
    return browser
  })
}

/** Returns the path of the Chromium of this machine; null = there is none. */
export function findBrowser() {
  return listBrowserPaths(process.env).find(isProgram) ?? null
}

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome']
const MAC_APPS = [
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]
const SHELL_NAMES = ['chromium-headless-shell', 'chrome-headless-shell']
/** Paths in a `chromium-1234` folder of Playwright's cache. */
const CACHED = [
  'chrome-linux/chrome',
  'chrome-linux64/chrome',
  'chrome-mac/Chromium.app/Contents/MacOS/Chromium',
  'chrome-mac-arm64/Google Chrome for Testing.app/Contents/MacOS/Google Chrome for Testing',
]

/** Paths in a `chromium_headless_shell-1234` folder. */
const CACHED_SHELL = [
  'chrome-linux/headless_shell',
  'chrome-headless-shell-linux64/chrome-headless-shell',
  'chrome-mac/headless_shell',
  'chrome-headless-shell-mac-arm64/chrome-headless-shell',
]

/**
 * Lists possible paths of a Chromium, best first: only PROOFBOARD_CHROMIUM when it is set.
 * @param {Record<string, string | undefined>} env
 * @returns {string[]}
 */
export function listBrowserPaths(env) {
  if (env.PROOFBOARD_CHROMIUM) return [env.PROOFBOARD_CHROMIUM]
  return [...listOnPath(env, NAMES), ...MAC_APPS, ...listCached(env, 'chromium', CACHED)]
}

/**
 * Lists possible paths of a headless shell, best first.
 * @param {Record<string, string | undefined>} env
 * @returns {string[]}
 */
export function listShellPaths(env) {
  const cached = listCached(env, 'chromium_headless_shell', CACHED_SHELL)
  return [...listOnPath(env, SHELL_NAMES), ...cached]
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
