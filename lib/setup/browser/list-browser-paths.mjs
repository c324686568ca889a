// @ts-check
import { readdirSync } from 'node:fs'
import { delimiter, join } from 'node:path'

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
 * Where a Chromium may lie, best first: PROOFBOARD_CHROMIUM alone when it is set.
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
