import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { listBrowserPaths, listShellPaths } from './ensure-browser.mjs'
import { runCommand } from './process.mjs'

const home = mkdtempSync(join(tmpdir(), 'proofboard-browser-'))
afterAll(() => rmSync(home, { recursive: true, force: true }))

describe('listBrowserPaths', () => {
  it('believes PROOFBOARD_CHROMIUM alone', () => {
    expect(listBrowserPaths({ PROOFBOARD_CHROMIUM: '/opt/chrome', PATH: '/usr/bin' })).toEqual([
      '/opt/chrome',
    ])
  })

  it('looks along PATH, chromium first', () => {
    const paths = listBrowserPaths({ PATH: '/a:/b', HOME: home })
    expect(paths.slice(0, 3)).toEqual(['/a/chromium', '/b/chromium', '/a/chromium-browser'])
    expect(paths).toContain('/Applications/Google Chrome.app/Contents/MacOS/Google Chrome')
  })

  it('looks into Playwright’s cache, newest first', () => {
    const cache = join(home, '.cache', 'ms-playwright')
    for (const name of ['chromium-1100', 'chromium-1200', 'firefox-9'])
      mkdirSync(join(cache, name), { recursive: true })
    const cached = listBrowserPaths({ HOME: home }).filter((path) => path.startsWith(cache))
    expect(cached[0]).toBe(join(cache, 'chromium-1200/chrome-linux/chrome'))
    expect(cached.some((path) => path.includes('firefox'))).toBe(false)
  })
})

describe('listShellPaths', () => {
  it('looks along PATH, then into Playwright’s cache, never at a whole browser', () => {
    const cache = join(home, 'shells')
    for (const name of ['chromium-1200', 'chromium_headless_shell-1200'])
      mkdirSync(join(cache, name), { recursive: true })
    const paths = listShellPaths({ PATH: '/a', HOME: home, PLAYWRIGHT_BROWSERS_PATH: cache })
    const [first] = paths.filter((path) => path.startsWith(cache))
    expect(paths[0]).toBe('/a/chromium-headless-shell')
    expect(first).toBe(join(cache, 'chromium_headless_shell-1200/chrome-linux/headless_shell'))
    expect(paths.some((path) => path.includes('/chromium-1200/'))).toBe(false)
  })
})

describe('ensureBrowser', () => {
  it('refuses a PROOFBOARD_CHROMIUM that is none, in one line, and installs nothing', async () => {
    const code = `import('./lib/setup/ensure-browser.mjs').then((it) => it.ensureBrowser()).catch((e) => console.log(e.message))`
    const { output } = await runCommand(process.execPath, ['-e', code], {
      env: { PROOFBOARD_CHROMIUM: '/nowhere/chromium' },
    })
    expect(output).toBe('PROOFBOARD_CHROMIUM=/nowhere/chromium is not an executable program\n')
  })
})
