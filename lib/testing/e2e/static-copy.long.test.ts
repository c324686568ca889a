// @module-tag chromium
import { execFile } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { launchTestChromium, listAxeViolations } from '#lib/testing/e2e/browser.ts'
import { serveFolder } from '#lib/testing/e2e/serve-folder.ts'

const run = promisify(execFile)
const folder = mkdtempSync(join(tmpdir(), 'proofboard-static-'))
const site = join(folder, 'site')
const env = {
  ...process.env,
  PROOFBOARD_DATA_DIR: join(folder, 'data'),
  PROOFBOARD_URL: 'https://board.example',
}

function proofboard(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  return run(process.execPath, ['runner/cli/proofboard.mjs', ...args], { env }).then(
    (data) => ({ code: 0, ...data }),
    (error: { code: number; stdout: string; stderr: string }) => error,
  )
}

let browser: Browser
beforeAll(async () => {
  const tasks = ['--suite', 'typescript', '--tasks', 'lru-cache,csv-parser']
  await proofboard('run', '--subject', 'reference', ...tasks)
  await proofboard('run', '--command', 'true', '--name', 'idle-agent', ...tasks)
  const exported = await proofboard('board', 'export', '--static', site)
  expect(exported.code, exported.stderr).toBe(0)
  expect(exported.stdout).toMatch(/pages, \d+ files, [\d.]+ [kM]B, [\d.]+ s\n$/)
  browser = await launchTestChromium()
})
afterAll(async () => {
  await browser?.close()
  rmSync(folder, { recursive: true, force: true })
})

describe.each(['/', '/proofboard/'] as const)('served at %s', (prefix) => {
  it('every link of every page leads to a file', async () => {
    const { url, stop } = await serveFolder(site, prefix)
    try {
      const pages = listPages()
      expect(pages.length).toBeGreaterThan(50)
      const broken = pages.flatMap((page) =>
        linksOf(page, new URL(page, url)).filter((link) => !isThere(link, url)),
      )
      expect(broken).toEqual([])
    } finally {
      await stop()
    }
  })
})

it('pages work with their scripts below a sub-path, and say what they are', async () => {
  const { url, stop } = await serveFolder(site, '/proofboard/')
  const page = await browser.newPage()
  const problems: string[] = []
  page.on('pageerror', ({ message }) => problems.push(message))
  page.on('console', (line) => line.type() === 'error' && problems.push(line.text()))
  page.on('response', (response) => response.status() >= 400 && problems.push(response.url()))
  try {
    await page.goto(url, { waitUntil: 'networkidle' })
    await page.getByText(/^Static copy of 20/).waitFor()
    // A static copy runs no measurements and has no administrator.
    for (const name of ['Measure an agent', 'Plan a run', 'Sign in'])
      expect(await page.getByRole('link', { name }).count(), name).toBe(0)
    // Filtering needs scripts.
    const rows = page.locator('tr[data-label]')
    expect(await rows.count()).toBe(1)
    await page.locator('input[data-search]').fill('no such entry')
    await expect.poll(() => rows.count()).toBe(0)
    await page.locator('input[data-search]').fill('')
    const theme = () => page.locator('html').getAttribute('data-theme')
    expect(await theme()).toBe('light')
    await page.emulateMedia({ colorScheme: 'dark' })
    await expect.poll(theme).toBe('dark')
    // The chart is drawn, and its tabs change the address.
    await page.locator('[data-figure] svg').first().waitFor()
    await page.getByRole('link', { name: 'Consistency' }).click()
    await page.waitForURL(/chart=reliability/)
    expect(await listAxeViolations(page)).toEqual([])
    await page.locator('tr[data-label] a').first().click()
    await page.waitForURL(/proofboard\/rows\/row_/)
    expect(await listAxeViolations(page)).toEqual([])
    await page.getByRole('link', { name: 'Runs', exact: true }).click()
    await page.locator('main a[href*="runs/run_"]').first().click()
    await page.locator('main a[href*="episodes/ep_"]').first().click()
    await page.locator('main a', { hasText: /^Logs/ }).first().click()
    await page.waitForURL(/proofboard\/episodes\/.*\/logs\//)
    await page.getByRole('link', { name: 'Verifier log' }).click()
    await page.getByText('types: ok').waitFor()
    expect(await listAxeViolations(page)).toEqual([])
    expect(problems).toEqual([])
  } finally {
    await page.close()
    await stop()
  }
})

const CHANGES: [what: string, find: (path: string) => boolean][] = [
  ['a page', (path) => path === 'runs/index.html'],
  ['evidence', (path) => path.endsWith('/files/1.txt')],
  ['the ledger', (path) => path === 'archive/ledger.json'],
  ['the manifest', (path) => path === 'manifest.json'],
]

it('is green as it was exported, and red with the name of the file after one changed byte', async () => {
  const { url, stop } = await serveFolder(site, '/')
  const page = await browser.newPage()
  try {
    const whole = await readCheck(page, url)
    expect(whole).toMatch(/^good Unchanged: all \d+ files/)
    expect(whole).toContain('the seals of 4 episodes fit')
    expect(whole).toContain('Signature: ')
    expect(whole).toContain('Not proven')
    expect((await proofboard('board', 'check-static', site)).code).toBe(0)
    for (const [what, find] of CHANGES) {
      const path = listFiles().find(find) ?? ''
      const undo = changeByte(path)
      const told = await readCheck(page, url)
      expect(told, what).toMatch(/^bad Changed/)
      expect(told, what).toContain(path)
      undo()
    }
    const undo = changeByte('index.html')
    const { code, stderr } = await proofboard('board', 'check-static', site)
    undo()
    expect([code, stderr]).toEqual([1, expect.stringContaining('index.html was changed')])
  } finally {
    await page.close()
    await stop()
  }
})

it('replaces an earlier export and nothing else', async () => {
  const { code, stderr } = await proofboard('board', 'export', '--static', join(folder, 'data'))
  expect([code, stderr]).toEqual([1, expect.stringContaining('not an earlier export')])
  const small = await proofboard('board', 'export', '--static', site, '--max-files', '3')
  expect([small.code, small.stderr]).toEqual([2, expect.stringContaining('more than 3 files')])
  expect((await proofboard('board', 'check-static', site)).code).toBe(0)
})

async function readCheck(page: Page, url: string): Promise<string> {
  await page.goto(`${url}check/`)
  await page.locator('html[data-state=good], html[data-state=bad]').waitFor()
  return page.evaluate(
    () =>
      `${document.documentElement.dataset.state} ${document.querySelector('#status')?.textContent} ${document.querySelector('#details')?.textContent}`,
  )
}

function listFiles(): string[] {
  return readdirSync(site, { recursive: true, encoding: 'utf8' })
    .filter((path) => statSync(join(site, path)).isFile())
    .sort()
}

function listPages(): string[] {
  return listFiles().filter((path) => path.endsWith('.html'))
}

const LINK = /<[a-zA-Z][^>]*?\s(?:href|src|action)="([^"#]+)[^"]*"/g

/** Links of a page to its own host. */
function linksOf(page: string, base: URL): string[] {
  const html = readFileSync(join(site, page), 'utf8').replace(/<script\b[^>]*>[^<]+/g, '')
  const links = [...html.matchAll(LINK)].map(([, link = '']) => link.replaceAll('&amp;', '&'))
  return links
    .map((link) => new URL(link, base))
    .filter(({ origin }) => origin === base.origin)
    .map(({ href }) => `${page} -> ${href}`)
}

function isThere(link: string, top: string): boolean {
  const { href } = new URL(link.slice(link.indexOf(' -> ') + ' -> '.length))
  const path = decodeURIComponent(new URL(href).pathname)
  const prefix = new URL(top).pathname
  if (!path.startsWith(prefix)) return false
  const found = statSync(join(site, path.slice(prefix.length)), { throwIfNoEntry: false })
  return found?.isFile() ?? false
}

/** Changes one byte in the middle of a file; returns a function that restores it. */
function changeByte(path: string): () => void {
  const file = join(site, path)
  const before = readFileSync(file)
  const after = Buffer.from(before)
  const middle = Math.floor(after.length / 2)
  after[middle] = after[middle] === 0x61 ? 0x62 : 0x61
  writeFileSync(file, after)
  return () => writeFileSync(file, before)
}
