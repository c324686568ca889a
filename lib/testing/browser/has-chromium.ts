import { existsSync } from 'node:fs'
import { listBrowserPaths } from '#lib/setup/browser/list-browser-paths.mjs'

/** Whether tests that need a real Chromium can run here; a file that leaves them out says so where the skip stands. */
export const hasChromium = listBrowserPaths({ ...process.env }).some((path) => existsSync(path))

if (!hasChromium) process.stderr.write('NO CHROMIUM: tests of real browser runs are SKIPPED\n')
