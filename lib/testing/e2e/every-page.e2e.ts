// @module-tag chromium
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { inViews, signInAs } from '#lib/testing/e2e/browser.ts'
import { fillAddress, readValue } from '#lib/testing/e2e/built-site.ts'
import { connectToChromium, expectReadable, onPage } from '#lib/testing/e2e/looks.ts'
import { makeUser } from '#lib/testing/e2e/make-user.ts'

/** Addresses of all pages, from the source folders, so that new pages are included. */
const PAGES = readdirSync('app', { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('page.tsx'))
  .map(toAddress)
  .sort()

/** Query parameters that a page requires. */
const QUERIES: Record<string, () => string> = {
  '/compare': () => `?rows=${values.rowId},${values.otherRowId}`,
  '/history': () => '?suite=demo&subject=demo-agent-a&model=model-l',
}

const site = inject('demoUrl')
const dir = inject('demoDir')
let values: Record<string, string> = {}
let browser: Browser
let session: Awaited<ReturnType<BrowserContext['storageState']>>

/** Converts `(board)/runs/(list)/page.tsx` to `/runs`. */
function toAddress(path: string): string {
  const parts = path.split('/').filter((part) => !/^\(.*\)$/.test(part))
  return `/${parts.slice(0, -1).join('/')}`
}

beforeAll(async () => {
  browser = await connectToChromium()
  const one = (sql: string) => readValue(join(dir, 'proofboard.db'), sql)
  values = {
    rowId: one(`SELECT rowId FROM BoardRowId ORDER BY suiteDigest, rowId LIMIT 1`),
    otherRowId: one(`SELECT rowId FROM BoardRowId ORDER BY suiteDigest, rowId LIMIT 1 OFFSET 1`),
    runId: one('SELECT runId FROM Run LIMIT 1'),
    episodeId: one('SELECT episodeId FROM Episode LIMIT 1'),
    suiteId: 'demo',
    taskId: one(
      `SELECT t.taskId FROM Task t JOIN Suite s ON s.digest = t.suiteDigest WHERE s.suiteId = 'demo' LIMIT 1`,
    ),
    axis: 'task-completion',
    page: 'more-threats',
    uploadId: 'up_000000000000000000000000',
  }
  const user = await makeUser(dir)
  const context = await browser.newContext()
  await signInAs(await context.newPage(), site, user)
  session = await context.storageState()
  await context.close()
})
afterAll(() => browser.close())

const nameOf = (address: string) =>
  address.startsWith('/models/') ? one('modelRequested') : one('name')
const one = (column: string) =>
  readValue(
    join(dir, 'proofboard.db'),
    `SELECT ${column} FROM Subject WHERE ${column} IS NOT NULL AND kind = 'agent' ORDER BY name LIMIT 1`,
  )

it.each(inViews(PAGES))(
  'the page %s is clean to axe and no wider than the window at %d px, %s',
  async (address, width, colorScheme) => {
    const isAdmin = address === '/admin' || address.startsWith('/admin/')
    const named = { ...values, name: encodeURIComponent(nameOf(address)) }
    const path = `${fillAddress(address, named)}${QUERIES[address]?.() ?? ''}`
    await onPage(browser, `${site}${path}`, (page) => expectReadable(page, width), {
      width,
      colorScheme,
      ...(isAdmin && { session }),
    })
  },
)

it.each([
  ['/', 'Leaderboard'],
  ['/agents/demo-agent-a', 'Agents'],
  ['/models/model-l', 'Models'],
  ['/history?suite=demo', 'History'],
  ['/suites/demo', 'Tasks'],
  ['/reports/task-completion?suite=demo', 'Reports'],
  ['/runs', 'Runs'],
  ['/methodology', 'Methodology'],
])('the header of %s marks %s, leads to the account and names the feeds', async (path, name) => {
  const look = async (page: Page) => {
    const main = page.getByRole('navigation', { name: 'Main' })
    expect(await main.getByRole('link').allTextContents()).toEqual([
      'Leaderboard',
      'Compare',
      'Tasks',
      'Agents',
      'Models',
      'Reports',
      'History',
      'Runs',
      'Methodology',
    ])
    expect(await main.locator('[aria-current=page]').allTextContents()).toEqual([name])
    await page.getByRole('link', { name: 'Account and administration' }).waitFor()
    const feeds = page.locator('head link[rel=alternate]')
    const types = await feeds.evaluateAll((links) => links.map((link) => link.getAttribute('type')))
    expect(types).toContain('application/atom+xml')
    expect(types).toContain('application/feed+json')
  }
  await onPage(browser, `${site}${path}`, look, { width: 360 })
})
